"""Demo scenes on disk, read back by the parser of the published format."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from simulation.scenes import draw_scene
from simulation.scenes.write import write_scenes

COUNT, SEED = 3, 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scenes")
    write_scenes(path, COUNT, SEED)
    return path


def records(folder: Path) -> list[ImageRecord]:
    found = list(read(folder))
    assert all(isinstance(record, ImageRecord) for record in found), found
    return [record for record in found if isinstance(record, ImageRecord)]


def test_what_is_written_reads_back(folder: Path) -> None:
    back = {record.name: record for record in records(folder)}
    first = draw_scene(0, SEED).record
    again = back[first.name]
    assert again.captions == first.captions
    assert (again.width, again.height) == (first.width, first.height)
    boxes = {chain.id: {first.boxes[i].box for i in chain.boxes} for chain in first.chains}
    assert {chain.id: {again.boxes[i].box for i in chain.boxes} for chain in again.chains} == boxes
    plain = [replace(chain, boxes=()) for chain in sorted(first.chains, key=lambda chain: chain.id)]
    assert [replace(chain, boxes=()) for chain in sorted(again.chains, key=lambda chain: chain.id)] == plain


def test_chain_ids_are_unique_over_the_data_set(folder: Path) -> None:
    ids = [chain.id for record in records(folder) for chain in record.chains]
    assert len(set(ids)) == len(ids)


def test_every_image_is_there_in_its_size(folder: Path) -> None:
    for record in records(folder):
        with Image.open(folder / "images" / record.name) as picture:
            assert (picture.format, picture.size) == ("JPEG", (record.width, record.height))


def test_writing_twice_gives_the_same_bytes_and_tells_of_progress(folder: Path, tmp_path: Path) -> None:
    told: list[int] = []
    write_scenes(tmp_path / "again", COUNT, SEED, told.append)
    assert sum(told) == COUNT
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert files == sorted(
        p.relative_to(tmp_path / "again") for p in (tmp_path / "again").rglob("*") if p.is_file()
    )
    assert all((folder / path).read_bytes() == (tmp_path / "again" / path).read_bytes() for path in files)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="not empty"):
        write_scenes(tmp_path, 1, SEED)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]

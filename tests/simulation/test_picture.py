"""The picture of an exported image: each box is at its place, in the colour of its chain."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from annotation.domain.records import ImageRecord
from annotation.formats.registry import READERS
from simulation.picture import COLOURS, MARGIN, PICTURE_HEIGHT, main, picture
from simulation.scenes.write import write_scenes


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes")
    write_scenes(folder, 2, 7)
    return folder


def _records(scenes: Path) -> list[ImageRecord]:
    return [record for record in READERS["flickr30k-entities"](scenes) if isinstance(record, ImageRecord)]


def test_every_box_is_drawn_in_its_chains_colour_where_it_lies(scenes: Path) -> None:
    record = next(record for record in _records(scenes) if any(chain.boxes for chain in record.chains))
    photograph = next((scenes / "images").glob(f"{Path(record.name).stem}.*"))
    row = picture(record, photograph)
    assert record.height
    scale = PICTURE_HEIGHT / record.height
    found = 0
    for number, chain in enumerate(record.chains):
        for index in chain.boxes:
            box = record.boxes[index].box
            corner = (MARGIN + round(box.left * scale), MARGIN + round(box.top * scale))
            found += row.getpixel(corner) == COLOURS[number % len(COLOURS)]
    # A later box may be drawn over a corner, so not all are compared.
    assert found >= 1


def test_rows_stand_one_above_the_other(scenes: Path, tmp_path: Path) -> None:
    names = sorted(path.name for path in (scenes / "images").iterdir())
    out = tmp_path / "sheet.png"
    assert main([str(scenes), str(scenes / "images"), str(out), *names]) == 0
    with Image.open(out) as sheet:
        assert sheet.height == len(names) * (PICTURE_HEIGHT + 2 * MARGIN)


def test_an_unknown_image_is_named(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(scenes), str(scenes / "images"), str(tmp_path / "x.png"), "nothing.jpg"]) == 1
    assert "nothing.jpg" in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()

"""A data set that our exports write is read as it is, from every format, plain or packed."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from annotation.formats.registry import WRITERS
from evaluation.dataset import TYPES, Dataset, Image
from evaluation.errors import InputError
from evaluation.readers.recognition import iterate_images, read_dataset
from tests.annotation.formats.records import IMAGE, images
from tests.shared import shared

FORMATS = ("flickr30k-entities", "jsonl", "parquet")


def write(record: ImageRecord, format: str, out: Path) -> Path:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with WRITERS[format](out) as writer:
        writer.add(record)
    return out


def as_written(record: ImageRecord) -> dict[str, object]:
    """Return what a reader should find, from the record itself."""
    mentioned = {m.chain for caption in record.captions for m in caption.mentions or () if m.chain}
    return {
        "name": record.name,
        "size": (record.width or 0, record.height or 0),
        "split": record.split,
        "captions": [(caption.index, caption.tokens) for caption in record.captions],
        "mentions": [
            (c.index, m.start, m.end, tuple(t for t in m.types if t != "notvisual"), str(m.chain or ""))
            for c in record.captions
            for m in c.mentions or ()
        ],
        "chains": {
            str(chain.id): (
                tuple(one for one in TYPES if one in chain.types),
                sorted(record.boxes[index].box.edges for index in chain.boxes),
                chain.scene,
                chain.nobndbox,
            )
            for chain in record.chains
            if chain.id in mentioned
        },
    }


def as_read(image: Image) -> dict[str, object]:
    return {
        "name": image.name,
        "size": (image.width, image.height),
        "split": image.split,
        "captions": [(caption.index, caption.tokens) for caption in image.captions],
        "mentions": [
            (m.key.caption, m.key.start, m.key.end, m.types, "" if m.chain == "0" else m.chain)
            for m in image.mentions()
        ],
        "chains": {
            chain.id: (
                chain.types,
                sorted(tuple(int(edge) for edge in box) for box in chain.boxes),
                chain.scene,
                chain.nobndbox,
            )
            for chain in image.chains.values()
        },
    }


def only(dataset: Dataset) -> Image:
    (image,) = dataset.images
    return image


@pytest.mark.parametrize("format", FORMATS)
def test_an_image_is_read_as_it_was_written(format: str, tmp_path: Path) -> None:
    image = only(read_dataset(write(IMAGE, format, tmp_path / "out")))
    assert as_read(image) == as_written(IMAGE)
    first = next(image.mentions())
    assert first.phrase == "Two guys" and first.key.image == "a.jpg"
    assert image.chains["1"].boxes.dtype == np.float64


@pytest.mark.parametrize("format", FORMATS)
def test_a_box_that_no_mention_means_is_kept_beside_the_chains(format: str, tmp_path: Path) -> None:
    tree = ChainRecord(77, ("other",), (), (len(IMAGE.boxes),))
    record = replace(IMAGE, chains=(*IMAGE.chains, tree), boxes=(*IMAGE.boxes, BoxRecord(Box(60, 5, 70, 15))))
    image = only(read_dataset(write(record, format, tmp_path / "out")))
    assert image.unmentioned.tolist() == [[60, 5, 70, 15]]
    assert as_read(image) == as_written(IMAGE)


@given(record=images(brackets=False))
def test_any_image_is_read_as_it_was_written(
    record: ImageRecord, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("set")
    for format in FORMATS:
        out = write(record, format, folder / format)
        assert as_read(only(read_dataset(out))) == as_written(record), format


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("around", [True, False])
def test_an_archive_is_read_like_its_folder(format: str, around: bool, tmp_path: Path) -> None:
    out = write(IMAGE, format, tmp_path / "set" / "out")
    base = {"root_dir": tmp_path / "set", "base_dir": "out"} if around else {"root_dir": out}
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", **base))
    assert as_read(only(read_dataset(packed))) == as_read(only(read_dataset(out)))


@pytest.mark.parametrize("place", ["about/manifest.json", "manifest.json"])
@pytest.mark.parametrize("packed", [True, False])
def test_a_data_set_is_called_as_its_manifest_says_where_it_is_now_and_where_it_was(
    place: str, packed: bool, tmp_path: Path
) -> None:
    out = write(IMAGE, "jsonl", tmp_path / "out")
    (out / place).parent.mkdir(exist_ok=True)
    (out / place).write_text('{"project": "pets", "language": "de"}')
    path = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", out)) if packed else out
    found = read_dataset(path)
    assert (found.title, found.language) == ("pets", "de")


def test_a_file_of_json_lines_is_read_plain_and_packed(tmp_path: Path) -> None:
    plain = write(IMAGE, "jsonl", tmp_path / "out") / "images.jsonl"
    packed = tmp_path / "images.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert as_read(only(read_dataset(plain))) == as_read(only(read_dataset(packed))) == as_written(IMAGE)


def test_the_real_sample_is_read() -> None:
    found = list(iterate_images(shared("data", "entities_sample")))
    assert len(found) == 6 and all(len(image.captions) == 5 for image in found)
    assert sum(1 for image in found for mention in image.mentions() if mention.chain) > 50


def test_only_images_of_a_split_are_kept(tmp_path: Path) -> None:
    out = write(IMAGE, "flickr30k-entities", tmp_path / "out")
    assert only(read_dataset(out, split="train")).name == "a.jpg"
    with pytest.raises(InputError, match="has no image of the split test"):
        read_dataset(out, split="test")


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        read_dataset(tmp_path / "none")
    with pytest.raises(InputError, match=r"is no data set: it has no folder Sentences"):
        read_dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "odvg"}')
    with pytest.raises(InputError, match=r"is an export in the format odvg, .* export it as jsonl"):
        read_dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "jsonl"}')
    with pytest.raises(InputError, match="is no data set: it has no folder Sentences"):
        read_dataset(tmp_path)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04 and nothing that follows")
    with pytest.raises(InputError, match=r"broken\.zip is neither a folder nor a ZIP archive"):
        read_dataset(broken)


def test_two_images_of_one_name_are_refused(tmp_path: Path) -> None:
    plain = write(IMAGE, "jsonl", tmp_path / "out") / "images.jsonl"
    plain.write_bytes(plain.read_bytes() * 2)
    with pytest.raises(InputError, match=r"two images have the name a\.jpg"):
        read_dataset(plain)

"""Labels in the format of YOLO, read back as its programs read them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given

from annotation.domain.records import ImageRecord
from annotation.formats.datasets.yolo import YoloWriter
from tests.annotation.formats.records import IMAGE, images


def write(out: Path, *records: ImageRecord) -> YoloWriter:
    with YoloWriter(out) as writer:
        for record in records:
            writer.add(record)
    return writer


def test_a_line_is_a_box(tmp_path: Path) -> None:
    """The second box has two types: its class is the first of them, and the other one is counted."""
    writer = write(tmp_path, IMAGE, replace(IMAGE, name="b.png", split="val", chains=(), boxes=()))
    assert (tmp_path / "labels" / "a.txt").read_text() == (
        "0 0.25000000 0.50000000 0.50000000 1.00000000\n0 0.55000000 0.62500000 0.90000000 0.75000000\n"
    )
    assert (tmp_path / "labels" / "b.txt").read_bytes() == b""
    assert (tmp_path / "train.txt").read_text() == "./images/a.jpg\n"
    assert (tmp_path / "val.txt").read_text() == "./images/b.png\n"
    found = yaml.safe_load((tmp_path / "data.yaml").read_text())
    assert (found["train"], found["val"], "test" in found) == ("train.txt", "val.txt", False)
    assert (found["names"][0], len(found["names"])) == ("people", 8)
    assert {part: n for part, n in writer.not_held.items() if n} == {
        "captions": 4,
        "phrases": 6,
        "phrases that are not visual": 2,
        "chains with several boxes": 1,
        "chains that are a scene": 1,
        "boxes with further types": 1,
    }


@pytest.mark.parametrize(
    ("splits", "named"),
    [
        (("",), {"train": "unsplit.txt", "val": "unsplit.txt"}),
        (("train",), {"train": "train.txt", "val": "train.txt"}),
        (("", "train"), {"train": "train.txt", "val": "train.txt"}),
        (("", "test"), {"train": "unsplit.txt", "val": "unsplit.txt", "test": "test.txt"}),
        (("", "val", "test"), {"train": "unsplit.txt", "val": "val.txt", "test": "test.txt"}),
        (("val",), {"val": "val.txt"}),
        (("test",), {"test": "test.txt"}),
    ],
)
def test_a_list_that_yolo_asks_for_is_another_one_but_never_that_of_test(
    splits: tuple[str, ...], named: dict[str, str], tmp_path: Path
) -> None:
    """YOLO refuses a file without `train` or `val` with a message of its own."""
    write(tmp_path, *(replace(IMAGE, name=f"x{split}.jpg", split=split) for split in splits))
    said = (tmp_path / "data.yaml").read_text()
    found = yaml.safe_load(said)
    assert {split: found[split] for split in ("train", "val", "test") if split in found} == named
    for split in ("train", "val"):
        assert (f"# No image has the split {split}," in said) == (split not in splits)


def test_two_images_of_one_stem_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.jpg and a\.png would both be labels/a\.txt"):
        write(tmp_path, IMAGE, replace(IMAGE, name="a.png"))


@given(images())
def test_boxes_come_back_to_the_pixel(record: ImageRecord) -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder), record)
        lines = (Path(folder) / "labels" / "x.txt").read_text().splitlines()
        names = yaml.safe_load((Path(folder) / "data.yaml").read_text())["names"]
    pointed = sorted({index for chain in record.chains for index in chain.boxes})
    assert len(lines) == len(pointed)
    for line, index in zip(lines, pointed, strict=True):
        kind, *values = line.split(" ")
        x, y, width, height = (float(value) for value in values)
        edges = ((x - width / 2) * 100, (y - height / 2) * 80, (x + width / 2) * 100, (y + height / 2) * 80)
        assert edges == pytest.approx(record.boxes[index].box.edges, abs=1e-5)
        assert any(index in chain.boxes and names[int(kind)] in chain.types for chain in record.chains)

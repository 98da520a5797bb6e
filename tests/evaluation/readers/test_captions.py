"""Files of captions alone are data sets, too."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from evaluation.errors import InputError
from evaluation.readers.recognition import read_dataset
from tests.evaluation.small_set import error_of

COCO = {
    "info": {},
    "images": [{"id": 7, "file_name": "b.jpg", "width": 4, "height": 3}, {"id": 1, "file_name": "a.jpg"}],
    "annotations": [
        {"id": 1, "image_id": 7, "caption": "A dog ."},
        {"id": 2, "image_id": 1, "caption": "Two  cats"},
        {"id": 3, "image_id": 7, "caption": "The dog runs"},
    ],
}


def test_a_token_file_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "captions.txt"
    path.write_text("b.jpg#1\tThe dog runs\nb.jpg#0\tA dog .\n\na b#c.jpg#0\tTwo  cats\n")
    dataset = read_dataset(path)
    found = [(one.name, [(it.index, it.tokens) for it in one.captions]) for one in dataset.images]
    assert found == [
        ("a b#c.jpg", [(0, ("Two", "cats"))]),
        ("b.jpg", [(0, ("A", "dog", ".")), (1, ("The", "dog", "runs"))]),
    ]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("a.jpg\tA dog", "line 2: 'a.jpg' does not end in #k with k below 1000"),
        ("a.jpg#0 A dog", "line 2: there is no tab: expected image.jpg#k<TAB>caption"),
        ("a.jpg#1\tA dog", r"line 2: a\.jpg has a caption 1 already"),
        ("a.jpg#1000\tA dog", "line 2: 'a.jpg#1000' does not end in #k with k below 1000"),
    ],
)
def test_a_bad_line_of_a_token_file_is_named(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "captions.txt"
    path.write_text(f"a.jpg#1\tA dog\n{line}\n")
    with pytest.raises(InputError, match=wrong):
        read_dataset(path)
    path.write_bytes(b"a.jpg#1\tA dog\na.jpg#2\t\xff\n")
    with pytest.raises(InputError, match="line 2: byte 9 of the line is not UTF-8"):
        read_dataset(path)


def test_captions_in_cocos_format_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(orjson.dumps(COCO))
    dataset = read_dataset(path)
    assert [(one.name, one.width, one.height) for one in dataset.images] == [("a.jpg", 0, 0), ("b.jpg", 4, 3)]
    assert [one.tokens for one in dataset.images[1].captions] == [("A", "dog", "."), ("The", "dog", "runs")]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"images": None}, "images: is not a list"),
        (
            {"images": [{"id": 7, "file_name": ""}]},
            r"images\[0\]\.file_name: an image name has 1 to",
        ),
        ({"images": [{"id": 7, "file_name": "a"}] * 2}, r"images\[1\]\.id: 7 is another image, too"),
        ({"annotations": [{"image_id": 9, "caption": "A"}]}, r"annotations\[0\]\.image_id: 9 is no image"),
        ({"annotations": [{"image_id": 7, "bbox": []}]}, r"annotations\[0\]\.caption: is missing"),
    ],
)
def test_a_mistake_in_cocos_format_is_named(change: dict[str, object], wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(orjson.dumps({**COCO, **change}))
    with pytest.raises(InputError, match=wrong):
        read_dataset(path)


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "captions.json"
    path.write_bytes(orjson.dumps(COCO))
    monkeypatch.setattr("evaluation.readers.recognition.MAX_COCO", 10)
    assert "has more than 10 bytes" in error_of(lambda: read_dataset(path))
    monkeypatch.undo()
    monkeypatch.setattr("evaluation.readers.captions.MAX_CAPTIONS", 1)
    assert "b.jpg has more than 1 captions" in error_of(lambda: read_dataset(path))

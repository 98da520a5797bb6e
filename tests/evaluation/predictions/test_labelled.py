"""Files with all labelled boxes of images."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.labelled import read_labelled
from tests.evaluation.small_set import write_lines

NAMES = ("a.jpg", "b.jpg", "b.png")
COCO: dict[str, Any] = {
    "images": [{"id": 7, "file_name": "a.jpg"}, {"id": 8, "file_name": "b.jpg"}],
    "categories": [{"id": 3, "name": "dog"}],
    "annotations": [{"image_id": 7, "category_id": 3, "bbox": [1, 2, 10, 20]}],
}


def test_lines_have_boxes_with_labels(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "l.jsonl",
        {"image": "a", "boxes": [[1, 2, 3, 4], [0, 0, 9, 9]], "labels": ["dog", "park"]},
        {"image": "b", "boxes": [], "labels": []},  # two images have this stem
    )
    findings = Findings()
    found = read_labelled(path, NAMES, findings)
    assert list(found) == ["a.jpg"]
    assert found["a.jpg"].boxes.tolist() == [[1, 2, 3, 4], [0, 0, 9, 9]]
    assert found["a.jpg"].labels == ("dog", "park")
    assert findings.counts == {
        "labelled boxes of an image that is not measured": 1,
        "image without labelled boxes": 2,
    }


def test_annotations_in_cocos_format_are_read(tmp_path: Path) -> None:
    found = read_labelled(write_lines(tmp_path / "l.json", COCO), NAMES, Findings())
    assert found["a.jpg"].boxes.tolist() == [[1, 2, 11, 22]]
    assert found["a.jpg"].labels == ("dog",)
    assert len(found["b.jpg"].boxes) == 0


@pytest.mark.parametrize("order", list(permutations(COCO)))
@pytest.mark.parametrize("indent", [None, 1])
def test_the_fields_of_cocos_format_may_come_in_any_order(
    order: tuple[str, ...], indent: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "l.json"
    others = {"version": "1.0", "year": 2014}
    for content in ({name: COCO[name] for name in order}, others | {name: COCO[name] for name in order}):
        path.write_text(json.dumps(content, indent=indent))
        assert read_labelled(path, NAMES, Findings())["a.jpg"].labels == ("dog",)


def test_a_long_first_field_hides_no_other(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text("\n" + json.dumps({"note": "x" * 5_000_000, **COCO}))
    assert read_labelled(path, NAMES, Findings())["a.jpg"].labels == ("dog",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"image": "a", "boxes": [[1, 2, 3, 4]]}, "line 1: labels: is missing"),
        ({"image": "a", "boxes": [[1, 2, 3, 4]], "labels": []}, "labels: has 0 entries for 1 boxes"),
        ({"image": "a", "boxes": [[1, 2, 1, 4]], "labels": ["x"]}, r"boxes\[0\]: is an empty or infinite"),
        ({**COCO, "categories": []}, r"annotations\[0\].category_id: 3 is the id of no category"),
        ({**COCO, "images": []}, r"annotations\[0\].image_id: 7 is the id of no image"),
        ({"images": [], "annotations": []}, "categories: is missing: labelled boxes need"),
        ({"categories": []}, "images: is missing: labelled boxes need"),
        ('{"image": "a", "boxes": [', "line 1: is not JSON in UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named(line: dict[str, Any] | str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_labelled(write_lines(tmp_path / "l.jsonl", line), NAMES, Findings())


def test_an_image_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    line = {"image": "a.jpg", "boxes": [], "labels": []}
    with pytest.raises(InputError, match=r"line 2: image: a\.jpg is given twice"):
        read_labelled(write_lines(tmp_path / "l.jsonl", line, line), NAMES, Findings())

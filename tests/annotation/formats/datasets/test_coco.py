from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pycocotools.coco import COCO

from annotation.formats.datasets.coco import FILE, CocoWriter
from tests.annotation.formats.records import IMAGE


def write(out: Path) -> Path:
    with CocoWriter(out) as writer:
        writer.add(IMAGE)
        writer.add(replace(IMAGE, name="b.jpg", chains=(), boxes=(), captions=IMAGE.captions[1:]))
    return out / FILE


@pytest.fixture
def content(tmp_path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(write(tmp_path).read_bytes())
    return loaded


def test_pycocotools_loads_it(tmp_path: Path) -> None:
    coco = COCO(str(write(tmp_path)))
    assert [image["file_name"] for image in coco.loadImgs(coco.getImgIds())] == ["a.jpg", "b.jpg"]
    people = coco.getCatIds(catNms=["people"])
    (shirt,) = coco.loadAnns(coco.getAnnIds(imgIds=[1], areaRng=[5000, 6000]))
    assert (shirt["bbox"], shirt["area"], shirt["iscrowd"]) == ([10, 20, 90, 60], 5400, 0)
    # both boxes belong to the chain of people, and one of them also to that of the shirt
    assert coco.getAnnIds(catIds=people) == [1, 2]


def test_an_annotation_names_its_types_and_chains(content: dict[str, Any]) -> None:
    assert [entry["types"] for entry in content["annotations"]] == [
        ["people"],
        ["people", "clothing", "other"],
    ]
    assert [entry["chain_ids"] for entry in content["annotations"]] == [[1], [1, 2]]


def test_types_of_a_projects_own_are_categories_after_the_eight(tmp_path: Path) -> None:
    people, shirts, place = IMAGE.chains
    own = (people, replace(shirts, types=("toys",)), replace(place, types=("scene", "food")))
    with CocoWriter(tmp_path) as writer:
        writer.add(IMAGE)
        writer.add(replace(IMAGE, name="b.jpg", chains=(replace(people, types=("food",)), *own[1:])))
    coco = COCO(str(tmp_path / FILE))
    assert [one["name"] for one in coco.loadCats([9, 10])] == ["food", "toys"]
    assert [one["types"] for one in coco.loadAnns(coco.getAnnIds(catIds=[9]))] == [["food"], ["food", "toys"]]
    assert len(coco.getCatIds()) == 10


def test_phrases_link_token_spans_to_chains_and_annotations(content: dict[str, Any]) -> None:
    phrases = [
        (
            entry["caption_id"],
            entry["start"],
            entry["end"],
            entry["phrase"],
            entry["chain_id"],
            entry["annotation_ids"],
        )
        for entry in content["phrases"]
    ]
    assert phrases == [
        (1, 0, 2, "Two guys", 1, [1, 2]),
        (1, 3, 4, "shirts", 2, [2]),
        (1, 5, 6, "air", 0, []),
        (2, 0, 1, "Outside", 3, []),
        (3, 0, 1, "Outside", 3, []),
    ]
    assert [(entry["image_id"], entry["index"]) for entry in content["captions"]] == [(1, 0), (1, 1), (2, 1)]
    assert content["chains"][2] == {
        "id": 3,
        "image_id": 1,
        "types": ["scene"],
        "scene": True,
        "nobndbox": False,
        "annotation_ids": [],
    }


def test_results_can_be_loaded_for_it(tmp_path: Path) -> None:
    """pycocotools 2.0.9 and 2.0.10 copy `info` without asking whether it is there."""
    path = write(tmp_path)
    found = COCO(str(path)).loadRes([{"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5}])
    assert json.loads(path.read_bytes())["info"]["description"] and len(found.getAnnIds()) == 1


def test_nothing_but_the_file_is_left_behind(tmp_path: Path) -> None:
    write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_an_export_of_nothing_still_loads(tmp_path: Path) -> None:
    with CocoWriter(tmp_path):
        pass
    assert COCO(str(tmp_path / FILE)).getImgIds() == []

"""Tasks for Label Studio, read back from percent of the sides."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from defusedxml import ElementTree
from hypothesis import given

from annotation.domain.records import ImageRecord
from annotation.formats.datasets.label_studio import LabelStudioWriter
from tests.annotation.formats.records import IMAGE, images


def tasks(out: Path, *records: ImageRecord) -> list[dict[str, Any]]:
    with LabelStudioWriter(out) as writer:
        for record in records:
            writer.add(record)
    found: list[dict[str, Any]] = json.loads((out / "tasks.json").read_text(encoding="utf-8"))
    return found


def test_a_task_is_an_image_with_its_chains(tmp_path: Path) -> None:
    first, second = tasks(tmp_path, IMAGE, replace(IMAGE, name="b c.jpg"))
    assert (first["id"], second["data"]["image"]) == (1, "/data/local-files/?d=images/b%20c.jpg")
    assert first["data"] == {
        "image": "/data/local-files/?d=images/a.jpg",
        "file_name": "a.jpg",
        "split": "train",
        "captions": "Two guys in shirts and air .\nOutside",
        "chains": [
            {
                "id": 1,
                "types": ["people"],
                "scene": False,
                "nobndbox": False,
                "regions": ["box1", "box2"],
                "phrases": [{"caption": 0, "start": 0, "end": 8, "text": "Two guys"}],
            },
            {
                "id": 2,
                "types": ["clothing", "other"],
                "scene": False,
                "nobndbox": False,
                "regions": ["box2"],
                "phrases": [{"caption": 0, "start": 12, "end": 18, "text": "shirts"}],
            },
            {
                "id": 3,
                "types": ["scene"],
                "scene": True,
                "nobndbox": False,
                "regions": [],
                "phrases": [{"caption": 1, "start": 0, "end": 7, "text": "Outside"}],
            },
        ],
    }
    result = first["annotations"][0]["result"]
    assert [one["type"] for one in result] == ["rectanglelabels", "textarea"] * 2
    place = {"x": 10.0, "y": 25.0, "width": 90.0, "height": 75.0, "rotation": 0}
    assert result[2] == {
        "id": "box2",
        "to_name": "image",
        "original_width": 100,
        "original_height": 80,
        "image_rotation": 0,
        "type": "rectanglelabels",
        "from_name": "types",
        "value": {**place, "rectanglelabels": ["people", "clothing", "other"]},
    }
    assert result[3]["value"] == {**place, "text": ["Two guys", "shirts"]}
    config = ElementTree.parse(tmp_path / "label_config.xml").getroot()
    assert config is not None
    assert [label.get("value") for label in config.iter("Label")][:2] == ["people", "bodyparts"]
    assert (
        {one["from_name"] for one in result}
        == {"types", "phrases"}
        <= {element.get("name") for element in config}
    )


@given(images())
def test_boxes_come_back_as_they_were(record: ImageRecord) -> None:
    with TemporaryDirectory() as folder:
        (task,) = tasks(Path(folder), record)
    found = {}
    for one in task["annotations"][0]["result"]:
        if one["type"] == "rectanglelabels":
            value = one["value"]
            left, top = value["x"] * one["original_width"] / 100, value["y"] * one["original_height"] / 100
            right = left + value["width"] * one["original_width"] / 100
            found[one["id"]] = (left, top, right, top + value["height"] * one["original_height"] / 100)
    for chain, told in zip(record.chains, task["data"]["chains"], strict=True):
        boxes = [found[region] for region in told["regions"]]
        assert len(boxes) == len(chain.boxes)
        for edges, index in zip(boxes, chain.boxes, strict=True):
            assert edges == pytest.approx(record.boxes[index].box.edges, abs=1e-9)

"""The detector's anchors, boxes and words, without its model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples.detector import anchors, decode, iou, suggest, wanted

LABELS = ["???", "Dog", "Person", "Car"]
IMAGE: dict[str, Any] = {
    "name": "1.jpg",
    "captions": [
        {
            "index": 0,
            "tokens": ["A", "man", "walks", "his", "dog", "on", "the", "beach"],
            "mentions": [
                {"start": 0, "end": 2, "types": ["people"]},
                {"start": 3, "end": 5, "types": ["animals"]},
                {"start": 5, "end": 6, "types": ["notvisual"]},
                {"start": 6, "end": 8, "types": ["scene"]},
            ],
        }
    ],
}


def test_there_are_as_many_anchors_as_the_model_has_and_all_are_in_the_picture() -> None:
    found = anchors()
    assert found.shape == (1917, 4)
    assert (found[:, :2] > 0).all() and (found[:, :2] < 1).all() and (found[:, 2:] > 0).all()
    assert found[-6:, :2].tolist() == [[0.5, 0.5]] * 6
    assert found[:3, 2:].round(4).tolist() == [[0.1, 0.1], [0.2828, 0.1414], [0.1414, 0.2828]]


def test_of_what_overlaps_the_best_of_a_class_is_kept_and_edges_are_pixels_of_the_photograph() -> None:
    encoded, classes = np.zeros((1917, 4)), np.full((1917, 4), -9.0)
    whole = 1917 - 6
    classes[whole, 1], classes[whole + 5, 1], classes[whole, 2] = 2.0, 1.0, 0.5
    encoded[whole, 0] = 1.0  # a tenth of the anchor's height lower
    (dog, person) = decode(encoded, classes, 400, 200)
    assert (dog[0], person[0]) == (1, 2) and dog[1] == pytest.approx(0.8808, abs=1e-3)
    assert dog[2] == [10, 24, 390, 200]


def test_iou() -> None:
    assert iou([0, 0, 10, 10], [5, 0, 15, 10]) == pytest.approx(1 / 3)
    assert iou([0, 0, 10, 10], [10, 0, 15, 10]) == 0


@pytest.mark.parametrize(
    ("words", "types", "classes"),
    [
        (["his", "dog"], ["animals"], ("Dog",)),
        (["A", "man"], ["people"], ("Person",)),
        (["a", "man", "'s", "arm"], ["people", "bodyparts"], ()),
        (["a", "dog", "'s", "tail"], ["animals", "bodyparts"], ()),
        (["a", "red", "Bike"], ["vehicles"], ("Bicycle",)),
        (["a", "boat"], ["vehicles"], ("Vehicle", "Car", "Bicycle")),
        (["the", "beach"], ["scene"], ()),
    ],
)
def test_a_word_says_more_than_a_type(words: list[str], types: list[str], classes: tuple[str, ...]) -> None:
    assert wanted(words, types) == classes


def test_each_mention_that_workers_are_asked_about_has_a_line_also_without_boxes(tmp_path: Path) -> None:
    found = [(2, 0.9, [0, 0, 50, 90]), (1, 0.61234, [60, 50, 90, 90])]
    lines = [json.loads(json.dumps(one)) for one in suggest(IMAGE, found, LABELS)]
    assert [one["boxes"] for one in lines] == [[[0, 0, 50, 90]], [[60, 50, 90, 90]], []]
    assert lines[1] == {
        "image": "1.jpg", "caption": 0, "start": 3, "end": 5, "boxes": [[60, 50, 90, 90]], "scores": [0.6123]
    }  # fmt: skip

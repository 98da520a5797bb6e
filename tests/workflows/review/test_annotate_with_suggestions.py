"""A researcher who annotates a whole image takes boxes of a model: the decision and exports say which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from annotation.exporting.provenance import FILE
from annotation.models import Decision, Image, ImageWork
from tests.annotation.exporting.annotated_projects import export
from tests.factories import make_images, make_project
from tests.suggesting_models import SUGGESTED, make_set
from tests.workflows.review.annotating import drawn, store
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.pipeline.replay.verify_state import differences

pytestmark = pytest.mark.django_db

FIRST, MOVED, OWN = [10, 20, 110, 220], [200, 20, 300, 200], [400, 0, 500, 90]


def made(*, sets: int = 1) -> Image:
    project = make_project()
    (image,) = make_images(project, [["man"]], 1)
    for _ in range(sets):
        make_set(project)
    return image


def said(image: Image, *boxes: list[int], seen: Any = None) -> Decision:
    data = drawn(image)
    data["chains"][0]["boxes"] = list(boxes)
    return store(image, data if seen is None else {**data, "suggestions": seen})


def test_a_decision_says_which_boxes_are_from_a_model() -> None:
    image = made(sets=2)
    decision = said(image, FIRST, MOVED, OWN, seen={"set": 2, "boxes": [{"box": MOVED, "suggestion": 1}]})
    assert decision.content["suggestions"] == {
        "set": 2,
        "model": "detector/1",
        # The first one equals a suggestion: it was copied, whatever the page says.
        "boxes": [{"box": FIRST, "from": SUGGESTED[0]}, {"box": MOVED, "from": SUGGESTED[1]}],
    }
    assert not list(differences(list(ImageWork.objects.all())))


def test_without_suggestions_a_decision_says_nothing_of_them() -> None:
    assert "suggestions" not in said(made(), FIRST).content


def test_an_export_says_how_the_boxes_came_about(tmp_path: Path) -> None:
    image = made()
    decision = said(image, FIRST, MOVED, OWN, seen={"set": 1, "boxes": [{"box": MOVED, "suggestion": 1}]})
    export(image.project, tmp_path / "out", "jsonl")
    boxes = orjson.loads((tmp_path / "out" / FILE).read_bytes())["boxes"]
    about = {"judgment": None, "decision": decision.pk, "model": "detector/1"}
    assert {tuple(box["box"]): box["origins"] for box in boxes} == {
        tuple(FIRST): [{**about, "origin": "accepted", "overlap": 1.0, "score": 0.9}],
        tuple(MOVED): [{**about, "origin": "adjusted", "overlap": 0.9, "score": 0.25}],
        tuple(OWN): [{**about, "origin": "drawn", "overlap": None, "score": None}],
    }
    manifest = orjson.loads((tmp_path / "out" / "about" / "manifest.json").read_bytes())
    assert manifest["suggestions"] == {"detector/1": {"accepted": 1, "adjusted": 1, "drawn": 1}}


def test_an_export_of_what_was_drawn_without_says_nothing(tmp_path: Path) -> None:
    image = made()
    said(image, FIRST)
    export(image.project, tmp_path / "out", "jsonl")
    (box,) = orjson.loads((tmp_path / "out" / FILE).read_bytes())["boxes"]
    assert "origins" not in box


@pytest.mark.parametrize(
    ("seen", "field"),
    [
        ({"set": 2, "boxes": []}, "suggestions.set"),
        ({"set": "1", "boxes": []}, "suggestions.set"),
        ({"set": 1}, "suggestions.boxes"),
        ([], "suggestions"),
        ({"set": 1, "boxes": [{"box": MOVED, "suggestion": 2}]}, "suggestions.boxes"),
        ({"set": 1, "boxes": [{"box": MOVED, "suggestion": -1}]}, "suggestions.boxes"),
        ({"set": 1, "boxes": [{"box": MOVED}]}, "suggestions.boxes[0].suggestion"),
        ({"set": 1, "boxes": [{"box": [1, 2], "suggestion": 0}]}, "suggestions.boxes[0].box"),
        ({"set": 1, "boxes": [7]}, "suggestions.boxes[0]"),
    ],
)
def test_what_is_wrong_is_said_with_its_field(seen: Any, field: str) -> None:
    with pytest.raises(DecisionError) as caught:
        said(made(), MOVED, seen=seen)
    assert caught.value.field == field
    assert not Decision.objects.exists()

"""An export says of each box whether its worker drew it, accepted a model's box, or adjusted one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.geometry import Box as Rectangle
from annotation.domain.merge import MergeSettings, merge
from annotation.domain.records import BoxFrom, BoxRecord, ChainRecord, ImageRecord
from annotation.exporting.box_origins import box_origins
from annotation.exporting.provenance import FILE
from annotation.models import Batch, Item, Judgment
from evaluation.readers.recognition import read_dataset
from tests.annotation.exporting.annotated_projects import export
from tests.entities_fast import ONE, THREE, make_fast
from tests.factories import NOW, answer_page, claim_page, make_worker
from tests.suggesting_models import make_drawing, make_set, make_suggesting
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db

MOVED = [200, 20, 300, 200]


def finish(batch: Batch, *boxes: Mapping[str, Any]) -> None:
    """Let workers draw these boxes, and others find them good."""

    def given(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        if stage == "boxes":
            return {"boxes": [dict(box) for box in boxes]}
        if stage == "drawing":
            return dict(boxes[0])
        if stage in ("quality", "coverage"):
            return {"good": True} if stage == "quality" else {"complete": True}
        return {"boxes": ["good"] * len(question["new_boxes"]), "missing": False}

    while item := Item.objects.filter(batch=batch, state="open").order_by("pk").first():
        answer_page(make_worker(batch.project), stage=item.stage, answering=given)
        advance_pending(now=NOW)


def exported(batch: Batch, out: Path, format: str = "jsonl", **options: Any) -> tuple[Any, dict[str, Any]]:
    """Return the boxes of the provenance of an export of one image, and its manifest."""
    export(batch.project, out, format, **options)
    manifest: dict[str, Any] = orjson.loads((out / "about" / "manifest.json").read_bytes())
    return orjson.loads((out / FILE).read_bytes())["boxes"] if format == "jsonl" else None, manifest


def suggested() -> Batch:
    """Return a finished batch with a box that was accepted, one that was adjusted, and one that was drawn."""
    batch = make_suggesting()
    finish(batch, {"box": ONE, "suggestion": 0}, {"box": MOVED, "suggestion": 1}, {"box": THREE})
    return batch


def test_each_box_says_what_it_is_from(tmp_path: Path) -> None:
    boxes, manifest = exported(suggested(), tmp_path / "out")
    judgment = Judgment.objects.get(item__stage="boxes").pk
    about = {"judgment": judgment, "decision": None, "model": "detector/1"}
    assert {tuple(box["box"]): box["origins"] for box in boxes} == {
        tuple(ONE): [{**about, "origin": "accepted", "overlap": 1.0, "score": 0.9}],
        tuple(MOVED): [{**about, "origin": "adjusted", "overlap": 0.9, "score": 0.25}],
        tuple(THREE): [{**about, "origin": "drawn", "overlap": None, "score": None}],
    }
    assert manifest["suggestions"] == {"detector/1": {"accepted": 1, "adjusted": 1, "drawn": 1}}
    assert manifest["families"] == {"detector/1": "owl"}
    (part,) = read_dataset(tmp_path / "out").models  # as reports of `evaluation` read it
    assert (part.model, part.family, part.boxes_raw) == ("detector/1", "owl", 3)
    assert (part.drawn, part.accepted, part.adjusted) == (1, 1, 1)


@pytest.mark.parametrize(("box", "origin"), [(ONE, "accepted"), ([10, 20, 110, 200], "adjusted")])
def test_a_box_of_the_classic_protocol_says_it_too(box: list[int], origin: str, tmp_path: Path) -> None:
    batch = make_drawing()
    finish(batch, {"box": box, "suggestion": 0})
    (found,), manifest = exported(batch, tmp_path / "out")
    judgment = Judgment.objects.get(item__stage="drawing").pk
    overlap = 1.0 if origin == "accepted" else 0.9
    about = {"judgment": judgment, "decision": None, "model": "detector/1", "score": 0.9}
    assert found["origins"] == [{**about, "origin": origin, "overlap": overlap}]
    assert manifest["suggestions"] == {"detector/1": {origin: 1}}


@pytest.mark.parametrize("seen", [True, False])
def test_a_box_whose_worker_could_not_be_shown_any_says_nothing(seen: bool, tmp_path: Path) -> None:
    batch = make_suggesting()
    page = claim_page(make_worker(batch.project), stage="boxes")
    given = [Reply(item=1, answer={"boxes": [{"box": THREE}]}, suggestions_shown=seen)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=given, now=NOW)
    advance_pending(now=NOW)
    finish(batch)
    boxes, manifest = exported(batch, tmp_path / "out")
    assert ("origins" in boxes[0], "suggestions" in manifest) == (seen, seen)


def test_an_earlier_or_later_set_changes_nothing(tmp_path: Path) -> None:
    batch = suggested()
    before = exported(batch, tmp_path / "before")
    make_set(batch.project, lambda mention: [[0, 0, 5, 5, 0.1]])
    assert exported(batch, tmp_path / "after") == before


def test_boxes_too_small_for_the_batch_do_not_shift_what_answers_name(tmp_path: Path) -> None:
    batch = make_suggesting(boxes=lambda mention: [[0, 0, 9, 90, 0.9], [*ONE, 0.5]], minimum_side=10)
    finish(batch, {"box": [10, 20, 110, 221], "suggestion": 0})
    (box,), _ = exported(batch, tmp_path / "out")
    assert box["origins"][0]["score"] == 0.5 and box["origins"][0]["overlap"] == 0.995


@pytest.mark.parametrize("shown", [False, True])
def test_where_no_box_could_be_shown_nothing_is_said(shown: bool, tmp_path: Path) -> None:
    batch = make_suggesting(suggestions={"without": 1}) if shown else make_fast()
    finish(batch, {"box": ONE})
    boxes, manifest = exported(batch, tmp_path / "out")
    assert "origins" not in boxes[0] and "suggestions" not in manifest


def test_a_phrase_for_which_nothing_was_suggested_says_nothing(tmp_path: Path) -> None:
    batch = make_suggesting(boxes=lambda mention: [])
    finish(batch, {"box": ONE})
    assert Judgment.objects.get(item__stage="boxes").suggested == 0
    boxes, manifest = exported(batch, tmp_path / "out")
    assert "origins" not in boxes[0] and "suggestions" not in manifest


def test_it_takes_one_statement_where_nothing_was_shown() -> None:
    finish(make_fast(), {"box": ONE})
    with CaptureQueriesContext(connection) as captured:
        assert box_origins([one.pk for one in Judgment.objects.all()]) == {}
    assert len(captured) == 2  # the judgments that this test reads, and those that were shown something


def test_a_merged_box_has_the_origins_of_its_parts() -> None:
    one, other = BoxFrom(9, "accepted", "owl/1", 1.0, 0.5), BoxFrom(4, "drawn", "owl/1")
    boxes = (
        BoxRecord(Rectangle(0, 0, 100, 100), origins=(one,)),
        BoxRecord(Rectangle(0, 0, 100, 99), origins=(other,)),
        BoxRecord(Rectangle(300, 0, 400, 99)),
    )
    chains = tuple(ChainRecord(n, ("people",), ((0, n, n + 1),), (n,)) for n in range(3))
    merged = merge(ImageRecord("a.jpg", (), chains=chains, boxes=boxes), MergeSettings())
    assert [box.origins for box in merged.boxes] == [(other, one), ()]


def test_the_card_of_a_data_set_says_how_many(tmp_path: Path) -> None:
    exported(suggested(), tmp_path / "out", "huggingface")
    card = (tmp_path / "out" / "README.md").read_text()
    assert (
        "The model `detector/1` suggested boxes to the workers who made 3 of the 3 boxes before merging: "
        "1 (33%) accepted, 1 (33%) adjusted, 1 (33%) drawn."
    ) in card

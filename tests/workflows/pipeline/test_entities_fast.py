"""A batch of the protocol `entities-fast`, from a page to the state of its image."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.exporting.crowd import Crowd
from annotation.exporting.dataset import export_dataset
from annotation.exporting.raw import LeftOut
from annotation.models import Batch, Box, Chain, ImageWork, Item, Judgment, Worker
from tests.entities_fast import ONE, THREE, TWO, answer, drawn, make_fast, said, unsteady
from tests.factories import (
    FAST,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_batch,
    make_image,
    make_project,
    make_random_image,
    make_worker,
    submit_page,
)
from workflows.assignments.leases import return_page
from workflows.assignments.page_view import shown_page
from workflows.assignments.submit import SubmissionError
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.settings_edits import change_settings
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify
from workflows.review.decide import decide_chain, version_of
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    return make_fast()


def boxes() -> list[tuple[list[int], str]]:
    rows = Box.objects.order_by("judgment_id", "ordinal")
    return [([row.left, row.top, row.right, row.bottom], str(row.state)) for row in rows]


def differences() -> list[str]:
    return verify(list(ImageWork.objects.values_list("pk", flat=True)))


def shown_to_somebody(batch: Batch) -> dict[str, Any]:
    """Return the page of a new worker, who gives it back."""
    page = claim_page(make_worker(batch.project))
    shown = shown_page(page, now=NOW)
    return_page(worker_id=page.worker_id, assignment_id=page.pk)
    return shown


def question(batch: Batch) -> dict[str, Any]:
    """Return what a page shows of its only item."""
    (item,) = shown_to_somebody(batch)["items"]
    found: dict[str, Any] = item["question"]
    return found


@pytest.mark.both_databases
def test_all_boxes_of_one_answer_are_shown_and_judged_together_but_each_by_itself(batch: Batch) -> None:
    answer(batch, drawn(ONE, TWO))
    assert boxes() == [(ONE, "proposed"), (TWO, "proposed")]
    shown = question(batch)
    assert (shown["boxes"], shown["new_boxes"]) == ([], [ONE, TWO])
    for _ in range(2):
        answer(batch, said("good", "loose"))
    assert boxes() == [(ONE, "accepted"), (TWO, "rejected")]
    assert question(batch)["boxes"] == [ONE]
    answer(batch, drawn(THREE))
    shown = question(batch)
    assert (shown["boxes"], shown["new_boxes"]) == ([ONE], [THREE])
    answer(batch, said("good"))
    assert boxes() == [(ONE, "accepted"), (TWO, "rejected"), (THREE, "accepted")]
    assert Chain.objects.get().state == "done"
    assert ImageWork.objects.get().state == "done"
    assert differences() == []


@pytest.mark.both_databases
def test_whoever_draws_sees_where_those_who_checked_before_miss_something(batch: Batch) -> None:
    assert question(batch)["points"] == []
    answer(batch, drawn(ONE))
    assert "points" not in question(batch)
    for point in ([250, 60], None, [250, 60]):
        answer(batch, said("good", missing=True, point=point))
        if Chain.objects.get().state == "boxes":
            break
    assert question(batch)["points"] == [[250, 60]], "each place once"
    answer(batch, drawn(TWO))
    for _ in range(2):
        answer(batch, said("good", missing=True, point=[450, 40]))
    shown = question(batch)
    assert (shown["boxes"], shown["points"]) == ([ONE, TWO], [[450, 40]]), "those from before were looked at"


@pytest.mark.parametrize("preset", ["good", "none"])
def test_a_check_says_what_new_boxes_begin_as(preset: str) -> None:
    batch = make_fast(check={"preset": preset})
    assert "check" not in shown_to_somebody(batch)
    answer(batch, drawn(ONE))
    assert shown_to_somebody(batch)["check"] == {"preset": preset}


def test_whoever_drew_does_not_check_unless_nobody_else_does_for_long(batch: Batch) -> None:
    author = answer(batch, drawn(ONE))
    assert claim_maybe(author) is None
    settings = parse_settings({**batch.settings, "author_after_hours": 0})
    change_settings(batch=batch, settings=settings)
    assert claim_maybe(author) is not None


def test_without_a_box_the_answer_counts_at_requirement(batch: Batch) -> None:
    drawer = answer(batch, {"none": "scene"})
    item = Item.objects.get(state="open")
    assert (item.stage, item.counted.worker, item.author) == ("requirement", drawer, drawer)  # type: ignore[union-attr]
    for _ in range(3):
        answer(batch, {"requirement": "scene"})
    chain = Chain.objects.get()
    assert (chain.state, chain.flag) == ("nonvisual", "scene")
    assert differences() == []


@pytest.mark.both_databases
def test_a_batch_keeps_what_finished_chains_told_when_it_was_launched() -> None:
    """Of five finished chains of *park*, none needed a box: then one more worker who says so is enough."""
    project = make_project()
    for _ in range(5):
        make_image(project, [["park"]])
    first = make_batch(project, name="first", protocol="flickr30k-entities")
    for _ in range(2):
        worker = make_worker(project)
        while claim_maybe(worker):
            answer_page(worker, answering=lambda *_: {"requirement": "scene"})
        advance_pending(now=NOW)
    assert settings_of(first).box_heads == {}
    make_image(project, [["park"]])
    second = make_batch(project, name="second", protocol=FAST)
    assert settings_of(second).box_heads == {"park": [0, 5]}
    assert "box_heads" not in second.settings
    change_settings(batch=second, settings=replace(settings_of(second), lease_seconds=60))
    second.refresh_from_db()
    assert settings_of(second).box_heads == {"park": [0, 5]}
    answer(second, {"requirement": "scene"})
    assert Chain.objects.get(work__batch=second).state == "nonvisual"
    assert differences() == []


def test_links_are_asked_and_nobody_verifies_the_chain() -> None:
    batch = make_fast([["man"], ["man"]])
    answer(batch, {"same": True})
    assert Chain.objects.get().state == "boxes"


def test_workers_verify_chains_where_the_batch_wants_it() -> None:
    batch = make_fast([["man"], ["man"]], verify_chains=True, strategy="likely_first")
    answer(batch, {"same": True})
    assert Chain.objects.get().state == "verification"
    answer(batch, {"same": True})
    assert Chain.objects.get().state == "boxes"
    assert differences() == []


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (said("good"), "/answers/0/answer/boxes"),
        (said("good", "fine"), "/answers/0/answer/boxes[1]"),
        ({"complete": True}, "/answers/0/answer/boxes"),
    ],
)
def test_a_check_says_something_of_each_new_box(batch: Batch, given: dict[str, Any], field: str) -> None:
    answer(batch, drawn(ONE, TWO))
    with pytest.raises(SubmissionError) as refused:
        answer(batch, given)
    assert [pointer for pointer, _ in refused.value.errors] == [field]


def test_boxes_are_clipped_to_the_image_and_small_ones_refused(batch: Batch) -> None:
    with pytest.raises(SubmissionError, match="smaller than 3 pixels"):
        answer(batch, drawn(ONE, [0, 0, 2, 9]))
    worker = Worker.objects.get()
    answer(batch, drawn([-50, -50, 110, 10_000]), worker)
    ((edges, _),) = boxes()
    image = ImageWork.objects.get().image
    assert edges == [0, 0, 110, image.height]


@pytest.mark.both_databases
def test_a_check_that_is_set_aside_is_asked_again_about_the_same_boxes(batch: Batch) -> None:
    answer(batch, drawn(ONE, TWO))
    checker = answer(batch, said("good", "good"))
    assert Chain.objects.get().state == "done"
    set_aside_worker(worker_id=checker.pk, stage="check", by="ada", note="", now=NOW, unsupported_only=False)
    advance_pending(now=NOW)
    assert boxes() == [(ONE, "proposed"), (TWO, "proposed")]
    assert question(batch)["new_boxes"] == [ONE, TWO]
    for _ in range(2):
        answer(batch, said("double", "good"))
    assert boxes() == [(ONE, "rejected"), (TWO, "accepted")]
    assert Chain.objects.get().state == "done"
    assert differences() == []


def test_boxes_that_are_set_aside_leave_with_their_check(batch: Batch) -> None:
    drawer = answer(batch, drawn(ONE, TWO))
    answer(batch, said("good", "good"))
    set_aside_worker(worker_id=drawer.pk, stage="boxes", by="ada", note="", now=NOW, unsupported_only=False)
    advance_pending(now=NOW)
    assert {state for _, state in boxes()} == {"withdrawn"}
    assert Chain.objects.get().state == "boxes"
    answer(batch, drawn(THREE))
    answer(batch, said("good"))
    assert [state for _, state in boxes()] == ["withdrawn", "withdrawn", "accepted"]
    assert differences() == []


def test_a_researchers_boxes_can_be_checked_for_what_is_missing(batch: Batch) -> None:
    answer(batch, drawn(ONE, TWO))
    for _ in range(2):
        answer(batch, said("good", "loose"))
    chain = Chain.objects.get()
    decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="",
        now=NOW,
        state="check",
        boxes=[Box.objects.get(state="accepted").rectangle],
        version=version_of(chain.work),
    )
    shown = question(batch)
    assert (shown["boxes"], shown["new_boxes"]) == ([ONE], [])
    answer(batch, said())
    assert Chain.objects.get().state == "done"
    assert differences() == []


def test_an_exported_box_rests_on_whoever_drew_it_and_on_all_who_checked_it(batch: Batch) -> None:
    answer(batch, drawn(ONE, TWO, THREE))
    for _ in range(2):
        answer(batch, said("double", "good", "good"))
    by, *checks = Judgment.objects.order_by("pk").values_list("pk", flat=True)
    image = ImageWork.objects.get().image_id
    (chain,) = Crowd(batch=None, unfinished=False).chains([image], LeftOut())[image]
    assert [list(box.box.edges) for box in chain.boxes] == [TWO, THREE]
    assert [box.judgments for box in chain.boxes] == [(by, *checks)] * 2
    assert chain.judgments == checks, "they also say that nothing is missing"


def test_an_export_says_which_protocol_its_images_were_annotated_by(batch: Batch, tmp_path: Path) -> None:
    answer(batch, drawn(ONE))
    answer(batch, said("good"))
    other = make_image(batch.project, [["man"]])
    of_paper = make_batch(batch.project, name="other", regime="open")
    for _ in range(4):  # drawing, quality, and coverage twice
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    assert ImageWork.objects.get(image=other, batch=of_paper).state == "done"
    manifest = export_dataset(project=batch.project, format="jsonl", out=tmp_path / "out")
    assert manifest.to_json()["protocols"] == {"entities-fast": 1, "flickr30k-entities": 1}


@pytest.mark.both_databases
def test_the_stored_state_is_a_fold_whatever_workers_say_and_whoever_is_set_aside() -> None:
    rng = random.Random(16)
    project = make_project()
    for _ in range(3):
        make_random_image(project, rng)
    batch = make_batch(project, protocol=FAST)
    workers = [make_worker(project) for _ in range(8)]
    for step in range(400):
        page = claim_maybe(rng.choice(workers), now=NOW)
        if page is not None:
            submit_page(page.assignment, answering=unsteady(rng))
        if step % 3 == 0:
            advance_pending(now=NOW)
        if step == 60:
            assert differences() == []
            for stage in ("boxes", "check"):
                worker = rng.choice(workers)
                set_aside_worker(
                    worker_id=worker.pk, stage=stage, by="ada", note="", now=NOW, unsupported_only=False
                )
        if not Item.objects.filter(batch=batch, state="open").exists():
            break
    else:
        raise AssertionError("the work does not end")
    advance_pending(now=NOW)
    assert differences() == []
    drawn_by = {
        (item, worker): stage
        for item, stage, worker in Judgment.objects.values_list("item", "item__stage", "worker")
    }
    checks = Item.objects.filter(stage="check", author__isnull=False).values_list("pk", "author")
    assert checks
    assert not [check for check in checks if check in drawn_by], "nobody checks what they drew"
    assert Box.objects.filter(ordinal__gt=0, state="accepted").exists()

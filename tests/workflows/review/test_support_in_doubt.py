"""Bad answers do not hold each other up: only workers in good standing support a judgment."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from annotation.models import Box, Decision, Judgment, Standing, Worker
from tests.factories import (
    NOW,
    Answering,
    answer_page,
    make_batch,
    make_image,
    make_project,
    make_worker,
    willing,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.threads import at_once
from workflows.pipeline.advance import advance_pending
from workflows.quality.standings import restore_worker
from workflows.review.set_aside import reinstate, set_aside_worker, set_aside_workers
from workflows.review.set_aside_preview import preview_set_aside
from workflows.workers.doubt import doubt_in
from workflows.workers.enrolment import block_worker, unblock_worker

pytestmark = pytest.mark.django_db


def drawn_and_called_good(images: int = 1) -> tuple[Worker, Worker]:
    """Return who drew a box on each image, and who said that the boxes are good."""
    project = make_project()
    for _ in range(images):
        make_image(project, [["man"]])
    make_batch(project, items_a_page={"drawing": images, "quality": images})
    drawer, judge = make_worker(project), make_worker(project)
    _answer(drawer, "drawing")
    _answer(judge, "quality")
    return drawer, judge


def _answer(worker: Worker, stage: str, answering: Answering = willing) -> None:
    answer_page(worker, stage=stage, answering=answering)
    advance_pending(now=NOW)


def _lose(worker: Worker, stage: str) -> None:
    Standing.objects.create(worker=worker, stage=stage, state="lost", changed_at=NOW)


def aside(*workers: Worker, stage: str = "drawing") -> list[Decision]:
    ids = [worker.pk for worker in workers]
    made = set_aside_workers(workers=ids, stages=[stage], by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    return made


def test_somebody_in_good_standing_keeps_a_judgment() -> None:
    drawer, judge = drawn_and_called_good()
    said = preview_set_aside(workers=[drawer.pk], stages=["drawing"])
    assert (said.judgments, said.kept) == (0, 1)
    assert [(one.worker_id, one.judgments, one.kept) for one in said.supporters] == [(judge.pk, 1, 1)]
    assert aside(drawer) == []


def test_a_blocked_worker_keeps_none() -> None:
    drawer, judge = drawn_and_called_good()
    block_worker(worker_id=judge.pk, by="ada", note="", now=NOW)
    said = preview_set_aside(workers=[drawer.pk], stages=["drawing"])
    assert [(one.worker_id, one.judgments, one.kept) for one in said.supporters] == [(judge.pk, 1, 0)]
    unblock_worker(worker_id=judge.pk, by="ada", note="", now=NOW)
    assert aside(drawer) == []
    block_worker(worker_id=judge.pk, by="ada", note="", now=NOW)
    (decision,) = aside(drawer)
    assert len(decision.content["judgments"]) == 1
    assert Box.objects.get().state == Box.State.WITHDRAWN


@pytest.mark.parametrize(("stage", "number"), [("quality", 1), ("coverage", 0)])
def test_who_lost_trust_in_the_stage_keeps_none(stage: str, number: int) -> None:
    drawer, judge = drawn_and_called_good()
    _lose(judge, stage)
    assert preview_set_aside(workers=[drawer.pk], stages=["drawing"]).judgments == number


def test_two_who_are_set_aside_together_do_not_hold_each_other_up() -> None:
    drawer, judge = drawn_and_called_good(3)
    made = set_aside_workers(
        workers=[judge.pk, drawer.pk], stages=["drawing", "quality"], by="ada", note="", now=NOW
    )
    assert {(one.worker_id, one.stage) for one in made} == {
        (drawer.pk, "drawing"),
        (judge.pk, "quality"),
    }
    advance_pending(now=NOW)
    assert not Judgment.objects.filter(item__isnull=False, set_aside=None).exists()
    check_promises(drawer.project)
    check_rules(drawer.project)


def test_who_is_set_aside_later_does_not_hold_up_what_was_kept_earlier() -> None:
    """The reproduction of issue 14: drawings were kept because somebody said the same who was also bad."""
    drawer, judge = drawn_and_called_good(2)
    other = make_worker(drawer.project)
    image = make_image(drawer.project, [["man"]])
    make_batch(drawer.project, name="second", items_a_page={"drawing": 1, "quality": 1})
    _answer(drawer, "drawing")
    _answer(other, "quality", lambda *_: {"good": False})
    (first,) = aside(drawer)
    assert Judgment.objects.get(set_aside=first, item__work__image=image).worker == drawer
    assert Judgment.objects.filter(set_aside=first).count() == 1
    said = preview_set_aside(workers=[judge.pk], stages=["quality"])
    assert said.leaning == ((drawer.pk, 2),)
    assert said.judgments == 4, "two that say good, and the two boxes of which they say so"
    (second,) = aside(judge, stage="quality")
    assert sorted(second.content["leaning"]) == sorted(
        Judgment.objects.filter(worker=drawer, set_aside=second).values_list("pk", flat=True)
    )
    assert not Judgment.objects.filter(worker=drawer, set_aside=None).exists()
    assert not Box.objects.exclude(state=Box.State.WITHDRAWN).exists()
    check_rules(drawer.project)
    reinstate(decision_id=second.pk, by="ada", note="", now=NOW)
    advance_pending(now=NOW)
    assert Judgment.objects.filter(worker=drawer, set_aside=None).count() == 2
    check_rules(drawer.project)


def test_what_a_researcher_let_count_again_does_not_lean() -> None:
    drawer, judge = drawn_and_called_good()
    ada: dict[str, Any] = {"by": "ada", "note": "", "now": NOW}
    whole = set_aside_worker(worker_id=drawer.pk, stage="drawing", unsupported_only=False, **ada)
    assert whole is not None
    reinstate(decision_id=whole.pk, **ada)
    advance_pending(now=NOW)
    drawn = Judgment.objects.get(worker=drawer)
    Decision.objects.create(
        project=drawer.project,
        kind="set-aside",
        worker=drawer,
        stage="drawing",
        content={"judgments": [], "unsupported_only": True},
        by="ada",
        created_at=NOW,
    )
    assert preview_set_aside(workers=[judge.pk], stages=["quality"]).leaning == ()
    aside(judge, stage="quality")
    drawn.refresh_from_db()
    assert drawn.set_aside is None


def test_who_was_restored_or_let_count_again_is_in_good_standing() -> None:
    drawer, judge = drawn_and_called_good()
    (decision,) = aside(judge, stage="quality")
    assert doubt_in(judge.project_id).includes(judge.pk, "quality")
    assert not doubt_in(judge.project_id).includes(judge.pk, "drawing")
    reinstate(decision_id=decision.pk, by="ada", note="", now=NOW)
    assert not doubt_in(judge.project_id).includes(judge.pk, "quality")
    aside(judge, stage="quality")
    _lose(judge, "quality")
    restore_worker(worker_id=judge.pk, stage="quality", by="ada", note="", now=NOW)
    assert not doubt_in(judge.project_id).includes(judge.pk, "quality")
    assert not doubt_in(drawer.project_id).includes(drawer.pk, "drawing")


def test_workers_of_two_projects_are_refused() -> None:
    (drawer, _), (stranger, _) = drawn_and_called_good(), drawn_and_called_good()
    with pytest.raises(ValueError, match="one project"):
        aside(drawer, stranger)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_researchers_at_once_set_aside_once() -> None:
    drawer, judge = drawn_and_called_good(2)
    act = partial(
        set_aside_workers,
        workers=[drawer.pk, judge.pk],
        stages=["drawing", "quality"],
        by="ada",
        note="",
        now=NOW,
    )
    made = [decision for found in at_once([act] * 2) for decision in found]
    assert len(made) == 2
    assert Judgment.objects.filter(set_aside__isnull=False).count() == 4

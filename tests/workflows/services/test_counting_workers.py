"""Workers are counted again when what became of their answers changed, though they gave no others."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.factories import NOW, Answering, answer_page, make_at_stage, make_worker
from workflows.counting import reached
from workflows.models import WorkerFigures
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.review.set_aside import set_aside_worker
from workflows.services.counting import count_due

pytestmark = pytest.mark.django_db


def count_at(time: datetime) -> int:
    return count_due(clock=lambda: time)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_who_drew_boxes_is_counted_again_when_they_were_judged() -> None:
    batch = make_at_stage("drawing")
    drawer = make_worker(batch.project)
    answer_page(drawer, stage="drawing", now=later(80))
    advance_pending(now=later(81))
    count_at(later(90))
    assert WorkerFigures.objects.get(worker=drawer).agreement is None
    answer_page(make_worker(batch.project), stage="quality", now=later(300))
    count_at(later(301))
    assert WorkerFigures.objects.get(worker=drawer).agreement is None
    advance_pending(now=later(500))
    count_at(later(501))
    assert WorkerFigures.objects.get(worker=drawer).agreement == 1
    # Once more for what may have been committed late, and then not again.
    for seconds in (600, 900):
        count_at(later(seconds))
    assert WorkerFigures.objects.get(worker=drawer).counted_at == later(600)


def test_who_answered_is_counted_again_when_others_answer_or_their_answers_are_set_aside() -> None:
    batch = make_at_stage("requirement")
    first, second = make_worker(batch.project), make_worker(batch.project)

    def says(answer: str) -> Answering:
        return lambda stage, question: {"requirement": answer}

    answer_page(first, stage="requirement", answering=says("scene"), now=later(80))
    advance_pending(now=later(81))
    count_at(later(90))
    assert WorkerFigures.objects.get(worker=first).agreement is None
    answer_page(second, stage="requirement", answering=says("scene"), now=later(300))
    advance_pending(now=later(301))
    count_at(later(302))
    assert WorkerFigures.objects.get(worker=first).agreement == 1
    set_aside_worker(
        worker_id=second.pk, stage="requirement", by="ada", note="", now=later(500), unsupported_only=False
    )
    advance_pending(now=later(501))
    count_at(later(502))
    found = WorkerFigures.objects.get(worker=first)
    assert (found.counted_at, found.agreement) == (later(502), None)


def test_rows_are_looked_through_so_many_at_a_time_and_none_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reached, "ROWS", 2)
    batch = make_at_stage("drawing")
    drawer = make_worker(batch.project)
    answer_page(drawer, stage="drawing")
    advance_pending(now=NOW)
    WorkerFigures.objects.create(worker=drawer, project=batch.project, counted_at=NOW)
    answer_page(make_worker(batch.project), stage="quality", now=later(200))
    advance_pending(now=later(201))
    marks: dict[str, int] = {}
    WorkerFigures.objects.update(counted_at=later(120))
    found = []
    for _ in range(Transition.objects.count()):
        workers, marks = reached.reached_workers(batch.project_id, marks, later(300))
        found += sorted(workers)
    assert found == [drawer.pk]
    assert marks == reached.newest_marks(later(300))

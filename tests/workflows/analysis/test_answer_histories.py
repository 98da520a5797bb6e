"""Answers to verification questions, as a worker's history of accuracy reads them."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Judgment, Worker
from tests.factories import NOW, answer_page, make_controlled, make_worker
from workflows.analysis.answer_histories import answers_by_stage
from workflows.analysis.counts.workers import count_workers
from workflows.questions.domain.retirement import VOID

pytestmark = pytest.mark.django_db


def test_answers_come_by_stage_and_add_up_to_the_figures(django_assert_num_queries: Any) -> None:
    batch = make_controlled("quality", "trusted")
    workers = [make_worker(batch.project).pk for _ in range(2)]
    for pk, pages in zip(workers, (2, 1), strict=True):
        for _ in range(pages):
            answer_page(Worker.objects.get(pk=pk), stage="quality")
    given = Judgment.objects.filter(worker=workers[0], question__isnull=False).order_by("pk")
    voided, regraded, *others = given
    assert voided.question is not None
    voided.question.retired = VOID
    voided.question.save()
    Judgment.objects.filter(pk=regraded.pk).update(regraded=not regraded.correct)
    with django_assert_num_queries(1):
        found = answers_by_stage(workers)
    first, second = (found[pk]["quality"] for pk in workers)
    assert [one.right for one in first] == [not regraded.correct, *(one.correct for one in others)]
    for pk, own in zip(workers, (first, second), strict=True):
        (counted,) = count_workers(batch.project_id, [pk], NOW)
        assert (counted.questions, counted.right) == (len(own), sum(one.right for one in own))
    assert len(first) > len(second) > 0


def test_a_worker_without_answers_has_none() -> None:
    worker = make_worker(make_controlled("quality", "trusted").project)
    assert answers_by_stage([worker.pk]) == {worker.pk: {}}

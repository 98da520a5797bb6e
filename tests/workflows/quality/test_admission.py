from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Batch, Worker
from tests.factories import NOW, make_worker
from tests.workflows.qualification.tested_workers import in_the_test, make_tested, take
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.quality.admission import Admission, admissions, settings_of_test

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def link(batch: Batch, worker: Worker, now: Any = NOW) -> tuple[Admission, Any]:
    return admissions(worker_id=worker.pk, settings=settings_of(batch), stages=["link"], now=now)["link"]


def test_nobody_is_admitted_before_the_test_is_passed() -> None:
    batch = make_tested(tries=2)
    worker = make_worker(batch.project)
    assert link(batch, worker) == (Admission.TEST, None)
    in_the_test(worker)
    assert link(batch, worker) == (Admission.TEST, None)
    take(worker, right=0)
    assert link(batch, worker) == (Admission.WAITING, NOW + DAY)
    assert link(batch, worker, NOW + DAY) == (Admission.TEST, None)
    take(worker, right=0, now=NOW + DAY)
    assert link(batch, worker, NOW + 9 * DAY) == (Admission.CLOSED, None)


def test_who_passed_is_admitted() -> None:
    batch = make_tested()
    worker = make_worker(batch.project)
    take(worker)
    assert link(batch, worker) == (Admission.ADMITTED, None)


def test_figures_below_the_thresholds_admit_nobody_who_passed_either() -> None:
    batch = make_tested()
    worker = make_worker(batch.project)
    take(worker)
    worker.completed = 499
    worker.save()
    assert link(batch, worker) == (Admission.FIGURES, None)


def test_where_the_batch_asks_for_no_test_the_figures_are_enough() -> None:
    batch = make_tested(test=0, training=0)
    batch.settings = parse_settings({"screening": {"test": False}}).to_json()
    assert link(batch, make_worker(batch.project)) == (Admission.ADMITTED, None)


def test_a_stage_where_everybodys_judgments_count_is_not_screened() -> None:
    batch = make_tested("quality")
    worker = make_worker(batch.project)
    worker.completed = 0
    worker.save()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert link(batch, worker) == (Admission.ADMITTED, None)
    assert len(queries) == 0


def test_all_stages_are_told_in_three_queries() -> None:
    batch = make_tested()
    worker = make_worker(batch.project)
    take(worker, right=0)
    settings = parse_settings({})
    with CaptureQueriesContext(connection) as queries:
        said = admissions(worker_id=worker.pk, settings=settings, stages=list(settings.regime), now=NOW)
    assert len(queries) == 3
    assert {stage for stage, (admission, _) in said.items() if admission == Admission.TEST} == {
        *settings.regime
    } - {"link"}


def test_a_test_goes_by_the_batch_that_lets_the_worker_in() -> None:
    strict, lax = make_tested(completed=1000), make_tested(completed=10)
    lax.project_id, lax.name = strict.project_id, "lax"
    lax.save()
    worker = make_worker(strict.project)
    terms = settings_of_test(worker_id=worker.pk, stage="link")
    assert terms is not None
    assert terms.screening.completed == 1000, "the oldest"
    worker.completed = 50
    worker.save()
    terms = settings_of_test(worker_id=worker.pk, stage="link")
    assert terms is not None
    assert terms.screening.completed == 10
    assert settings_of_test(worker_id=worker.pk, stage="quality") is None

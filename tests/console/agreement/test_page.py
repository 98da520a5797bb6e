"""The page of agreement: figures of stages, workers and questions, with the outliers first."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch
from tests.factories import NOW, answer_page, claim_page, make_controlled, make_worker
from tests.workflows.quality.answered_pages import answer
from workflows.analysis.dataset_statistics import AGREEMENT, keep_statistics, want_statistics
from workflows.analysis.models import KeptCounts
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


def answered() -> Batch:
    """Let six workers answer the same ten questions, one of them all wrong."""
    batch = make_controlled(
        "link", "trusted", questions=10, items_a_page={"link": 10}, control={"entrance": 10}
    )
    for _ in range(5):
        answer_page(make_worker(batch.project), stage="link")
    held = claim_page(make_worker(batch.project, "careless"), stage="link")
    answer(held, wrong=10)
    return batch


def address(batch: Batch, query: str = "") -> str:
    return reverse("agreement:project", args=[batch.project_id]) + query


def test_a_count_is_asked_for_and_shown(
    reviewer: Client, eager_tasks: None, django_assert_max_num_queries: Any
) -> None:
    batch = answered()
    assert "Nothing was counted yet" in reviewer.get(address(batch)).content.decode()
    reviewer.post(address(batch))
    with django_assert_max_num_queries(30):
        reply = reviewer.get(address(batch))
    report = reply.context["report"]
    link = report.stages[0]
    assert (link.id, link.items, link.judgments, link.answered) == ("link", 10, 60, 60)
    assert link.right.says == "0.83"
    first, second, *_ = report.workers
    assert first.name == "careless" and first.outlier and not second.outlier
    assert first.agreement.says == "0.00"
    assert len(report.questions) == 10 and report.questions[0].right.says == "0.83"
    assert report.questions[0].agreement == "0.67"
    assert "outlier" in reply.content.decode() and " to " in first.agreement.interval
    assert AuditEntry.objects.get(action="figures.recount").by == "rita"


def test_figures_are_those_of_the_command(reviewer: Client) -> None:
    batch = answered()
    want_statistics(project=batch.project, source=AGREEMENT, batch=None, now=NOW)
    keep_statistics(project_id=batch.project_id, source=AGREEMENT, batch_id=None, clock=lambda: NOW)
    kept = KeptCounts.objects.get(kind="agreement").data["figures"]["stages"][0]
    # Of the 15 pairs of six workers, the 10 among the five agree, and none with the sixth.
    assert kept["figures"]["percent"]["value"] == pytest.approx(10 / 15)
    assert kept["right"]["value"] == pytest.approx(50 / 60)


def test_one_stage_and_one_batch_can_be_chosen(viewer: Client) -> None:
    batch = answered()
    for of in (None, batch):
        want_statistics(project=batch.project, source=AGREEMENT, batch=of, now=NOW)
        keep_statistics(
            project_id=batch.project_id, source=AGREEMENT, batch_id=of.pk if of else None, clock=lambda: NOW
        )
    found = viewer.get(address(batch, f"?batch={batch.pk}&stage=link")).context["report"]
    assert found.workers and found.questions
    none = viewer.get(address(batch, "?stage=drawing")).context["report"]
    assert not none.workers and not none.questions
    assert viewer.get(address(batch, "?stage=x")).status_code == 404
    assert viewer.post(address(batch)).status_code == 403


def test_agreement_is_no_data_set(viewer: Client) -> None:
    batch = answered()
    url = reverse("statistics:project", args=[batch.project_id])
    assert viewer.get(f"{url}?source=agreement").status_code == 404

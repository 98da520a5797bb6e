"""What a batch's dashboard says of its suggestions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Case, SuggestionStop, Worker
from console.dashboards import suggestions as section
from console.dashboards.suggestions import stops, suggestions
from tests.console.dashboards.kept_rows import keep
from tests.entities_fast import ONE, answer, drawn, make_fast
from tests.factories import NOW, claim_maybe, make_worker
from tests.suggesting_models import make_suggesting
from workflows.analysis.domain.kept_counts import (
    BadAccepted,
    ByScore,
    Suggestions,
    WithSuggestions,
)
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


def counted(worker: int) -> Suggestions:
    return Suggestions(
        with_them=WithSuggestions(
            900, (20.6, 18.3, 22.9), (1.5, 1.25, 1.75), (0.897, 0.875, 0.92), (0.2, 0.1, 0.3)
        ),
        without=WithSuggestions(
            100, (26.0, None, None), (1.0, 0.9, 1.1), (1.0, 0.95, 1.0), (0.25, 0.2, 0.3), (0.125, 0.0, 0.25)
        ),
        by_score=(ByScore(0.0, 30, 3, 6, 3, 0), ByScore(0.5, 80, 60, 8, 50, 45)),
        bad=BadAccepted(18, 3, (1 / 6, 0.036, 0.414)),
        bad_of_workers=((worker, BadAccepted(2, 1, (0.5, 0.013, 0.987))),),
        workers=3,
    )


def shown(client: Client, batch: Batch) -> str:
    return client.get(reverse("dashboards:batch", args=[batch.pk])).content.decode()


def test_figures_with_and_without_suggestions_have_their_intervals() -> None:
    batch = make_suggesting()
    made = suggestions(counted(make_worker(batch.project, "ann").pk))
    told = {chart.title: [row[1:] for row in chart.rows] for chart in made.charts}
    assert told["Median seconds of an answer"] == [("20.60 s (18.30 to 22.90 s)",), ("26.00 s",)]
    assert told["Judged boxes that are good"] == [("89.7% (87.5 to 92.0%)",), ("100.0% (95.0 to 100.0%)",)]
    assert told["Chains where a check missed a box"] == [("–",), ("12.5% (0.0 to 25.0%)",)]
    assert made.charts[-1].rows == (
        ("0.0 to 0.5: 30", "10.0%", "20.0%", "0.0%", "25.0%"),
        ("0.5 to 1.0: 80", "75.0%", "10.0%", "90.0%", "75.0%"),
    )
    assert made.rows == [
        ("all workers", "18", "3", "16.7%", "3.6% to 41.4%"),
        ("ann", "2", "1", "50.0%", "1.3% to 98.7%"),
    ]
    assert "900 answers about photographs with suggestions and 100" in made.note
    assert "2 more workers, who accepted fewer" in made.note and "newest" not in made.note


def test_the_note_says_what_limits_the_figures() -> None:
    many = suggestions(Suggestions(with_them=WithSuggestions(5000))).note
    assert "newest 5,000" in many and "nothing can be compared" in many
    assert suggestions(None).note == "Not counted yet."
    assert suggestions(Suggestions()).note == "No first boxes were drawn yet."


def test_only_a_batch_with_a_set_says_what_suggestions_do(viewer: Client) -> None:
    batch, other = make_suggesting(), make_fast()
    for one in (batch, other):
        keep(one.project, one, suggestions=counted(make_worker(one.project).pk))
    page = shown(viewer, batch)
    assert "What suggestions do" in page and 'id="suggestions"' in page
    part = page[page.index('id="suggestions"') :]
    assert part.count('class="span"') == 8, "each interval is drawn"
    tables = re.findall(r'aria-label="([^"]+): the numbers"', part)
    assert "Median seconds of an answer" in tables and "Suggestions shown, by their score" in tables
    assert "What suggestions do" not in shown(viewer, other)


def stopped(of: Batch, reason: str, **more: Any) -> SuggestionStop:
    case = Case.objects.create(project=of.project, reason="suggestions", stage="boxes", opened_at=NOW)
    figures = {"shown": 120, "accepted": 90, "low": 0.66, "limit": 0.35, "workers": 9}
    about = {"worker": None, "batch": None, **more}
    return SuggestionStop.objects.create(reason=reason, figures=figures, case=case, created_at=NOW, **about)


def test_the_page_says_who_is_shown_none_and_why_and_a_reviewer_decides_otherwise(
    reviewer: Client, viewer: Client
) -> None:
    batch = make_suggesting()
    answer(batch, drawn(ONE))
    worker = Worker.objects.get()
    stop = stopped(batch, "crowd", batch=batch)
    stopped(batch, "worker", worker=worker)
    page = " ".join(shown(reviewer, batch).split())
    assert "Nobody in this batch is shown suggestions any more" in page
    assert "9 workers together accepted 90 of 120 bad suggestions on known images" in page
    assert f"Worker {worker.external_id} is not shown suggestions any more" in page
    assert "Show them again" in page and "Show them again" not in shown(viewer, batch)
    address = reverse("suggestions:resume", args=[batch.pk])
    assert viewer.post(address, {"stop": stop.pk, "note": "fine"}).status_code == 403
    refused = reviewer.post(address, {"stop": stop.pk, "note": " "}, follow=True).content.decode()
    assert "must say why suggestions are shown again" in refused
    done = reviewer.post(address, {"stop": stop.pk, "note": "they are fine"}, follow=True).content.decode()
    assert "show suggestions again" in done and "they are fine" in done
    assert "Workers of this batch are shown suggestions again, by" in " ".join(done.split())
    assert AuditEntry.objects.get(action="suggestions.resume").object == batch.name
    again = reviewer.post(address, {"stop": stop.pk, "note": "once more"}, follow=True).content.decode()
    assert "somebody has decided this before" in again
    other = reverse("suggestions:resume", args=[make_suggesting().pk])
    for wrong in ({"stop": stop.pk, "note": "fine"}, {"stop": "x", "note": "fine"}):
        assert "not switched off like this here" in reviewer.post(other, wrong, follow=True).content.decode()


def test_many_stops_are_listed_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "MAX_STOPS", 2)
    batch = make_suggesting(images=3, items_a_page={"boxes": 1})
    for _ in range(3):
        worker = make_worker(batch.project)
        assert claim_maybe(worker, stage="boxes")
        stopped(batch, "worker", worker=worker)
    found = stops(batch)
    assert (len(found.hold), len(found.past), found.more) == (2, 0, 1)


def test_the_figures_cost_the_page_one_query(django_assert_num_queries: Any) -> None:
    batch = make_suggesting()
    found = counted(make_worker(batch.project).pk)
    with django_assert_num_queries(1):
        suggestions(found)
    with django_assert_num_queries(0):
        suggestions(None)

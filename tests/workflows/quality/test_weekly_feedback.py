from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from annotation.models import Assignment, Worker
from tests.factories import NOW, answer_page, make_controlled, make_worker, willing
from tests.workflows.http import Api
from workflows.quality.weekly_feedback import weekly_feedback

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
"""The week with NOW is over then."""


def worker_of(regime: str = "verification", **settings: Any) -> Worker:
    """Make a worker who answered a page with 40 verification questions, and every tenth entry wrong."""
    given = {"control": {"verification_share": 0.5}, "items_a_page": {"link": 80}, "weekly_feedback": True}
    batch = make_controlled("link", regime, images=50, questions=80, **given | settings)
    worker, numbers = make_worker(batch.project), count()
    answer_page(
        worker,
        stage="link",
        answering=lambda stage, question: (
            {"same": False} if next(numbers) % 10 == 0 else willing(stage, question)
        ),
    )
    return worker


def test_a_week_is_told_once_it_is_over() -> None:
    worker = worker_of()
    page = Assignment.objects.get()
    assert page.asked == 40 and page.items
    assert weekly_feedback(worker_id=worker.pk, now=NOW) == []
    percent = 10 * int(10 * page.right / page.asked + 0.5)
    told = [(MONDAY - timedelta(weeks=1), percent)]
    assert percent >= 80 and weekly_feedback(worker_id=worker.pk, now=MONDAY) == told
    # What is done later belongs to another week, and changes nothing.
    answer_page(worker, stage="link", now=MONDAY)
    assert weekly_feedback(worker_id=worker.pk, now=MONDAY + timedelta(days=6)) == told
    assert weekly_feedback(worker_id=worker.pk, now=MONDAY + timedelta(weeks=5)) == []
    other = make_worker(worker.project)
    assert weekly_feedback(worker_id=other.pk, now=MONDAY) == []


@pytest.mark.parametrize(
    ("regime", "settings"), [("verification", {"weekly_feedback": False}), ("trusted", {})]
)
def test_nothing_is_told_of_batches_without_the_setting_and_of_entrances(
    regime: str, settings: dict[str, Any]
) -> None:
    worker = worker_of(regime, **settings)
    assert Assignment.objects.get().asked >= 30
    assert weekly_feedback(worker_id=worker.pk, now=MONDAY) == []


def test_a_page_with_room_for_a_question_alone_is_no_entrance() -> None:
    worker = worker_of()
    Assignment.objects.update(items=[])
    assert weekly_feedback(worker_id=worker.pk, now=MONDAY) != []


def test_the_account_has_the_weeks(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = worker_of()
    assert Api(worker).get("me").json()["weeks"] == []
    monkeypatch.setattr("workflows.api.views.timezone.now", lambda: MONDAY)
    [week] = Api(worker).get("me").json()["weeks"]
    assert week["begins"] == str(date(2026, 2, 23)) and week["right_percent"] % 10 == 0

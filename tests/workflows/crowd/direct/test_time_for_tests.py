"""docs/money.md, "Time for tests": who passes a qualification test is paid for it once."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from annotation.models import Batch, QualificationTry
from tests.factories import NOW, make_worker
from tests.workflows.qualification.tested_workers import make_tested, take
from tests.workflows.threads import at_once
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.crowd.models import Problem
from workflows.crowd.payments.book_check import verify_books
from workflows.money.ledger import set_cap
from workflows.money.models import Earned, LedgerEntry, LedgerLine

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def paying(**more: Any) -> Batch:
    batch = make_tested(paid="always")
    settings = {**batch.settings, "reward": {"link": 5}, "items_a_page": {"link": 10}, **more}
    batch.settings = parse_settings(settings).to_json()
    batch.save()
    return batch


def post() -> None:
    post_earnings(clock=lambda: NOW)


def bonuses() -> list[int]:
    lines = LedgerLine.objects.filter(account="bonuses", entry__token__startswith="earn:test:")
    return list(lines.values_list("amount", flat=True))


def test_who_passes_is_owed_once_as_much_as_the_questions_would_pay_as_work() -> None:
    batch = paying()
    held = take(make_worker(batch.project))
    assert (held.bonus, held.currency, held.batch_id, held.owed) == (3, "USD", batch.pk, True)  # 6 of 10: 3.0
    post()
    post()
    assert bonuses() == [3]
    held.refresh_from_db()
    assert not held.owed
    assert Earned.objects.get().earned == 3
    assert verify_books() == []


def test_who_fails_gets_nothing_and_neither_does_anybody_where_tests_are_not_paid() -> None:
    take(make_worker(paying().project), right=1)
    take(make_worker(make_tested().project))
    post()
    assert bonuses() == []


def test_many_at_once_pay_once() -> None:
    batch = paying()
    for _ in range(3):
        take(make_worker(batch.project))
    at_once([post] * 6)
    assert bonuses() == [3, 3, 3]
    assert LedgerEntry.objects.filter(token__startswith="earn:test:").count() == 3
    assert verify_books() == []


def test_a_second_try_of_the_same_stage_is_not_paid_again() -> None:
    """Whatever marks a try as owed: the ledger has one entry for a worker and a stage."""
    batch = paying()
    held = take(make_worker(batch.project))
    post()
    QualificationTry.objects.filter(pk=held.pk).update(owed=True)
    at_once([partial(post)] * 2)
    assert bonuses() == [3]


def test_a_bonus_waits_for_room_under_the_cap() -> None:
    batch = paying(crowd={"cap": 2})
    take(make_worker(batch.project))
    post()
    assert bonuses() == []
    assert Problem.objects.filter(kind="unpaid", closed_at=None, batch=batch).count() == 1
    set_cap(batch_id=batch.pk, cap=100, currency="USD")
    post()
    assert bonuses() == [3]
    assert not Problem.objects.filter(kind="unpaid", closed_at=None).exists()

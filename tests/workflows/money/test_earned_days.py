"""The kept sums of earnings equal their entries, whoever writes these, and can be computed again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Batch, Project, Worker
from tests.workflows.threads import at_once
from workflows.core.models import AuditEntry
from workflows.crowd.payments.book_check import verify_books
from workflows.money.domain.earned import Sums, fold
from workflows.money.domain.ledger import CapError
from workflows.money.domain.payroll import Period
from workflows.money.earned_days import entries_of, kept_of, recount_earned, recount_project
from workflows.money.earnings import Earning, pay_out_earnings, record_earning, record_earnings
from workflows.money.ledger_rows import LedgerError
from workflows.money.models import Earned, LedgerEntry, LedgerLine
from workflows.money.payroll import mark_paid

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 11, 21, 22, tzinfo=UTC)
TOMORROW = NOW + timedelta(hours=3)
WEEK = Period(NOW.date(), NOW.date() + timedelta(days=6))
TOKENS = ("page:1", "top-up:1", "page:2", "part:2", "bonus:3")
MOVES = st.lists(
    st.one_of(
        st.tuples(
            st.just("earn"), st.sampled_from(TOKENS), st.integers(0, 1), st.integers(1, 9), st.integers(0, 3)
        ),
        st.tuples(st.just("pay"), st.lists(st.sampled_from(TOKENS), unique=True, max_size=3)),
        st.tuples(st.just("mark"), st.integers(0, 3)),
    ),
    max_size=14,
)


@pytest.fixture
def batch(db: None) -> Batch:
    project = Project.objects.create(name="p")
    return Batch.objects.create(project=project, name="b", settings={"currency": "USD", "crowd": {"cap": 30}})


@pytest.fixture
def workers(batch: Batch) -> list[Worker]:
    return [Worker.objects.create(project=batch.project, external_id=name) for name in "ab"]


def _move(batch: Batch, workers: list[Worker], move: tuple[Any, ...]) -> None:
    """Try a movement. If it cannot be done, it changes nothing."""
    try:
        match move:
            case ("earn", token, worker, amount, days):
                now = NOW + timedelta(days=days)
                owed = {"worker_id": workers[worker].pk, "token": token, "rewards": amount, "now": now}
                record_earning(batch_id=batch.pk, **owed)
            case ("pay", tokens):
                pay_out_earnings(batch_id=batch.pk, tokens=tokens, now=NOW + timedelta(days=9))
            case ("mark", days):
                until = Period(WEEK.first, WEEK.first + timedelta(days=days))
                mark_paid(project=batch.project, period=until, by="ann", now=NOW + timedelta(days=9))
    except (CapError, LedgerError):
        pass


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MOVES)
def test_whatever_is_earned_and_paid_the_entries_say_what_is_kept(
    batch: Batch, workers: list[Worker], moves: list[Any]
) -> None:
    with transaction.atomic():
        for move in moves:
            _move(batch, workers, move)
        assert verify_books() == []
        kept = kept_of(batch.pk)
        assert kept == fold(entries_of(batch.pk))
        lines = LedgerLine.objects.filter(entry__kind=LedgerEntry.Kind.EARN, account="payable")
        assert sum(sums.earned for sums in kept.values()) == -sum(lines.values_list("amount", flat=True))
        Earned.objects.all().delete()
        assert recount_earned(batch_id=batch.pk) == len(kept)
        assert kept_of(batch.pk) == kept
        transaction.set_rollback(True)


def test_what_the_cap_refuses_is_not_kept(batch: Batch, workers: list[Worker]) -> None:
    a, b = (one.pk for one in workers)
    both = [Earning("x", a, 20), Earning("y", b, 20), Earning("x", a, 20)]
    done, refused = record_earnings(batch_id=batch.pk, earnings=both, now=NOW)
    assert (len(done), len(refused)) == (1, 1)
    record_earnings(batch_id=batch.pk, earnings=both, now=TOMORROW)
    assert [(row.worker_id, row.day, row.earned) for row in Earned.objects.all()] == [(a, NOW.date(), 20)]


def test_a_payment_is_kept_with_the_day_on_which_it_was_earned(batch: Batch, workers: list[Worker]) -> None:
    for token, now in (("x", NOW), ("y", TOMORROW)):
        record_earning(batch_id=batch.pk, worker_id=workers[0].pk, token=token, bonuses=5, now=now)
    pay_out_earnings(batch_id=batch.pk, tokens=["y"], now=NOW + timedelta(days=40))
    assert [(row.day, row.earned, row.paid) for row in Earned.objects.order_by("day")] == [
        (NOW.date(), 5, 0),
        (TOMORROW.date(), 5, 5),
    ]


def test_the_database_refuses_more_paid_than_earned_and_a_second_row(
    batch: Batch, workers: list[Worker]
) -> None:
    record_earning(batch_id=batch.pk, worker_id=workers[0].pk, token="x", rewards=5, now=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Earned.objects.update(paid=6)
    row = Earned.objects.get()
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_what_is_wrong_is_said_and_put_right_once(batch: Batch, workers: list[Worker]) -> None:
    first, second = workers
    record_earning(batch_id=batch.pk, worker_id=first.pk, token="x", rewards=5, now=NOW)
    record_earning(batch_id=batch.pk, worker_id=first.pk, token="y", rewards=5, now=TOMORROW)
    Earned.objects.filter(day=NOW.date()).update(earned=6)
    Earned.objects.filter(day=TOMORROW.date()).update(worker=second)
    found = verify_books()
    assert len(found) == 3 and all(line.startswith(f"batch {batch.pk}: worker") for line in found)
    assert "6 earned, 0 paid, the entries say 0 pages in 0 ms, 5 earned" in found[0]
    recount = partial(recount_project, project=batch.project, by="ann", now=NOW)
    assert (recount(), recount()) == (3, 0)
    assert verify_books() == []
    entry = AuditEntry.objects.get(action="earnings.recount")
    assert (entry.by, entry.detail) == ("ann", {"days": 3})


def test_entries_that_pay_more_than_was_earned_are_not_kept(batch: Batch, workers: list[Worker]) -> None:
    record_earning(batch_id=batch.pk, worker_id=workers[0].pk, token="x", rewards=5, now=NOW)
    twice = LedgerEntry.objects.create(
        batch=batch, kind="payroll", token="payroll:x", currency="USD", worker=workers[0], created_at=NOW
    )
    LedgerLine.objects.create(entry=twice, account="payable", amount=6)
    with pytest.raises(LedgerError, match="paid more than was earned"):
        recount_earned(batch_id=batch.pk)
    assert kept_of(batch.pk).popitem()[1] == Sums(earned=5)


@pytest.mark.django_db(transaction=True)
def test_who_earns_while_others_pay_and_recount_is_kept_to_the_cent(
    batch: Batch, workers: list[Worker]
) -> None:
    batch.settings = {"currency": "USD"}
    batch.save()
    tokens = [f"old-{n}" for n in range(12)]
    old = [Earning(token, workers[n % 2].pk, 3) for n, token in enumerate(tokens)]
    record_earnings(batch_id=batch.pk, earnings=old, now=NOW)
    new = [Earning(f"new-{n}", workers[n % 2].pk, 2) for n in range(12)]
    earns = [
        partial(record_earnings, batch_id=batch.pk, earnings=new[n : n + 4], now=NOW)
        for n in (0, 2, 4, 6, 8, 0)
    ]
    marks = [partial(mark_paid, project=batch.project, period=WEEK, by="b", now=NOW + timedelta(days=9))] * 2
    pays = [partial(pay_out_earnings, batch_id=batch.pk, tokens=tokens, now=NOW)] * 2
    recounts = [partial(recount_earned, batch_id=batch.pk)] * 2
    calls: list[Any] = [*earns, *marks, *pays, *recounts]
    done = at_once(calls)
    assert sum(len(one) for one, _ in done[: len(earns)]) == 12
    assert done[-2:] == [0, 0], "nothing was ever wrong"
    assert verify_books() == []
    sums = kept_of(batch.pk)
    assert sum(one.earned for one in sums.values()) == 12 * 3 + 12 * 2
    assert sum(done[-6:-2]) == LedgerEntry.objects.filter(kind="payroll").count() >= 12

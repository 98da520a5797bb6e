"""Fifty publishers at the same moment use the cap as far as possible, and not a cent more."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import pytest

from annotation.models import Batch, Project
from tests.workflows.threads import at_once
from workflows.crowd.payments.book_check import verify_books
from workflows.money.domain.ledger import CapError, OverdrawnError
from workflows.money.ledger import commit, release, reserve, still_reserved
from workflows.money.models import Budget

NOW = datetime(2026, 11, 21, tzinfo=UTC)
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def batch() -> Batch:
    settings = {"currency": "USD", "crowd": {"provider": "mturk", "cap": 1000}}
    return Batch.objects.create(project=Project.objects.create(name="p"), name="b", settings=settings)


def _tried(move: Callable[[], bool]) -> bool | None:
    try:
        return move()
    except (CapError, OverdrawnError):
        return None


def _reserve(batch: Batch, name: str, amount: int) -> Callable[[], bool | None]:
    move = partial(reserve, batch_id=batch.pk, token=name, amount=amount, currency="USD", now=NOW)
    return partial(_tried, move)


def _budget() -> tuple[int, int]:
    budget = Budget.objects.get()
    return budget.reserved, budget.spent


def test_fifty_publishers_fill_the_cap_to_the_cent(batch: Batch) -> None:
    # 27 does not divide 1000: 37 of them fit, and the others do not.
    done = at_once([_reserve(batch, f"hit-{n}", 27) for n in range(50)])
    assert done.count(True) == 37
    assert done.count(None) == 13
    assert _budget() == (999, 0)
    assert reserve(batch_id=batch.pk, token="cent", amount=1, currency="USD", now=NOW)
    assert _tried(partial(reserve, batch_id=batch.pk, token="c", amount=1, currency="USD", now=NOW)) is None
    assert verify_books() == []


def test_fifty_of_any_size_end_within_the_cap_and_leave_no_room_for_one_more(batch: Batch) -> None:
    sizes = [17 + 13 * (n % 7) for n in range(50)]
    done = at_once([_reserve(batch, f"hit-{n}", size) for n, size in enumerate(sizes)])
    taken = sum(size for size, result in zip(sizes, done, strict=True) if result)
    assert _budget() == (taken, 0)
    assert taken <= 1000
    # A publisher that was refused would not have fitted into the rest at the end either.
    assert all(size > 1000 - taken for size, result in zip(sizes, done, strict=True) if not result)


def test_the_same_reservation_by_many_is_made_once(batch: Batch) -> None:
    done = at_once([_reserve(batch, "hit", 400)] * 12)
    assert sorted(done, key=str) == [*[False] * 11, True]
    assert _budget() == (400, 0)


def test_a_reservation_is_not_spent_and_let_go_at_once(batch: Batch) -> None:
    reserve(batch_id=batch.pk, token="hit", amount=100, currency="USD", now=NOW)
    spend = [
        partial(commit, token=f"pay-{n}", reserved_under="hit", rewards=20, fees=4, now=NOW) for n in range(6)
    ]
    free = [partial(release, token=f"rest-{n}", reserved_under="hit", amount=24, now=NOW) for n in range(6)]
    done = at_once([partial(_tried, move) for move in (*spend, *free)])
    assert done.count(True) == 4
    reserved, spent = _budget()
    assert (reserved, spent % 24) == (4, 0)
    assert still_reserved("hit") == 4
    assert verify_books() == []

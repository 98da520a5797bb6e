"""The ledger's services post each entry once, and never exceed the cap."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Batch, Project, Worker
from workflows.money.domain.ledger import AmountError, CapError, OverdrawnError
from workflows.money.earnings import pay_out_earnings, record_earning
from workflows.money.ledger import commit, refund, release, reserve, room_under_cap, set_cap, still_reserved
from workflows.money.ledger_rows import LedgerError
from workflows.money.models import Budget, LedgerEntry, LedgerLine

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def batch(db: None) -> Batch:
    settings = {"currency": "USD", "crowd": {"provider": "mturk", "cap": 1000}}
    project = Project.objects.create(name="p")
    return Batch.objects.create(project=project, name="b", settings=settings)


@pytest.fixture
def worker(batch: Batch) -> Worker:
    return Worker.objects.create(project=batch.project, external_id="w")


def _reserve(batch: Batch, name: str = "hit", amount: int = 600) -> bool:
    return reserve(batch_id=batch.pk, token=name, amount=amount, currency="USD", now=NOW)


def _accounts() -> dict[str, int]:
    found: dict[str, int] = {}
    for line in LedgerLine.objects.all():
        found[line.account] = found.get(line.account, 0) + line.amount
    return {account: amount for account, amount in found.items() if amount}


def _budget() -> tuple[int, int]:
    budget = Budget.objects.get()
    return budget.reserved, budget.spent


def test_what_is_reserved_is_spent_and_the_rest_let_go(batch: Batch) -> None:
    assert _reserve(batch)
    assert commit(token="pay", reserved_under="hit", rewards=400, fees=80, now=NOW)
    assert still_reserved("hit") == 120
    assert release(token="hit", reserved_under="hit", amount=120, now=NOW)
    assert _accounts() == {"funds": -480, "rewards": 400, "fees": 80}
    assert _budget() == (0, 480)
    assert room_under_cap(batch.pk) == 520


def test_the_same_token_again_moves_nothing(batch: Batch) -> None:
    for first in (True, False):
        assert _reserve(batch) is first
        assert commit(token="pay", reserved_under="hit", rewards=100, now=NOW) is first
        assert release(token="rest", reserved_under="hit", amount=10, now=NOW) is first
        assert refund(token="back", batch_id=batch.pk, rewards=30, now=NOW) is first
    assert _budget() == (490, 70)
    assert LedgerEntry.objects.count() == 4


def test_a_cap_is_used_to_the_last_cent_and_not_passed(batch: Batch) -> None:
    _reserve(batch, amount=600)
    with pytest.raises(CapError) as refused:
        _reserve(batch, "second", 401)
    assert refused.value.left == 400
    assert str(refused.value) == "the cap leaves 4.00 USD"
    assert _reserve(batch, "second", 400)
    assert _budget() == (1000, 0)
    assert LedgerEntry.objects.count() == 2


def test_the_database_itself_holds_the_cap(batch: Batch) -> None:
    _reserve(batch)
    with pytest.raises(IntegrityError), transaction.atomic():
        Budget.objects.update(spent=401)


def test_no_more_is_spent_or_let_go_than_lies_in_that_reservation(batch: Batch) -> None:
    _reserve(batch, "one", 100)
    _reserve(batch, "two", 100)
    with pytest.raises(OverdrawnError) as refused:
        commit(token="pay", reserved_under="one", rewards=90, fees=11, now=NOW)
    assert refused.value.left == 100
    with pytest.raises(OverdrawnError):
        release(token="one", reserved_under="one", amount=101, now=NOW)
    with pytest.raises(LedgerError, match="nothing was reserved"):
        commit(token="pay", reserved_under="three", rewards=1, now=NOW)
    assert _budget() == (200, 0)


def test_a_bonus_is_an_entry_of_its_own_kind(batch: Batch) -> None:
    _reserve(batch)
    commit(token="pay", reserved_under="hit", bonuses=100, fees=20, now=NOW)
    assert LedgerEntry.objects.get(token="commit:pay").kind == LedgerEntry.Kind.BONUS


def test_no_more_comes_back_than_was_spent_on_it(batch: Batch) -> None:
    _reserve(batch)
    commit(token="pay", reserved_under="hit", rewards=100, bonuses=50, now=NOW)
    with pytest.raises(OverdrawnError, match="fees"):
        refund(token="back", batch_id=batch.pk, rewards=10, fees=1, now=NOW)
    assert _budget() == (450, 150)


def test_a_worker_earns_from_the_reservation_first_and_is_paid_once(batch: Batch, worker: Worker) -> None:
    _reserve(batch, "page:1", 50)
    _reserve(batch, "rest", 900)
    owed: dict[str, Any] = {"batch_id": batch.pk, "worker_id": worker.pk, "now": NOW}
    assert record_earning(token="page:1", rewards=70, reserved_under="page:1", **owed)
    assert not record_earning(token="page:1", rewards=70, reserved_under="page:1", **owed)
    assert _accounts()["payable"] == -70
    assert _budget() == (900, 70)
    with pytest.raises(CapError):
        record_earning(token="page:2", rewards=31, **owed)
    assert pay_out_earnings(batch_id=batch.pk, tokens=["page:1"], now=NOW) == 1
    assert pay_out_earnings(batch_id=batch.pk, tokens=["page:1"], now=NOW) == 0
    assert "payable" not in _accounts()
    with pytest.raises(LedgerError, match="nothing was earned"):
        pay_out_earnings(batch_id=batch.pk, tokens=["page:2"], now=NOW)


def test_a_cap_below_what_is_bound_is_refused(batch: Batch) -> None:
    _reserve(batch)
    with pytest.raises(CapError):
        set_cap(batch_id=batch.pk, currency="USD", cap=599)
    set_cap(batch_id=batch.pk, currency="USD", cap=600)
    assert room_under_cap(batch.pk) == 0
    set_cap(batch_id=batch.pk, currency="USD", cap=None)
    assert room_under_cap(batch.pk) is None
    assert _reserve(batch, "much", 10**12)


def test_currencies_do_not_mix(batch: Batch) -> None:
    _reserve(batch)
    with pytest.raises(LedgerError, match="in USD, not GBP"):
        reserve(batch_id=batch.pk, token="other", amount=1, currency="GBP", now=NOW)
    with pytest.raises(LedgerError, match="in USD, not GBP"):
        set_cap(batch_id=batch.pk, currency="GBP", cap=None)


def test_a_token_belongs_to_one_batch(batch: Batch) -> None:
    other = Batch.objects.create(project=batch.project, name="other", settings=batch.settings)
    _reserve(batch)
    with pytest.raises(LedgerError, match="another batch"):
        _reserve(other)


@pytest.mark.parametrize("amount", [0, -1])
def test_nothing_and_less_cannot_be_moved(batch: Batch, amount: int) -> None:
    with pytest.raises(AmountError):
        _reserve(batch, amount=amount)
    assert not LedgerEntry.objects.exists()

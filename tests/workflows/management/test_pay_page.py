from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Assignment
from tests.factories import NOW, claim_page, make_running, make_worker
from workflows.core.models import AuditEntry
from workflows.crowd.payments.book_check import verify_books
from workflows.money.models import Budget, LedgerEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def page() -> Assignment:
    batch = make_running([["man"], ["man"]], reward={"link": 20}, crowd={"cap": 50})
    return claim_page(make_worker(batch.project), now=NOW)


def _run(page: Assignment, *arguments: str, amount: int = 12) -> str:
    out = StringIO()
    more = ("--amount", str(amount), "--reason", "the picture was missing", *arguments)
    call_command("pay_page", str(page.pk), *more, stdout=out)
    return out.getvalue()


def test_a_part_for_a_broken_page_is_owed_once_and_kept_in_the_audit_log(page: Assignment) -> None:
    assert _run(page) == "owed\n"
    assert _run(page, amount=13) == "it was owed already: nothing changed\n"
    entry = LedgerEntry.objects.get(kind=LedgerEntry.Kind.EARN)
    assert (entry.memo, entry.worker_id) == ("the picture was missing", page.worker_id)
    assert Budget.objects.values_list("reserved", "spent").get() == (20, 12)
    assert AuditEntry.objects.get(action="crowd.part").detail["amount"] == 12
    assert verify_books() == []


def test_another_token_is_another_payment_within_the_cap(page: Assignment) -> None:
    _run(page)
    _run(page, "--token", "bonus-1", amount=18)
    with pytest.raises(CommandError, match="the cap leaves 0"):
        _run(page, "--token", "bonus-2", amount=1)
    assert AuditEntry.objects.count() == 2


@pytest.mark.parametrize(
    ("arguments", "amount", "says"),
    [
        ((), 0, "amount: give 0.01 USD to 10,000.00 USD, not 0.00 USD"),
        (("--reason", "x" * 201), 1, "reason: say why"),
        (("--token", "page"), 1, "token: 1 to 32"),
        (("--token", "a:b"), 1, "token: 1 to 32"),
    ],
)
def test_what_cannot_be_paid_is_refused_by_field(
    page: Assignment, arguments: tuple[str, ...], amount: int, says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        _run(page, *arguments, amount=amount)
    assert not LedgerEntry.objects.filter(kind=LedgerEntry.Kind.EARN).exists()


def test_whoever_came_through_a_platform_is_paid_there(page: Assignment) -> None:
    page.worker.provider = "mturk"
    page.worker.save()
    with pytest.raises(CommandError, match="paid by mturk"):
        _run(page)

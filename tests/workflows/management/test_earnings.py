from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch
from tests.factories import LATER, claim_page, make_running, make_worker, submit_page
from workflows.core.models import AuditEntry
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.crowd.payments.book_check import verify_books
from workflows.money.models import Earned, LedgerEntry, LedgerLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    """Make two pages that are owed, and are not in the ledger yet."""
    batch = make_running([["man", "dog"]] * 2, images=4, reward={"link": 5}, items_a_page={"link": 1})
    for _ in range(2):
        submit_page(claim_page(make_worker(batch.project)))
    return batch


def _recount(batch: Batch, *arguments: str) -> str:
    out = StringIO()
    call_command("earnings", "recount", "--project", batch.project.name, *arguments, stdout=out)
    return out.getvalue()


def test_what_is_kept_is_put_right_from_the_entries_and_said_once(batch: Batch) -> None:
    post_earnings(clock=lambda: LATER)
    kept = list(Earned.objects.order_by("pk").values())
    Earned.objects.filter(pk=kept[0]["id"]).update(earned=7)
    assert len(verify_books()) == 1
    assert _recount(batch, "--by", "ann") == "1 workers' days were corrected\n"
    assert verify_books() == [] and list(Earned.objects.order_by("pk").values()) == kept
    assert _recount(batch, "--by", "bob") == "0 workers' days were corrected\n"
    entry = AuditEntry.objects.get(action="earnings.recount")
    assert (entry.by, entry.project, entry.detail) == ("ann", batch.project, {"days": 1})


def test_only_the_named_projects_are_put_right(batch: Batch) -> None:
    post_earnings(clock=lambda: LATER)
    Earned.objects.update(earned=7)
    assert _recount(make_running([["man"]] * 2)) == "0 workers' days were corrected\n"
    assert set(Earned.objects.values_list("earned", flat=True)) == {7}


def test_entries_that_pay_more_than_was_earned_are_left_to_a_person(batch: Batch) -> None:
    post_earnings(clock=lambda: LATER)
    earned = LedgerEntry.objects.filter(kind="earn").latest("pk")
    twice = LedgerEntry.objects.create(
        batch=batch,
        kind="payroll",
        token=f"payroll:{earned.token.partition(':')[2]}",
        currency=earned.currency,
        worker=earned.worker,
        created_at=LATER,
    )
    LedgerLine.objects.create(entry=twice, account="payable", amount=6)
    with pytest.raises(CommandError, match=r"paid more than was earned on .*verify_ledger"):
        _recount(batch)
    assert not AuditEntry.objects.filter(action="earnings.recount").exists()

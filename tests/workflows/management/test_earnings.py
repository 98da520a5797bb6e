from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Assignment, Batch
from tests.factories import LATER, NOW, claim_page, make_running, make_worker, submit_page
from workflows.core.models import AuditEntry
from workflows.crowd.direct.page_earnings import Posted, post_earnings
from workflows.money.book_check import verify_books
from workflows.money.models import Earned, LedgerEntry, LedgerLine

pytestmark = pytest.mark.django_db
TODAY, TOMORROW = (str((NOW + timedelta(days=days)).date()) for days in (0, 1))


@pytest.fixture
def batch() -> Batch:
    """Two pages of before the upgrade, as the migration leaves them."""
    batch = make_running([["man", "dog"]] * 2, images=4, reward={"link": 5}, items_a_page={"link": 1})
    for _ in range(2):
        submit_page(claim_page(make_worker(batch.project)))
    Assignment.objects.update(owed=None)
    return batch


def _adopt(batch: Batch, *arguments: str) -> str:
    return _earnings("adopt", batch, *arguments).split()[0]


def _earnings(verb: str, batch: Batch, *arguments: str) -> str:
    out = StringIO()
    call_command("earnings", verb, "--project", batch.project.name, *arguments, stdout=out)
    return out.getvalue()


def test_pages_of_before_are_not_owed_and_no_mistake(batch: Batch) -> None:
    assert post_earnings(clock=lambda: LATER) == Posted()
    assert verify_books() == []


def test_they_are_owed_once_where_somebody_says_so(batch: Batch) -> None:
    assert _adopt(batch, "--by", "ann") == "2"
    assert _adopt(batch, "--by", "bob") == "0"
    assert post_earnings(clock=lambda: LATER) == Posted(pages=2)
    assert {entry.created_at for entry in LedgerEntry.objects.all()} == {LATER}
    entry = AuditEntry.objects.get(action="earnings.adopt")
    assert (entry.by, entry.project, entry.detail) == ("ann", batch.project, {"pages": 2, "before": None})
    assert verify_books() == []


def test_only_those_before_a_day_or_of_the_project(batch: Batch) -> None:
    assert _adopt(make_running([["man"]] * 2)) == "0"
    assert _adopt(batch, "--before", TODAY) == "0"
    assert _adopt(batch, "--before", TOMORROW) == "2"


def test_a_day_that_is_none_is_named(batch: Batch) -> None:
    with pytest.raises(CommandError, match="--before: 'soon' is no day"):
        _adopt(batch, "--before", "soon")
    assert not Assignment.objects.filter(owed=True).exists()


def test_what_is_kept_is_put_right_from_the_entries_and_said_once(batch: Batch) -> None:
    _adopt(batch)
    post_earnings(clock=lambda: LATER)
    kept = list(Earned.objects.order_by("pk").values())
    Earned.objects.filter(pk=kept[0]["id"]).update(earned=7)
    assert len(verify_books()) == 1
    assert _earnings("recount", batch, "--by", "ann") == "1 workers' days were put right\n"
    assert verify_books() == [] and list(Earned.objects.order_by("pk").values()) == kept
    assert _earnings("recount", batch, "--by", "bob") == "0 workers' days were put right\n"
    entry = AuditEntry.objects.get(action="earnings.recount")
    assert (entry.by, entry.project, entry.detail) == ("ann", batch.project, {"days": 1})


def test_only_the_named_projects_are_put_right(batch: Batch) -> None:
    _adopt(batch)
    post_earnings(clock=lambda: LATER)
    Earned.objects.update(earned=7)
    assert _earnings("recount", make_running([["man"]] * 2)) == "0 workers' days were put right\n"
    assert set(Earned.objects.values_list("earned", flat=True)) == {7}


def test_a_day_is_none_of_a_recount(batch: Batch) -> None:
    with pytest.raises(CommandError, match="--before is for adopt"):
        _earnings("recount", batch, "--before", TODAY)


def test_entries_that_pay_more_than_was_earned_are_left_to_a_person(batch: Batch) -> None:
    _adopt(batch)
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
        _earnings("recount", batch)
    assert not AuditEntry.objects.filter(action="earnings.recount").exists()

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet

from annotation.models import Batch
from tests.factories import NOW, claim_page, make_running, make_worker, submit_page
from tests.unguarded import unguarded
from workflows.core.seals import seal_log
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.crowd.models import Payment, Publication
from workflows.money.ledger import commit, reserve
from workflows.money.ledger_rows import LEDGER
from workflows.money.models import Budget, LedgerEntry
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    batch = make_running([["man", "dog"], ["man", "dog"]], reward={"link": 125}, items_a_page={"link": 1})
    submit_page(claim_page(make_worker(batch.project)))
    post_earnings(clock=lambda: NOW)
    return batch


def _run(*arguments: str) -> str:
    out = StringIO()
    try:
        call_command("verify_ledger", *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def test_right_books_are_said_to_be_right(batch: Batch) -> None:
    balance, unsealed = _run().splitlines()
    assert balance == "1 entries: they balance and add up to the budgets"
    assert unsealed == "ledger: 0 entries are as they were sealed, 1 are not sealed yet"
    (seal,) = seal_log(LEDGER, clock=lambda: NOW)
    assert _run().splitlines()[2] == f"newest hash (seal 1): {seal.hash}"


def test_an_entry_that_was_changed_is_named(batch: Batch) -> None:
    seal_log(LEDGER, clock=lambda: NOW)
    entry = LedgerEntry.objects.get()
    with unguarded():
        QuerySet(LedgerEntry).update(memo="something else")
    assert _run() == f"ledger: entry {entry.pk} was changed\n1 differences"
    assert _run("--project", batch.project.name).startswith("1 entries"), "without the seals"
    assert "leave out --project" in _run("--project", batch.project.name, "--expect", "0" * 64)


def test_a_cent_that_is_not_in_the_entries_is_found(batch: Batch) -> None:
    Budget.objects.update(spent=126)
    assert _run() == f"batch {batch.pk}: its budget says 1.26 USD spent, its entries 1.25 USD\n1 differences"


def test_another_projects_books_are_not_looked_at(batch: Batch) -> None:
    Budget.objects.update(spent=126)
    other = make_running([["man"], ["man"]])
    assert _run("--project", other.project.name).startswith("0 entries")
    assert "no project" in _run("--project", "nowhere")


def test_a_payment_and_its_entry_need_each_other(batch: Batch) -> None:
    money = {"currency": "USD", "created_at": NOW}
    publication = Publication.objects.create(
        batch=batch, stage="link", provider="mturk", token="hit", reward=10, fee=2, expires_at=NOW, **money
    )
    participation = Participation.objects.create(
        publication=publication, external_id="a", worker=make_worker(batch.project), opened_at=NOW
    )
    payment = Payment.objects.create(
        participation=participation, kind="reward", token="pay", amount=10, fee=2, state="done", **money
    )
    assert _run() == "payment pay: it was made, and is not in the ledger\n1 differences"
    reserve(batch_id=batch.pk, token="hit", amount=12, currency="USD", now=NOW)
    commit(token="pay", reserved_under="hit", rewards=10, fees=2, now=NOW, participation_id=participation.pk)
    assert _run().startswith("3 entries: they balance")
    Payment.objects.filter(pk=payment.pk).update(state="due")
    assert _run() == "commit:pay: no payment was made for it\n1 differences"

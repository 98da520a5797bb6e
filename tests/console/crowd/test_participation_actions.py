"""What researchers do about participations is done once, logged with a reason, and never by accident."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.test import Client
from django.urls import reverse

from console.crowd.actions import why_not
from console.crowd.forms import RejectForm
from tests.console.batches.form_data import acts
from tests.console.crowd.crowd_rows import (
    make_crowd_batch,
    make_full_batch,
    make_participation,
    make_publication,
)
from tests.console.crowd.requests import act, confirmed, hidden, token
from tests.workflows.platforms.fake import FakeProvider
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.models import Payment, Problem, Publication
from workflows.money.models import Budget
from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.prolific.provider import Prolific
from workflows.platforms.provider import Environment
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def test_a_page_that_asks_changes_nothing(
    manager: Client, submitted: Participation, hints: MagicMock
) -> None:
    for verb in ("approve", "reject", "bonus", "part", "message"):
        assert manager.get(act(submitted, verb)).status_code == 200
    assert not Payment.objects.exists() and not acts().exists() and not hints.called


def test_a_form_sent_twice_pays_once(manager: Client, submitted: Participation, hints: MagicMock) -> None:
    """Each page that is opened anew is another bonus, since its form has another token."""
    url = act(submitted, "bonus")
    data = {**token(manager, url), "amount": "1.50", "reason": "Thank you."}
    data = confirmed(manager, url, data)
    manager.post(url, data)
    reply = manager.post(url, data, follow=True)
    assert "this was already done" in reply.content.decode()
    payment = Payment.objects.get()
    assert (payment.kind, payment.amount, payment.by, payment.state) == ("bonus", 150, "mona", "due")
    entry = acts().get()
    assert (entry.action, entry.object, entry.detail["amount"]) == ("crowd.bonus", "A1WORKER", 150)
    assert hints.call_count == 1
    other = confirmed(manager, url, {**data, **token(manager, url)})
    reply = manager.post(url, other)
    page = reply.content.decode()
    assert reply.status_code == 409 and "within the last hour" in page and Payment.objects.count() == 1
    assert re.search(r'type="checkbox" name="again"', page) and hints.call_count == 1
    manager.post(url, {**other, "again": "on"})
    assert Payment.objects.count() == 2 and not any("again" in one.detail for one in acts())
    third = confirmed(manager, url, {**data, "amount": "1.60", **token(manager, url)})
    manager.post(url, third)
    assert Payment.objects.count() == 3, "another amount is another bonus"


def test_more_is_paid_once_its_amount_was_shown_as_it_was_read(
    manager: Client, submitted: Participation, hints: MagicMock
) -> None:
    url = act(submitted, "bonus")
    data = {**token(manager, url), "amount": "1,500.25", "reason": "Thank you."}
    shown = manager.post(url, data).content.decode()
    assert "Pay a bonus: 1,500.25 USD" in shown
    assert not Payment.objects.exists() and not acts().exists() and not hints.called
    shown = manager.post(url, {**data, **hidden(shown), "amount": "2"}).content.decode()
    assert "Pay a bonus: 2.00 USD" in shown and not Payment.objects.exists(), "another than was shown"
    reply = manager.post(url, {**data, **hidden(shown), "amount": "2"}, follow=True)
    assert "2.00 USD: The bonus is paid" in reply.content.decode()
    assert Payment.objects.get().amount == 200
    assert "read" not in acts().get().detail


def test_approving_owes_the_reward_and_nothing_else(
    manager: Client, submitted: Participation, hints: MagicMock
) -> None:
    url = act(submitted, "approve")
    manager.post(url, token(manager, url))
    payment = Payment.objects.get()
    assert (payment.kind, payment.amount, payment.by) == ("reward", 25, "mona")
    submitted.refresh_from_db()
    assert submitted.state == "submitted", "until the platform has done it"


def test_rejecting_takes_a_reason_and_says_what_it_means(
    manager: Client, submitted: Participation, hints: MagicMock
) -> None:
    url = act(submitted, "reject")
    page = manager.get(url).content.decode()
    assert "is not paid for this work" in page and "set aside" in page
    reply = manager.post(url, {**token(manager, url), "reason": "  "})
    assert reply.status_code == 422 and not Payment.objects.exists() and not hints.called
    manager.post(url, {**token(manager, url), "reason": "All boxes are empty."})
    payment = Payment.objects.get()
    assert (payment.kind, payment.reason) == ("refusal", "All boxes are empty.")
    assert acts().get().detail["reason"] == "All boxes are empty."


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("LOW_EFFORT: " + "x" * 90, "this one has 90"),
        ("BORING: " + "x" * 120, "BORING is not a category"),
        ("LOW_EFFORT: " + "x" * 100, ""),
    ],
)
def test_a_reason_is_held_to_the_platforms_rules_while_it_can_be_written_anew(
    reason: str, says: str, hints: MagicMock
) -> None:
    """The category does not count towards the reason's length."""
    typed = {"token": "0" * 32, "reason": reason}
    strict = Prolific(ProlificAccount("http://127.0.0.1:1", Environment.EMULATOR, "token"))
    form = RejectForm(typed, account=strict)
    assert form.is_valid() == (not says) and says in str(form.errors)
    assert "at least 100 characters" in form["reason"].help_text
    lenient = RejectForm(typed, account=FakeProvider(name="prolific"))
    assert lenient.is_valid(), "it is the account that knows, not its name"


def test_a_rejection_without_an_account_says_what_to_set(
    manager: Client, submitted: Participation, hints: MagicMock, settings: Any
) -> None:
    settings.MTURK = None
    url = act(submitted, "reject")
    reply = manager.post(url, {**token(manager, url), "reason": "All boxes are empty."})
    assert reply.status_code == 409 and "GROUNDCREW_MTURK_SECRET" in reply.content.decode()
    assert not Payment.objects.exists() and not acts().exists()


@pytest.mark.parametrize(
    ("verb", "state"),
    [("approve", "approved"), ("reject", "opened"), ("reject", "approved"), ("part", "opened")],
)
def test_what_cannot_be_done_is_said_and_not_done(
    manager: Client, hints: MagicMock, verb: str, state: str
) -> None:
    found = make_participation(make_publication(make_crowd_batch()), state=state)
    url = act(found, verb)
    assert "Nothing to do:" in manager.get(url).content.decode()
    typed = {"token": "0" * 32, "reason": "Because.", "amount": "1"}
    assert manager.post(url, typed).status_code == 409
    assert not Payment.objects.exists() and not acts().exists() and not hints.called


@pytest.mark.parametrize("typed", ["-1", "0", "1.555", "many", "1e9", "1,50", "99999999999999999999", "١"])
def test_an_amount_that_is_none_is_refused_at_its_field(
    manager: Client, submitted: Participation, typed: str
) -> None:
    url = act(submitted, "bonus")
    reply = manager.post(url, {**token(manager, url), "amount": typed, "reason": "Thanks."})
    assert reply.status_code == 422 and "amount" in reply.context["form"].errors
    assert not Payment.objects.exists()


def test_a_message_is_written_once(manager: Client, submitted: Participation, hints: MagicMock) -> None:
    url = act(submitted, "message")
    data = {**token(manager, url), "subject": "Your page", "text": "It broke: you are paid."}
    for _ in range(2):
        manager.post(url, data)
    hints.assert_called_once_with("mturk", "A1WORKER", "Your page", "It broke: you are paid.")
    assert acts().get().action == "crowd.message"


def test_a_publication_is_ended_once(manager: Client, hints: MagicMock) -> None:
    publication = make_publication(make_crowd_batch())
    url = reverse("crowd:expire", args=[publication.pk])
    data = token(manager, url)
    for _ in range(2):
        manager.post(url, data)
    assert Publication.objects.get().expiring
    assert acts().get().action == "crowd.expire" and hints.call_count == 1


def test_a_problem_is_closed_once_by_whoever_closed_it(manager: Client, hints: MagicMock) -> None:
    _, _, problem = make_full_batch()
    url = reverse("crowd:close", args=[problem.pk])
    data = token(manager, url)
    for _ in range(2):
        manager.post(url, data)
    closed = Problem.objects.get()
    assert closed.closed_by == "mona" and closed.closed_at
    assert acts().get().detail == {"kind": "lost", "key": "lost:1"}


def test_a_cap_moves_with_its_budget_and_not_below_what_is_bound(manager: Client, hints: MagicMock) -> None:
    batch = make_crowd_batch()
    make_publication(batch)
    url = reverse("crowd:cap", args=[batch.pk])
    data = token(manager, url)
    reply = manager.post(url, confirmed(manager, url, {**data, "cap": "0.50"}))
    assert reply.status_code == 409 and "less than the 0.60 USD" in reply.content.decode()
    said = []
    for cap in ("20.00", "30.00"):  # the second page was opened before the first one was sent
        reply = manager.post(url, confirmed(manager, url, {**data, "cap": cap}), follow=True)
        said.append(re.findall("The cap is [^.]+.[^.]+|Nothing was changed", reply.content.decode()))
    assert said == [["The cap is 20.00 USD now"], ["Nothing was changed"]]
    batch.refresh_from_db()
    assert settings_of(batch).crowd.cap == 2000 == Budget.objects.get().cap
    assert acts().get().detail == {"cap": 2000, "was": 50_000, "currency": "USD"}


def test_a_platform_that_is_asked_is_asked_by_a_task(manager: Client, hints: MagicMock) -> None:
    batch = make_crowd_batch()
    for what in ("ask", "reconcile"):
        manager.post(reverse("crowd:task", args=[batch.pk, what]))
    assert [call.args for call in hints.call_args_list] == [(), ("mturk",)]
    assert acts().get().action == "crowd.reconcile"


def test_a_button_opened_as_an_address_leads_to_its_page(manager: Client, hints: MagicMock) -> None:
    batch, _, _ = make_full_batch()
    failed = Payment.objects.get(state="failed")
    tasks = [reverse("crowd:task", args=[batch.pk, what]) for what in ("ask", "reconcile")]
    for url in (*tasks, reverse("crowd:retry", args=[failed.pk])):
        assert manager.get(url).headers.get("Location") == reverse("crowd:batch", args=[batch.pk])
    assert not hints.called and not acts().exists()


def test_a_reviewer_spends_nothing(reviewer: Client, submitted: Participation) -> None:
    data: dict[str, Any] = {"token": "0" * 32, "amount": "1", "reason": "x"}
    for verb in ("approve", "reject", "bonus", "part", "message"):
        assert reviewer.post(act(submitted, verb), data).status_code == 403
    assert not Payment.objects.exists()


@pytest.mark.parametrize(("provider", "verbs"), [("mturk", set()), ("prolific", {"part"})])
def test_more_for_a_place_given_back_is_paid_where_the_platform_can(
    submitted: Participation, provider: str, verbs: set[str]
) -> None:
    submitted.publication.provider, submitted.state = provider, Participation.State.RETURNED
    assert {verb for verb in ("bonus", "part") if not why_not(verb, submitted)} == verbs
    submitted.state = Participation.State.OPENED
    assert why_not("part", submitted)

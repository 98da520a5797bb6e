"""Payments that were refused or wait are asked for again, or withdrawn, once."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.console.batches.form_data import acts
from tests.console.crowd.crowd_rows import make_full_batch
from tests.console.crowd.requests import token
from workflows.crowd.models import Payment
from workflows.platforms.models import ProviderCall

pytestmark = pytest.mark.django_db


def test_a_refused_payment_is_asked_for_again_once(manager: Client, hints: MagicMock) -> None:
    make_full_batch()
    failed = Payment.objects.get(state="failed")
    for _ in range(2):
        manager.post(reverse("crowd:retry", args=[failed.pk]))
    failed.refresh_from_db()
    assert failed.state == "due" and hints.call_count == 1
    assert acts().get().object == "bonus of A2WORKER"


@pytest.mark.parametrize(("state", "kind", "amount"), [("waiting", "part", 10), ("failed", "bonus", 100)])
def test_what_waits_or_was_refused_is_withdrawn_after_a_page_that_asks(
    manager: Client, hints: MagicMock, state: str, kind: str, amount: int
) -> None:
    batch, _, _ = make_full_batch()
    found = Payment.objects.get(state=state)
    url = reverse("crowd:withdraw", args=[found.pk])
    pages = [
        reverse("crowd:batch", args=[batch.pk]),
        reverse("crowd:participation", args=[found.participation_id]),
    ]
    for page in pages:
        assert url in manager.get(page).content.decode()
    data = token(manager, url)
    assert f"of {amount / 100:.2f} USD for A2WORKER" in manager.get(url).content.decode()
    assert manager.post(url, {}).status_code == 422 and not acts().exists()
    assert manager.post(url, data).status_code == 302
    again = manager.post(url, data)
    assert again.status_code == 409 and "Nothing was changed. Payment" in again.content.decode()
    assert "Nothing to do: it is withdrawn." in manager.get(url).content.decode()
    found.refresh_from_db()
    assert found.state == "withdrawn"
    entry = acts().get()
    assert (entry.action, entry.object) == ("crowd.withdraw", f"{kind} of A2WORKER")
    assert entry.detail["amount"] == amount
    for page in pages:
        assert url not in manager.get(page).content.decode()


def test_what_the_platform_may_have_paid_stays_with_the_reason(manager: Client, hints: MagicMock) -> None:
    make_full_batch()
    failed = Payment.objects.get(state="failed")
    ProviderCall.objects.create(
        provider="mturk",
        environment="sandbox",
        operation="SendBonus",
        subject=failed.token,
        outcome="unavailable",
        created_at=timezone.now(),
    )
    url = reverse("crowd:withdraw", args=[failed.pk])
    reply = manager.post(url, token(manager, url))
    assert reply.status_code == 409 and "may have paid it. Ask it again after" in reply.content.decode()
    failed.refresh_from_db()
    assert failed.state == "failed" and not acts().exists()

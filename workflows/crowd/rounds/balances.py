"""Keeps what an account on a crowd platform has left, for pages to show."""

from __future__ import annotations

from datetime import datetime

from workflows.crowd.models import Balance
from workflows.crowd.provider import Provider


def keep_balance(*, provider: Provider, now: datetime) -> None:
    """Ask the platform, and keep what it says as of `now`. Raises ProviderError; then nothing changes."""
    money = provider.balance()
    said = {
        "amount": money.amount if money else None,
        "currency": money.currency if money else provider.currency,
        "seen_at": now,
    }
    Balance.objects.update_or_create(provider=provider.name, environment=provider.environment, defaults=said)


def begin_balance(*, provider: Provider, now: datetime) -> None:
    """The same, where it was never asked: a new account's is shown with its first round."""
    if not Balance.objects.filter(provider=provider.name, environment=provider.environment).exists():
        keep_balance(provider=provider, now=now)

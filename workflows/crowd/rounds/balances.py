"""Balances: what our accounts on platforms have left, kept for the console's pages."""

from __future__ import annotations

from datetime import datetime

from workflows.crowd.models import Balance
from workflows.platforms.provider import Provider


def keep_balance(*, provider: Provider, now: datetime) -> None:
    """Ask the platform for the balance, and store it as of `now`. Raises ProviderError."""
    money = provider.balance()
    said = {
        "amount": money.amount if money else None,
        "currency": money.currency if money else provider.currency,
        "seen_at": now,
    }
    Balance.objects.update_or_create(provider=provider.name, environment=provider.environment, defaults=said)


def begin_balance(*, provider: Provider, now: datetime) -> None:
    """Store the balance of an account that has none yet, so that its first round shows it."""
    if not Balance.objects.filter(provider=provider.name, environment=provider.environment).exists():
        keep_balance(provider=provider, now=now)

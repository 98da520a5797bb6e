"""Balances: what our accounts on platforms have left, kept for the console's pages."""

from __future__ import annotations

from datetime import datetime

from workflows.crowd.models import Balance
from workflows.platforms.provider import Provider


def keep_balance(*, provider: Provider, now: datetime) -> None:
    """Ask the platform for the balance, and store it as of `now`. Raises ProviderError."""
    funds = provider.balance()
    said = {
        "amount": funds.money.amount if funds else None,
        "currency": funds.money.currency if funds else provider.currency,
        "parts": funds.parts if funds else [],
        "seen_at": now,
    }
    Balance.objects.update_or_create(provider=provider.name, environment=provider.environment, defaults=said)


def begin_balance(*, provider: Provider, now: datetime) -> None:
    """Store the balance of an account that has none yet, so that its first round shows it."""
    if not Balance.objects.filter(provider=provider.name, environment=provider.environment).exists():
        keep_balance(provider=provider, now=now)

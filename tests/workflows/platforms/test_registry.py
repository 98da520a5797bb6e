"""Accounts on platforms, and which of them may be used."""

from __future__ import annotations

from typing import Any

import pytest

from workflows.platforms.accounts import MTurkAccount, ProlificAccount
from workflows.platforms.provider import Environment
from workflows.platforms.registry import LiveMoneyError, NoAccountError, environments, provider


def mturk(environment: Environment) -> MTurkAccount:
    return MTurkAccount("http://127.0.0.1:9", environment, "AKIA", "secret-of-aws")


@pytest.fixture(autouse=True)
def no_accounts(settings: Any) -> None:
    settings.MTURK = settings.PROLIFIC = None
    settings.LIVE_MONEY = False


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mturk", "set GROUNDCREW_MTURK_SECRET"),
        ("prolific", "set GROUNDCREW_PROLIFIC_TOKEN"),
        ("direct", "'direct' is not a platform"),
    ],
)
def test_without_an_account_it_says_what_to_set(name: str, said: str) -> None:
    with pytest.raises(NoAccountError, match=said):
        provider(name)


@pytest.mark.parametrize("environment", [Environment.EMULATOR, Environment.SANDBOX])
def test_play_money_needs_no_word_of_ours(settings: Any, environment: Environment) -> None:
    settings.MTURK = mturk(environment)
    assert provider("mturk").environment == environment


def test_real_money_has_to_be_allowed(settings: Any) -> None:
    settings.MTURK = mturk(Environment.LIVE)
    with pytest.raises(LiveMoneyError, match="Set GROUNDCREW_LIVE_MONEY=1"):
        provider("mturk")
    settings.LIVE_MONEY = True
    assert provider("mturk").environment == Environment.LIVE


def test_a_connection_is_made_once_for_an_account(settings: Any) -> None:
    settings.MTURK = mturk(Environment.SANDBOX)
    first = provider("mturk")
    assert provider("mturk") is first
    settings.MTURK = mturk(Environment.EMULATOR)
    assert provider("mturk") is not first


def test_environments_are_told_of_live_accounts_too(settings: Any) -> None:
    assert environments() == {}
    settings.MTURK = mturk(Environment.LIVE)
    settings.PROLIFIC = ProlificAccount("http://127.0.0.1:9", Environment.EMULATOR, "token")
    assert environments() == {"mturk": Environment.LIVE, "prolific": Environment.EMULATOR}
    assert provider("prolific").name == "prolific"


def test_secrets_stand_in_no_representation() -> None:
    assert "secret-of-aws" not in repr(mturk(Environment.LIVE))
    account = ProlificAccount("https://x", Environment.LIVE, "token-of-p", webhook_secret="hook-of-p")
    assert "of-p" not in repr(account)

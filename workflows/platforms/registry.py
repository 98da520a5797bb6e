"""The platforms on which this installation has an account, and the providers that speak to them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from django.conf import settings

from workflows.batch_settings.domain.crowd_settings import LINK, MTURK, PROLIFIC
from workflows.platforms.accounts import Account, MTurkAccount, accounts
from workflows.platforms.link.provider import Link
from workflows.platforms.mturk.provider import MTurk
from workflows.platforms.prolific.provider import Prolific
from workflows.platforms.provider import Environment, Provider


class NoAccountError(Exception):
    """There is no account on the platform; the message says what to set."""


class LiveMoneyError(Exception):
    """The account's money is real, and must not be spent yet; the message says what to set."""


_SECRETS = {MTURK: "GROUNDCREW_MTURK_SECRET", PROLIFIC: "GROUNDCREW_PROLIFIC_TOKEN"}


def provider(name: str) -> Provider:
    """Return the provider of our account on the platform `name`.

    Raises NoAccountError if there is no account, and LiveMoneyError if real money must not be spent.
    `link` needs no account.
    """
    if name == LINK:
        return Link()
    account = accounts().get(name)
    if account is None:
        raise NoAccountError(
            f"There is no account on {name!r}: set {_SECRETS[name]}; docs/configuration.md says to what."
            if name in _SECRETS
            else f"{name!r} is not a platform; the platforms are {', '.join(_SECRETS)} and {LINK}."
        )
    if account.environment == Environment.LIVE and not settings.LIVE_MONEY:
        raise LiveMoneyError(
            f"The account on {name!r} is live: its money is real. Set GROUNDCREW_LIVE_MONEY=1 to spend it, "
            f"or name a sandbox or an emulator; docs/configuration.md says how."
        )
    return _connect(account)


def environments() -> Mapping[str, Environment]:
    """Return, by platform, the environment of each of our accounts."""
    return {name: account.environment for name, account in accounts().items()}


@lru_cache(maxsize=8)
def _connect(account: Account) -> Provider:
    """Return the account's provider. It is kept, since building a client takes a tenth of a second."""
    return MTurk(account) if isinstance(account, MTurkAccount) else Prolific(account)

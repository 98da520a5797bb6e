"""Our accounts on crowd platforms, as the environment names them. Their `repr` shows no secret."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings

from workflows.batch_settings.domain.crowd_settings import MTURK, PROLIFIC
from workflows.platforms.provider import Environment


@dataclass(frozen=True, slots=True)
class MTurkAccount:
    """A requester's account at Amazon's production site or sandbox, or at an endpoint that speaks its API."""

    endpoint: str
    environment: Environment
    key_id: str
    secret: str = field(repr=False)
    region: str = "us-east-1"
    queue_url: str = ""  # of an SQS queue with notifications; empty if there is none
    submit_origins: tuple[str, ...] = ()  # sites to which workers' browsers may report

    @property
    def secrets(self) -> tuple[str, ...]:
        return (self.secret,)


@dataclass(frozen=True, slots=True)
class ProlificAccount:
    """A researcher's account on Prolific, or at an endpoint that speaks its API."""

    endpoint: str  # of the API
    environment: Environment
    token: str = field(repr=False)
    project: str = ""  # the platform's id of the project in which studies are made
    site: str = "https://app.prolific.com"  # to which participants go back
    webhook_secret: str = field(default="", repr=False)
    currency: str = "GBP"
    fee_per_mille: int = 428  # share of rewards and bonuses, including the tax on it

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.token, self.webhook_secret)))


Account = MTurkAccount | ProlificAccount


def accounts() -> dict[str, Account]:
    """Return the accounts that this installation has, by the name of their platform."""
    named: dict[str, Account | None] = {MTURK: settings.MTURK, PROLIFIC: settings.PROLIFIC}
    return {name: account for name, account in named.items() if account is not None}

"""Our accounts on crowd platforms, as the environment names them. Secrets stand in no representation."""

from __future__ import annotations

from dataclasses import dataclass, field

from workflows.crowd.provider import Environment


@dataclass(frozen=True, slots=True)
class MTurkAccount:
    """A requester's account, at Amazon's production or sandbox, or at any endpoint that speaks its API."""

    endpoint: str
    environment: Environment
    key_id: str
    secret: str = field(repr=False)
    region: str = "us-east-1"
    queue_url: str = ""  # of an SQS queue with notifications; empty: none
    submit_origins: tuple[str, ...] = ()  # sites that workers' browsers may report to


@dataclass(frozen=True, slots=True)
class ProlificAccount:
    """A researcher's account."""

    endpoint: str  # of the API
    environment: Environment
    token: str = field(repr=False)
    project: str = ""  # the platform's id of the project that studies are made in
    site: str = "https://app.prolific.com"  # where participants go back to
    webhook_secret: str = field(default="", repr=False)
    currency: str = "GBP"
    fee_per_mille: int = 428  # of rewards and bonuses, tax on it included

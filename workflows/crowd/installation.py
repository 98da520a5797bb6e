"""What this server's environment says about crowd platforms. Nothing here calls a platform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings as site

from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK, MTURK, PROLIFIC
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.crowd.domain.obstacles import Installation, obstacles
from workflows.platforms.mturk.domain.fees import mturk_bonus_fee, mturk_fee
from workflows.platforms.prolific.domain.fees import service_fee
from workflows.platforms.provider import Environment

DOLLARS = "USD"  # what Amazon pays in
POUNDS = "GBP"  # what Prolific pays in unless the account has another currency


def installation(provider: str) -> Installation:
    """Return what is set up here for `provider`, one of `batch_settings.domain.crowd_settings.PROVIDERS`."""
    environment, currency = "", ""
    if provider == MTURK and site.MTURK is not None:
        environment, currency = str(site.MTURK.environment), DOLLARS
    elif provider == PROLIFIC and site.PROLIFIC is not None:
        environment, currency = str(site.PROLIFIC.environment), site.PROLIFIC.currency
    elif provider == LINK:
        environment = str(Environment.LIVE)  # it needs no account
    return Installation(environment, currency, site.SITE, site.LIVE_MONEY)


def can_reach(provider: str) -> bool:
    """Return whether the platform needs no account, or has one here."""
    return bool(installation(provider).environment)


def currency_of(provider: str) -> str:
    """Return the currency that the platform pays in: its account's, or the usual one. "" if we pay."""
    usual = {MTURK: DOLLARS, PROLIFIC: POUNDS}
    return installation(provider).currency or usual.get(provider, "")


def crowd_obstacles(settings: BatchSettings) -> list[str]:
    """Return why a batch with these settings cannot be launched here: sentences without a full stop."""
    return list(obstacles(settings, installation(settings.crowd.provider)))


@dataclass(frozen=True, slots=True)
class Fees:
    """What the platform takes on top of a place's reward and of a bonus, in the currency's smallest unit."""

    reward: Callable[[int], int]
    bonus: Callable[[int], int]


def fees_of(settings: BatchSettings) -> Fees | None:
    """Return the platform's fees without calling it; None if they depend on an account that is not set."""
    crowd = settings.crowd
    if crowd.provider in (DIRECT, LINK):  # we do not know what a platform takes that only sends people
        return Fees(lambda reward: 0, lambda amount: 0)
    if crowd.provider == MTURK:  # the price list holds for every account
        return Fees(
            lambda reward: mturk_fee(reward, places=crowd.places, masters=crowd.masters), mturk_bonus_fee
        )
    if site.PROLIFIC is None:
        return None
    share = partial(service_fee, per_mille=site.PROLIFIC.fee_per_mille)
    return Fees(share, share)

"""Reads what the server's environment says of crowd platforms: nothing here calls one."""

from __future__ import annotations

from django.conf import settings as site

from workflows.domain.crowd.launching import Installation, obstacles
from workflows.domain.crowd.settings import MTURK, PROLIFIC
from workflows.domain.policy import BatchSettings

DOLLARS = "USD"  # what Amazon pays in


def installation(provider: str) -> Installation:
    """What there is here for one of `workflows.domain.crowd.settings.PROVIDERS`."""
    environment, currency = "", ""
    if provider == MTURK and site.MTURK is not None:
        environment, currency = str(site.MTURK.environment), DOLLARS
    elif provider == PROLIFIC and site.PROLIFIC is not None:
        environment, currency = str(site.PROLIFIC.environment), site.PROLIFIC.currency
    return Installation(environment, currency, site.SITE, site.LIVE_MONEY)


def crowd_obstacles(settings: BatchSettings) -> list[str]:
    """Why a batch with these settings cannot be launched here; sentences without their full stop."""
    return list(obstacles(settings, installation(settings.crowd.provider)))

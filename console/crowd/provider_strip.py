"""Which provider a batch has, and whether its money is real: on every page of the batch."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Batch
from console.crowd.labels import ENVIRONMENTS
from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.domain.obstacles import NAMES
from workflows.crowd.installation import installation

LIVE = "live"


@dataclass(frozen=True, slots=True)
class Strip:
    """The provider and environment in words, and the class of the strip. Colour alone would not be enough."""

    provider: str
    name: str
    environment: str  # of the account here; empty: direct workers, or no account
    says: str
    look: str

    @property
    def live(self) -> bool:
        return self.environment == LIVE


def strip_of(batch: Batch) -> Strip:
    """Return the batch's strip without a query or a call to the platform."""
    settings = settings_of(batch)
    provider = settings.crowd.provider
    name = NAMES[provider][:1].upper() + NAMES[provider][1:]
    if provider == DIRECT:
        says = "no platform: paid by payroll" if any(settings.reward.values()) else "no platform, no pay"
        return Strip(provider, name, "", says, "")
    if provider == LINK:
        return Strip(provider, name, "", "you carry its lists; it pays", "")
    environment = installation(provider).environment
    if not environment:
        return Strip(provider, name, "", "no account on this server", "sandbox")
    says, look = ENVIRONMENTS[environment]
    return Strip(provider, name, environment, says, look)

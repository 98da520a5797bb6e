"""The presets as the page of a new batch offers them: names, sentences, and the few settings of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from workflows.batch_settings.domain.presets import KNOWN, PAID, PAPER, preset_settings, rewards_for
from workflows.batch_settings.domain.settings import BatchSettings


class Preset(NamedTuple):
    """A preset's title, what it is for, and the settings that its short form asks."""

    title: str
    says: str
    asked: Sequence[str] = ()


BY_LINK = ("by_link.code", "by_link.back", "crowd.pages")
"""What is asked besides if workers come by a link."""
PRESETS: Mapping[str, Preset] = {
    KNOWN: Preset(
        "A few people I know",
        "All answers count. You need no verification questions, and three people are enough (five for "
        "all boxes at once).",
        ("author_after_hours", "lease_seconds", "drawing"),
    ),
    PAID: Preset(
        "Paid crowd",
        "For money: workers of a platform, or people whom you invite and pay yourself. Only the answers of "
        "those count who answer verification questions well.",
        ("crowd.provider", "currency", "crowd.hourly_wage", "crowd.cap"),
    ),
    PAPER: Preset(
        "Paper exactly",
        "People whom you invite work as in the paper: with a qualification test and verification questions.",
    ),
}
PROTOCOLS: Mapping[str, Preset] = {
    "flickr30k-entities": Preset(
        "As in the paper",
        "One box is drawn at a time. Its quality and the chain's coverage are two questions.",
    ),
    "entities-fast": Preset(
        "All boxes at once",
        "One worker draws all boxes of a chain, and others check them together. In simulation, it takes "
        "people less time.",
    ),
}
"""What the page of a new batch says of each protocol."""
LINKED_PLATFORMS: Mapping[str, str] = {
    "connect": "CloudResearch Connect, Positly",
    "sona": "SONA",
    "prolific": "Prolific without an account here",
    "panel": "A panel of your own",
}
"""The platforms for which the settings of a link are proposed."""
ALONE = Preset(
    "I annotate alone",
    "You annotate whole images on one screen. They are kept in a batch named by-hand, in which nobody is "
    "asked anything.",
)
USUAL = PAPER
"""The preset of a page that names none."""


def paid_for(preset: str, settings: BatchSettings) -> BatchSettings:
    """Return the settings with rewards that pay the hourly wage, unless somebody typed other rewards."""
    usual = preset_settings(PAID, settings.protocol, currency=settings.currency).reward
    if preset == PAID and dict(settings.reward) == dict(usual):
        return replace(settings, reward=rewards_for(settings.crowd.hourly_wage, settings.protocol))
    return settings

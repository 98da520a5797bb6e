"""What a publication says on a platform: made of a batch's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.crowd.provider import Money, Order, Requirements

TITLES: Mapping[str, str] = MappingProxyType(
    {
        Stage.LINK: "Do two phrases about a photograph mean the same thing?",
        Stage.VERIFICATION: "Do these phrases about a photograph all mean the same thing?",
        Stage.REQUIREMENT: "Can a box be drawn around it in the photograph?",
        Stage.DRAWING: "Draw a box around what a phrase means in a photograph",
        Stage.QUALITY: "Is this box in a photograph drawn well?",
        Stage.COVERAGE: "Do the boxes in a photograph cover all that a phrase means?",
    }
)

LEAST_WORK_SECONDS = 3600
"""To work on a page, at least: nobody should lose a place to a telephone call [ours]."""


@dataclass(frozen=True, slots=True)
class Placed:
    """What of an order is fixed from the moment it is planned: asking again is asking for the same."""

    token: str
    stage: str
    reward: Money
    places: int
    lifetime_seconds: int
    work_seconds: int


def work_seconds(settings: BatchSettings) -> int:
    """From taking a place to submitting its page, at most."""
    return max(settings.lease_seconds, LEAST_WORK_SECONDS)


def order(
    placed: Placed,
    settings: BatchSettings,
    *,
    annotation: str,
    url: str,
    typical_seconds: int,
    holding: tuple[str, ...] = (),
    lacking: tuple[str, ...] = (),
) -> Order:
    """A publication of these settings' batch; `holding`, `lacking`: ids of our qualifications there."""
    crowd = settings.crowd
    title = crowd.title or TITLES[placed.stage]
    return Order(
        token=placed.token,
        annotation=annotation,
        url=url,
        title=title,
        description=crowd.description
        or f"{title} A page of {settings.items_a_page[placed.stage]} questions.",
        keywords=crowd.words,
        reward=placed.reward,
        places=placed.places,
        work_seconds=placed.work_seconds,
        typical_seconds=typical_seconds,
        lifetime_seconds=placed.lifetime_seconds,
        approval_seconds=crowd.approval_seconds,
        requirements=Requirements(
            completed=settings.screening.completed,
            approval=settings.screening.approval,
            locales=crowd.countries,
            masters=crowd.masters,
            holding=holding,
            lacking=lacking,
        ),
    )

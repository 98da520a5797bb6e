"""The wage floor: what a page has to pay so that somebody of median speed earns the target by the hour.

In whole smallest units, rounded up: a fraction of a cent goes to the worker. The median is that of pages, not
of answers, since reading what a page asks is work, too. The source is the issue's rule "median time on page
against a target hourly wage"; how many pages a median needs is [ours].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workflows.batch_settings.domain.crowd_settings import MTURK, PROLIFIC
from workflows.batch_settings.domain.paper import PAGE_SECONDS
from workflows.batch_settings.domain.settings import ITEMS_A_PAGE, BatchSettings

HOUR_MS = 3_600_000
ENOUGH_PAGES = 20
"""Pages of a batch's stage from which on their median is taken [ours]; before, the paper's time."""
NEWEST_PAGES = 1000
"""The latest pages of a stage are looked at: speed changes with practice."""


def is_direct(provider: str) -> bool:
    """Whether a worker of this provider is paid by us: a platform pays those who came through it."""
    return provider not in (MTURK, PROLIFIC)


@dataclass(frozen=True, slots=True)
class PageTime:
    """What a page of a stage takes, in milliseconds, and how many pages say so; 0: it is the paper's."""

    milliseconds: int
    pages: int

    @property
    def seconds(self) -> float:
        """For people."""
        return self.milliseconds / 1000


@dataclass(frozen=True, slots=True)
class Floor:
    """What a stage's page pays and what it has to, in smallest units."""

    stage: str
    reward: int
    wanted: int  # at least the reward's share of an hour at the target wage; 0: no floor
    hourly: int  # what the reward alone comes to in an hour, rounded down
    time: PageTime

    @property
    def shortfall(self) -> int:
        """What is missing a page."""
        return max(0, self.wanted - self.reward)


def page_time(seconds: Sequence[float], *, stage: str, items: int) -> PageTime:
    """The median of pages (rounded up to a millisecond); with too few of them, the paper's for so many items.

    The paper's times are of pages with the paper's number of items, and are taken to grow with it.
    """
    if len(seconds) >= ENOUGH_PAGES:
        times = sorted(_milliseconds(one) for one in seconds)
        middle = len(times) // 2
        if len(times) % 2:
            return PageTime(times[middle], len(times))
        return PageTime(-(-(times[middle - 1] + times[middle]) // 2), len(times))
    whole = PAGE_SECONDS[stage] * 1000 * items
    return PageTime(-(-whole // ITEMS_A_PAGE[stage]), 0)


def seconds_of_page(*, answering: float | None, elapsed: float) -> float:
    """Seconds that a page took. What its answers say they took is believed up to the server's own clock, from
    claim to submission; that one counts where they say nothing, in the worker's favour."""
    return max(0.0, elapsed if answering is None else min(answering, elapsed))


def wanted_reward(hourly_wage: int, time: PageTime) -> int:
    """What a page has to pay at the median, rounded up."""
    return -(-hourly_wage * time.milliseconds // HOUR_MS)


def floor_of_stage(settings: BatchSettings, stage: str, time: PageTime) -> Floor:
    """How a stage's reward stands against the batch's target wage."""
    return Floor(
        stage=stage,
        reward=settings.reward[stage],
        wanted=wanted_reward(settings.crowd.hourly_wage, time),
        hourly=settings.reward[stage] * HOUR_MS // max(1, time.milliseconds),
        time=time,
    )


def top_up(settings: BatchSettings, *, reward: int, time: PageTime) -> int:
    """What is missing to a page that promised `reward`; nothing where the batch tops up nobody."""
    if not settings.crowd.top_up:
        return 0
    return max(0, wanted_reward(settings.crowd.hourly_wage, time) - reward)


def _milliseconds(seconds: float) -> int:
    return max(0, math.ceil(seconds * 1000))

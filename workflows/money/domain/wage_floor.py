"""The wage floor: what a page must pay so that a worker of median speed earns the target hourly wage.

Amounts are whole smallest units, rounded up: a fraction of a cent goes to the worker. The median is that of
pages, not of answers, because reading a page's questions is work too. The rule is to compare the median time
on a page with a target hourly wage; how many pages the median needs is [ours].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from workflows.batch_settings.domain.crowd_settings import PLATFORMS, PROLIFIC
from workflows.batch_settings.domain.protocol_stages import ITEMS_PER_PAGE, PAGE_SECONDS
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import PAY_BY_PAGE, BatchSettings

HOUR_MS = 3_600_000
ENOUGH_PAGES = 20
"""From so many pages of a batch's stage on, their median is used [ours]; before, the paper's time."""
NEWEST_PAGES = 1000
"""Only so many of a stage's latest pages are used, because speed changes with practice."""

MIN_SCREEN_OUT: Mapping[str, int] = MappingProxyType({"GBP": 10, "USD": 14})
"""The least that Prolific pays for a failed test, by currency, in its smallest unit."""


def is_direct(provider: str) -> bool:
    """Return whether we pay workers of this provider ourselves.

    A platform pays the workers who came through it.
    """
    return provider not in PLATFORMS


@dataclass(frozen=True, slots=True)
class PageTime:
    """The median time of a stage's pages, and how many pages it comes from; 0: it is the paper's time."""

    milliseconds: int
    pages: int

    @property
    def seconds(self) -> float:
        """The time in seconds."""
        return self.milliseconds / 1000


@dataclass(frozen=True, slots=True)
class Floor:
    """What a page of a stage pays and what it must pay, in smallest units."""

    stage: str
    reward: int
    wanted: int  # what the page must pay at the target wage; 0: no floor
    hourly: int  # what the reward alone pays for an hour, rounded down
    time: PageTime

    @property
    def shortfall(self) -> int:
        """What the reward of a page lacks."""
        return shortfall(self.wanted, self.reward)


def page_time(seconds: Sequence[float], *, stage: str, items: int) -> PageTime:
    """Return the median of pages, rounded up to a millisecond; for fewer than ENOUGH_PAGES the paper's time.

    `seconds` are the times of pages. The paper's time is scaled from the paper's number of items to `items`.
    """
    if len(seconds) >= ENOUGH_PAGES:
        times = sorted(_milliseconds(one) for one in seconds)
        middle = len(times) // 2
        if len(times) % 2:
            return PageTime(times[middle], len(times))
        return PageTime(-(-(times[middle - 1] + times[middle]) // 2), len(times))
    whole = PAGE_SECONDS[stage] * 1000 * items
    return PageTime(-(-whole // ITEMS_PER_PAGE[stage]), 0)


def seconds_of_page(*, answering: float | None, elapsed: float) -> float:
    """Return the seconds that a page took.

    `answering` is the time that the answers say, and `elapsed` the server's time from claim to submission.
    The smaller one counts. If the answers say no time, `elapsed` counts, in the worker's favour.
    """
    return max(0.0, elapsed if answering is None else min(answering, elapsed))


def wanted_reward(hourly_wage: int, time: PageTime) -> int:
    """Return the pay that a page must have at its median time, rounded up."""
    return -(-hourly_wage * time.milliseconds // HOUR_MS)


def shortfall(wanted: int, reward: int) -> int:
    """Return what a reward lacks to what its page must pay."""
    return max(0, wanted - reward)


def reward_of(settings: BatchSettings, stage: str, items: int) -> int:
    """Return the reward of a page with so many items; by item, a fraction of a cent goes to the worker."""
    reward, full = settings.reward[stage], settings.items_a_page[stage]
    if settings.pay_by == PAY_BY_PAGE or items >= full:
        return reward
    return -(-reward * items // full)


def test_bonus(settings: BatchSettings, stage: str) -> int:
    """Return what passing the qualification test of a stage pays: as much as its questions would as work.

    It is 0 if the batch has no test or does not pay for it. Unless the batch says so, platforms pay and
    others do not: who is invited can be told in another way what a test is worth.
    """
    screening = settings.screening
    pays = screening.paid == "always" or (
        screening.paid == "platforms" and settings.crowd.provider in PLATFORMS
    )
    if not (screening.test and pays):
        return 0
    asked = screening.training_items + screening.test_items
    return -(-settings.reward[stage] * asked // settings.items_a_page[stage])


def screen_out(settings: BatchSettings, stage: str, reward: int) -> int:
    """Return what a place with this reward pays a worker who fails the test, in smallest units.

    It is as much as the test would pay who passes it, but less than the place, as Prolific demands. It is 0
    if that is less than Prolific allows, if the stage has no test to pay for, or on another platform.
    """
    tested = settings.regime[stage] != Regime.OPEN and test_bonus(settings, stage) > 0
    if settings.crowd.provider != PROLIFIC or not tested:
        return 0
    least = MIN_SCREEN_OUT.get(settings.currency, max(MIN_SCREEN_OUT.values()))
    pay = min(max(test_bonus(settings, stage), least), reward - 1)
    return pay if pay >= least else 0


def time_of(settings: BatchSettings, stage: str, time: PageTime, items: int) -> PageTime:
    """Return the time for which a page with so many items is paid: `time`, or by item its part of it."""
    full = settings.items_a_page[stage]
    if settings.pay_by == PAY_BY_PAGE or items >= full:
        return time
    return PageTime(-(-time.milliseconds * items // full), time.pages)


def floor_of_stage(settings: BatchSettings, stage: str, time: PageTime) -> Floor:
    """Compare a stage's reward with the batch's target wage."""
    return Floor(
        stage=stage,
        reward=settings.reward[stage],
        wanted=wanted_reward(settings.crowd.hourly_wage, time),
        hourly=settings.reward[stage] * HOUR_MS // max(1, time.milliseconds),
        time=time,
    )


def top_up(settings: BatchSettings, *, reward: int, time: PageTime, pages: int = 1) -> int:
    """Return what the reward of so many pages lacks to the target wage; 0 if the batch pays no top-ups."""
    if not settings.crowd.top_up:
        return 0
    return shortfall(pages * wanted_reward(settings.crowd.hourly_wage, time), reward)


def _milliseconds(seconds: float) -> int:
    return max(0, math.ceil(seconds * 1000))

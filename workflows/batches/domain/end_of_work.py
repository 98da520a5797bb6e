"""Forecast when work will end, from how fast judgments came in and from what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

WINDOWS = tuple(timedelta(hours=hours) for hours in (6, 24, 72, 168))
"""Windows back from now. A crowd sleeps and has weekends, so one window alone would mislead."""
USUAL = timedelta(hours=24)
MIN_DONE = 0.02
"""If a smaller share of the images is done, it is not known what an image takes."""
DONE = "Everything is done."
WAITS = "{} for a new worker: those who are there can give no more."
PAUSED = "Not known: a batch is paused."
SHORT = "Not known: work waits for more verification questions."
FARTHEST = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class Work:
    """How far the work is: judgments that count, judgments `to_come` as far as known, and images.

    All are about the same images. `beside` and `images_beside` are what is to come about others, of which
    something else is made: nothing is estimated of them.
    """

    judgments: int
    to_come: int
    images: int
    images_done: int
    images_begun: int  # begun and not done
    asked: bool = True  # whether a question is open or an answer is unread
    for_somebody_new: int = 0  # answers that nobody who is there can give
    for_questions: int = 0  # answers that wait until there are more verification questions
    beside: int = 0
    images_beside: int = 0

    @property
    def finished(self) -> bool:
        """Whether all images are done and no judgment is to come."""
        rest = self.to_come or self.beside or self.images_beside
        return 0 < self.images <= self.images_done and not rest

    @property
    def in_review(self) -> bool:
        """Whether workers have nothing to do before a researcher decides something."""
        return not self.asked and 0 < self.images_begun == self.images - self.images_done


@dataclass(frozen=True, slots=True)
class Left:
    """Judgments still to come. `likely` and `most` are None if too few images are done to estimate them."""

    least: int
    likely: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class End:
    """When the last judgment comes. A time is None if it is not known; `unknown` says why `likely` is."""

    earliest: datetime | None = None
    likely: datetime | None = None
    latest: datetime | None = None
    unknown: str = ""


def left(work: Work) -> Left:
    """Return how many judgments are still to come.

    The least is what is asked already. Later stages ask more: an image is expected to take as much as those
    that are done took. The likely number treats a begun image as half done, the highest as hardly begun.
    """
    if not work.images_done or work.images_done < MIN_DONE * work.images:
        return Left(work.to_come + work.beside, None, None)
    likely = work.judgments * work.images / (work.images_done + work.images_begun / 2) - work.judgments
    most = work.judgments * work.images / work.images_done - work.judgments
    known, beside = work.to_come, work.beside
    return Left(known + beside, max(round(likely), known) + beside, max(round(most), known) + beside)


def rates(hours: Sequence[tuple[datetime, int]], now: datetime) -> dict[timedelta, float]:
    """Return the judgments an hour over each window that lies within the time since the first judgment.

    `hours` are (begin of an hour, judgments in it), the earliest first; hours without judgments may be
    missing. If work began less than the shortest window ago, that time is the only window.
    """
    if not hours:
        return {}
    since = now - hours[0][0]
    windows = [window for window in WINDOWS if window <= since] or [max(since, timedelta(hours=1))]
    found = {}
    for window in windows:
        # The hour in which the window begins counts for the part of it that lies inside.
        count = sum(judgments * _inside(begin, now - window) for begin, judgments in hours)
        found[window] = count / (window / timedelta(hours=1))
    return found


def forecast_end(
    work: Work, hours: Sequence[tuple[datetime, int]], *, now: datetime, running: bool = True
) -> End:
    """Return when work will end.

    The range goes from the least work at the fastest window's rate to the most work at the slowest.
    """
    if work.finished:
        return End(unknown=DONE)
    if not running:
        return End(unknown="Not known: no batch is running.")
    if work.in_review:
        return End(unknown="Not known: workers are asked nothing more, the rest waits for a researcher.")
    if (new := work.for_somebody_new) > 0:
        return End(unknown=WAITS.format(f"{new:,} answer{' waits' if new == 1 else 's wait'}"))
    if work.for_questions:
        return End(unknown=SHORT)
    found = rates(hours, now)
    moving = {window: rate for window, rate in found.items() if rate > 0}
    if not moving:
        return End(unknown="Not known: nothing was judged in the last week.")
    rest = left(work)
    usual = moving.get(USUAL) or moving[max(moving)]
    slowest = min(found.values())
    return End(
        earliest=_after(now, rest.least, max(moving.values())) if rest.least else None,
        likely=None if rest.likely is None else _after(now, rest.likely, usual),
        latest=None if rest.most is None or not slowest else _after(now, rest.most, slowest),
        unknown=""
        if rest.likely is not None
        else "Not known: too few images are done to say what one takes.",
    )


def last_end(ends: Sequence[End]) -> End:
    """Return when the last of these works ends. It is not known if one of them is not."""
    waiting = [one for one in ends if one.unknown != DONE]
    if not waiting:
        return End(unknown=DONE)
    for one in waiting:
        if one.unknown and one.earliest is None and one.latest is None:
            return one
    likely, latest = [one.likely for one in waiting], [one.latest for one in waiting]
    return End(
        earliest=max((one.earliest for one in waiting if one.earliest), default=None),
        likely=_last(likely),
        latest=_last(latest),
        unknown=next((one.unknown for one in waiting if one.unknown), ""),
    )


def sum_of(rests: Sequence[Left | None]) -> Left:
    """Return what is left of these works together. None is what was not counted yet."""
    known = [one or Left(0, None, None) for one in rests]
    return Left(
        sum(one.least for one in known),
        _sum([one.likely for one in known]),
        _sum([one.most for one in known]),
    )


def _last(times: Sequence[datetime | None]) -> datetime | None:
    found = [time for time in times if time is not None]
    return max(found) if len(found) == len(times) else None


def _sum(numbers: Sequence[int | None]) -> int | None:
    found = [number for number in numbers if number is not None]
    return sum(found) if len(found) == len(numbers) else None


def _inside(begin: datetime, edge: datetime) -> float:
    share = (begin + timedelta(hours=1) - edge) / timedelta(hours=1)
    return min(max(share, 0.0), 1.0)


def _after(now: datetime, judgments: int, rate: float) -> datetime | None:
    """Return when so many judgments are given at this rate an hour, or None if that is too far off."""
    hours = judgments / rate
    return None if hours > FARTHEST / timedelta(hours=1) else now + timedelta(hours=hours)

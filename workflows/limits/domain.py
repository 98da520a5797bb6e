"""When suggestions do more harm than good, so that they are switched off for a worker or for a whole batch.

A suggestion is bad if its IoU with each known box is below .5 (`BAD_IOU`). Only those count that were shown
with verification questions, since only there is it known. All limits are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # numpy takes a second to import, and the web service reads this module
    from workflows.judges.domain.accuracy import Rates

MAX_ACCEPTED = 0.35
"""Of the bad suggestions that are shown, the share that may be accepted. In a simulated crowd that accepts
30%, as many of the final boxes are wrong as without suggestions; with 40%, more are [ours]."""
MIN_SHOWN = 5
"""Bad suggestions that a worker was shown, before a share is believed. If this is looked at after each of
300, a worker who accepts 15% is switched off in 0.3% of cases, and one who accepts all after five [ours]."""
MIN_SHOWN_TO_CROWD = 100
"""The same for all workers of a batch together: fewer are a matter of a few workers [ours]."""
MIN_JUDGED, MIN_IMAGES = 100, 20
"""Judged boxes and their images, before shares of good boxes are compared [ours]."""
SURELY = 3.0
"""By so many standard errors accepted suggestions must be worse than drawn boxes. They are compared again and
again while a batch runs, which finds a difference by chance more often than one look does [ours]."""

WORKER, CROWD, JUDGE, CHECKS = "worker", "crowd", "judge", "checks"
"""Why suggestions are switched off, as `SuggestionStop.Reason` has it."""

Shown = tuple[int, int]
"""Bad suggestions that a worker was shown, and those of them that the worker accepted."""
Judged = tuple[int, int, int]
"""An image, how many of its boxes of a kind checks accepted, and how many they accepted or rejected."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Why suggestions are switched off, and the figures that it rests on."""

    reason: str
    figures: Mapping[str, Any]


def about_worker(shown: int, accepted: int) -> Finding | None:
    """Return why a worker who accepted so many of the bad suggestions is shown no more, or None."""
    return _too_many(WORKER, shown, accepted, MIN_SHOWN)


def about_crowd(by_worker: Iterable[Shown]) -> Finding | None:
    """Return why a batch whose workers accepted so many bad suggestions shows no more, or None.

    Leave out workers who are shown none any more: what they did is mended already.
    """
    pairs = list(by_worker)
    shown, accepted = (sum(pair[place] for pair in pairs) for place in (0, 1))
    found = _too_many(CROWD, shown, accepted, MIN_SHOWN_TO_CROWD)
    return Finding(CROWD, {**found.figures, "workers": len(pairs)}) if found else None


def _too_many(reason: str, shown: int, accepted: int, least: int) -> Finding | None:
    """Return a finding if the lower end of Wilson's 95% interval is above MAX_ACCEPTED."""
    if shown < least:
        return None
    from evaluation.audit import error_rate

    low = error_rate(accepted, shown).low
    if low <= MAX_ACCEPTED:
        return None
    return Finding(
        reason, {"shown": shown, "accepted": accepted, "low": round(low, 4), "limit": MAX_ACCEPTED}
    )


def about_judge(rates: Mapping[str, Rates], family: str) -> Finding | None:
    """Return why a batch shows no boxes of this family of models any more, by a judge's rates, or None."""
    from workflows.judges.domain.gate import spoiling
    from workflows.pipeline.domain.joint_verdicts import PRIOR_GOOD

    if family not in spoiling(rates):
        return None
    one = rates[family]
    figures = {"family": family, "boxes": one.sealed, "good": round(one.prior.value, 4)}
    return Finding(JUDGE, {**figures, "high": round(one.prior.high, 4), "limit": PRIOR_GOOD})


def about_checks(taken: Sequence[Judged], drawn: Sequence[Judged]) -> Finding | None:
    """Return why a batch shows no suggestions any more, by the verdicts of workers, or None.

    `taken` are suggestions that were accepted and not moved, and `drawn` are boxes of photographs without
    suggestions. Boxes of one photograph are alike, so that the bounds are by photographs.
    """
    for some in (taken, drawn):
        if len(some) < MIN_IMAGES or sum(judged for _, _, judged in some) < MIN_JUDGED:
            return None
    (share, error), (other, other_error) = share_by_images(taken), share_by_images(drawn)
    high = share - other + SURELY * sqrt(error**2 + other_error**2)
    if high >= 0:
        return None
    figures = {
        "taken": sum(judged for _, _, judged in taken),
        "taken_good": round(share, 4),
        "drawn": sum(judged for _, _, judged in drawn),
        "drawn_good": round(other, 4),
    }
    return Finding(CHECKS, {**figures, "high": round(high, 4)})


def share_by_images(some: Sequence[Judged]) -> tuple[float, float]:
    """Return the share of good boxes, and its standard error if images are drawn at random.

    It is a ratio of two sums over at least two images, and the error is that of its linear approximation
    (Cochran 1977, Sampling Techniques, section 6.5).

    >>> share, error = share_by_images([(1, 2, 4), (2, 4, 4)])
    >>> share, round(error, 3)
    (0.75, 0.25)
    """
    judged = sum(number for _, _, number in some)
    share = sum(good for _, good, _ in some) / judged
    spread = sum((good - share * number) ** 2 for _, good, number in some)
    return share, sqrt(spread * len(some) / (len(some) - 1)) / judged


def say(reason: str, figures: Mapping[str, Any]) -> str:
    """Return why suggestions were switched off, as a sentence without its end."""
    if reason in (WORKER, CROWD):
        who = "the worker" if reason == WORKER else f"{figures['workers']} workers together"
        share = figures["accepted"] / figures["shown"]
        return (
            f"{who} accepted {figures['accepted']:,} of {figures['shown']:,} bad suggestions on known images "
            f"({share:.0%}; surely above {figures['limit']:.0%})"
        )
    if reason == JUDGE:
        return (
            f"of {figures['boxes']:,} accepted suggestions of {figures['family']} that the judge and workers "
            f"saw, {figures['good']:.1%} are good (at most {figures['high']:.1%}; of drawn boxes, "
            f"{figures['limit']:.1%} are)"
        )
    return (
        f"checks accepted {figures['taken_good']:.1%} of {figures['taken']:,} boxes that are suggestions, "
        f"and {figures['drawn_good']:.1%} of {figures['drawn']:,} that were drawn on photographs without any"
    )

"""What a forecast begins with: the paper's numbers, or the project's own once there are enough of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import exp, log

from annotation.domain.protocols import ALL_STAGES
from workflows.analysis.domain.kept_counts import FURTHER, Judgments, Results
from workflows.batch_settings.domain.protocol_stages import REJECTED, SECONDS

ENOUGH = 300
"""With this many judged boxes, or finished chains, the project's own shares are taken [ours]."""
ENOUGH_TIMES = 50
"""With this many judgments of a stage, the batch's own time is taken, or else the project's [ours]."""
PHOTOGRAPH = 4.0
"""So many seconds of an item are for looking at its photograph, if it was not there already. They are
assumed, as in `make bench-protocols` [ours]."""
ENOUGH_PAGES = 50
"""With this many judged pages, the project's own share of rejected pages is taken [ours]."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about the work of a stage."""

    seconds: float  # mean time of an item
    rejected: float  # share of judged pages
    own: bool = False  # these are the project's own numbers, not the paper's
    answers: int = 0  # how many judgments the project's own time comes from
    further: float = 0.0  # share of its judgments that were about the photograph of the one before
    here: bool = False  # the time was measured in this batch


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The best guesses that a forecast begins with: by default the paper's numbers."""

    stages: Mapping[str, Known] = field(
        default_factory=lambda: {stage: Known(SECONDS[stage], REJECTED[stage]) for stage in ALL_STAGES}
    )
    bad: float | None = None  # share of drawn boxes that is rejected
    without: float | None = None  # share of chains that end without a box
    several: float | None = None  # share of chains that end with more than one


def learnt(
    judgments: Judgments | None, results: Results | None, *, here: Judgments | None = None
) -> Knowledge:
    """Return the project's own numbers where there are enough of them, and else the paper's (table 3).

    Where there are enough judgments of the batch itself, `here`, they say how long an item of a stage takes.
    """
    stages = {stage: Known(SECONDS[stage], REJECTED[stage]) for stage in ALL_STAGES}
    for found in (judgments, here):
        for stage, one in (found.stages if found else {}).items():
            if stage in stages and one.judgments >= ENOUGH_TIMES and one.median and one.p90:
                share = one.rejected if one.pages_judged >= ENOUGH_PAGES else None
                again = one.ways[FURTHER].answers if FURTHER in one.ways else 0
                stages[stage] = Known(
                    _mean(one.median, one.p90),
                    stages[stage].rejected if share is None else min(share, 0.9),
                    own=True,
                    answers=one.judgments,
                    further=min(1.0, again / one.judgments),
                    here=found is here,
                )
    if results is None:
        return Knowledge(stages)
    good, bad = results.boxes.get("accepted", 0), results.boxes.get("rejected", 0)
    ends = results.chains_by_boxes
    finished = sum(ends.values())
    return Knowledge(
        stages,
        bad=bad / (good + bad) if good + bad >= ENOUGH else None,
        without=ends.get("none", 0) / finished if finished >= ENOUGH else None,
        several=ends.get("several", 0) / finished if finished >= ENOUGH else None,
    )


def with_visits(knowledge: Knowledge, further: Mapping[str, float]) -> Knowledge:
    """Return what is known if these shares of a stage's items are about the photograph of the one before.

    Nobody has to look at that again. Nobody could in the paper, as far as one knows. Times that were
    measured in the batch itself stay as they are.
    """
    stages = {
        stage: known
        if known.here or stage not in further
        else replace(known, seconds=max(1.0, known.seconds - PHOTOGRAPH * (further[stage] - known.further)))
        for stage, known in knowledge.stages.items()
    }
    return replace(knowledge, stages=stages)


def _mean(median: float, p90: float) -> float:
    """Return the mean of times in a lognormal distribution, which those of answers nearly have [ours]."""
    spread = min(1.5, max(0.0, log(max(p90, median) / median) / 1.2816))
    return median * exp(spread * spread / 2)

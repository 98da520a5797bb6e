"""Forecast what a batch takes: items, judgments, hours and money a stage, each with a range.

Every number that is not known is drawn around its best guess, a few hundred times, and the sums are worked
out. The best guess is the paper's, or the project's own once there is enough of it. The range goes from the
5th to the 95th percentile of these draws; the middle is their median. docs/batches.md has the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from random import Random

from annotation.domain.answers import Stage
from workflows.analysis.domain.kept_counts import Judgments, Results
from workflows.batch_settings.domain.paper import REJECTED, SECONDS, VERIFIED
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.image_work import Drawn, Model
from workflows.batches.domain.link_work import ImageShape

DRAWS = 200
LOW, HIGH = 0.05, 0.95
ENOUGH = 300
"""With this many judgments of a stage, or finished chains, the project's own numbers are taken [ours]."""
ENOUGH_PAGES = 50
"""With this many judged pages, the project's own share of rejected pages is taken [ours]."""

# Standard deviations of the logarithms of what is drawn [ours]: the paper does not give them.
_CHAINS_SD, _JOINED_SD, _SETTLED_SD, _BROKEN_SD, _ERRORS_SD = 0.35, 0.15, 0.25, 0.35, 0.35
_WITHOUT_SD, _MORE_SD, _SECONDS_SD, _OWN_SD, _REJECTED_SD = 0.20, 0.25, 0.25, 0.08, 0.30
_CHANCE = 0.25
"""How far an image deviates from what its mentions lead one to expect, as a share [ours]. It is 0.16 to 0.21
for links and chains of the images of `make bench-strategies`, and more where boxes are drawn."""
_FURTHEST = 3.0
"""Draws are limited to so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Range:
    """The 5th, 50th and 95th percentile of a number."""

    low: float = 0.0
    middle: float = 0.0
    high: float = 0.0


@dataclass(frozen=True, slots=True)
class Sums:
    """What one stage or all stages take. Money is in the currency's smallest unit."""

    items: Range = Range()
    judgments: Range = Range()  # with those of rejected pages
    pages: Range = Range()  # with verification questions, entrances and rejected pages
    hours: Range = Range()  # of all workers together
    money: Range = Range()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about the work of a stage."""

    seconds: float  # mean time of an item
    rejected: float  # share of judged pages
    own: bool = False  # these are the project's own numbers, not the paper's


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The best guesses that a forecast begins with: by default the paper's numbers."""

    stages: Mapping[str, Known] = field(
        default_factory=lambda: {stage: Known(SECONDS[stage], REJECTED[stage]) for stage in Stage}
    )
    bad: float | None = None  # share of drawn boxes that is rejected
    without: float | None = None  # share of chains that end without a box
    several: float | None = None  # share of chains that end with more than one


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a batch takes in all and in each stage."""

    stages: Mapping[str, Sums]
    total: Sums
    wall: Range  # hours until it is over, with `workers` at work all the time
    wages: Mapping[str, float]  # by stage: reward an hour, in smallest units
    knowledge: Knowledge
    images: int
    workers: int


def learnt(judgments: Judgments | None, results: Results | None) -> Knowledge:
    """Return the project's own numbers where there are enough of them, and else the paper's (table 3)."""
    stages = {stage: Known(SECONDS[stage], REJECTED[stage]) for stage in map(str, Stage)}
    for stage, one in (judgments.stages if judgments else {}).items():
        if stage in stages and one.judgments >= ENOUGH and one.median and one.p90:
            share = one.rejected if one.pages_judged >= ENOUGH_PAGES else None
            rejected = stages[stage].rejected if share is None else min(share, 0.9)
            stages[stage] = Known(_mean(one.median, one.p90), rejected, own=True)
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


def _mean(median: float, p90: float) -> float:
    """Return the mean of times in a lognormal distribution, which those of answers nearly have [ours]."""
    spread = min(1.5, max(0.0, log(max(p90, median) / median) / 1.2816))
    return median * exp(spread * spread / 2)


def forecast(
    sample: Sequence[ImageShape],
    images: int,
    settings: BatchSettings,
    *,
    workers: int,
    rng: Random,
    knowledge: Knowledge | None = None,
) -> Forecast:
    """Return what a batch of so many images takes with so many workers. `sample` are some of its images.

    With the same random source, more images never take less.
    """
    knowledge = knowledge or Knowledge()
    number = min(images, settings.target) if settings.target else images
    model = Model(sample, settings, bad=knowledge.bad, without=knowledge.without, several=knowledge.several)
    draws = [_draw(model, number, settings, knowledge, workers, rng) for _ in range(DRAWS)] if number else []
    stages = {stage: _sums([draw[stage] for draw in draws]) for stage in map(str, Stage)}
    total = _sums([_added(list(draw.values())) for draw in draws])
    at_once = max(1, workers)
    return Forecast(
        stages=stages,
        total=total,
        wall=Range(total.hours.low / at_once, total.hours.middle / at_once, total.hours.high / at_once),
        wages={
            stage: 3600 * settings.reward[stage] / (known.seconds * settings.items_a_page[stage])
            for stage, known in knowledge.stages.items()
        },
        knowledge=knowledge,
        images=number,
        workers=workers,
    )


_Row = tuple[float, float, float, float, float]
"""Items, judgments, pages, hours, money."""


def _added(rows: Sequence[_Row]) -> _Row:
    items, judgments, pages, hours, money = (sum(row[n] for row in rows) for n in range(5))
    return items, judgments, pages, hours, money


def _sums(rows: Sequence[_Row]) -> Sums:
    return Sums(*(_range([row[n] for row in rows]) for n in range(5)))


def _range(values: Sequence[float]) -> Range:
    order = sorted(values)
    if not order:
        return Range()
    return Range(*(order[round(share * (len(order) - 1))] for share in (LOW, 0.5, HIGH)))


def _draw(
    model: Model, images: int, settings: BatchSettings, knowledge: Knowledge, workers: int, rng: Random
) -> dict[str, _Row]:
    def off(spread: float) -> float:
        return exp(spread * _normal(rng))

    drawn = Drawn(
        news=off(_CHAINS_SD),
        errors=off(_ERRORS_SD),
        without=off(_WITHOUT_SD),
        more=off(_MORE_SD),
        broken=min(0.5, (1 - VERIFIED) * off(_BROKEN_SD)),
        joined=off(_JOINED_SD),
        settled=off(_SETTLED_SD),
    )
    # A small sample says less about the batch. Over many images, chance evens out.
    unseen = abs(1 / max(1, model.sample) - 1 / images)

    def number(vary: float) -> float:
        spread = sqrt(vary * vary * unseen + _CHANCE * _CHANCE / images)
        return images * max(0.2, 1 + spread * _normal(rng))

    of_links, of_chains = number(model.links_vary), number(model.chains_vary)
    everybody = off(0.5 * _SECONDS_SD)
    taken = model.taken(drawn)
    rows = {}
    for stage, one in taken.items():
        many = of_links if stage == Stage.LINK else of_chains
        items, judgments = many * one.items, many * one.judgments
        rows[stage] = _row(stage, items, judgments, settings, knowledge, workers, everybody, rng)
    return rows


def _row(
    stage: str,
    items: float,
    judgments: float,
    settings: BatchSettings,
    knowledge: Knowledge,
    workers: int,
    everybody: float,
    rng: Random,
) -> _Row:
    """Return the sums of one stage.

    Pages hold verification questions, too, those of an entrance nothing else. Rejected pages are paid.
    """
    known, control, regime = knowledge.stages[stage], settings.control, settings.regime[stage]
    spread = _OWN_SD if known.own else _SECONDS_SD
    seconds = known.seconds * exp(spread * _normal(rng)) * (1.0 if known.own else everybody)
    rejected = min(0.9, known.rejected * exp(_REJECTED_SD * _normal(rng)))
    entering = rng.uniform(0.5, 1.0)  # of the workers: not everybody does every stage [ours]
    a_page = settings.items_a_page[stage]
    share, entrance = 0.0, 0.0
    if regime == Regime.VERIFICATION:
        share, judgments = control.verification_share, judgments / (1 - rejected)
    elif regime == Regime.TRUSTED:
        share = control.trusted_share
        # Workers who fail the entrance are paid, and others have to come instead [ours]. Nobody comes twice,
        # and no more workers come than there are judgments to give.
        entrance = control.entrance * min(judgments, entering * workers / (1 - rejected))
    answers = judgments / (1 - share) + entrance
    pages = answers / a_page
    return items, judgments, pages, answers * seconds / 3600, pages * settings.reward[stage]


def _normal(rng: Random) -> float:
    return max(-_FURTHEST, min(_FURTHEST, rng.gauss(0.0, 1.0)))

"""How far the verification questions of a batch reach.

Nobody is asked a verification question twice, and a page with items needs some. So each worker can do only so
many pages of a stage, and a batch takes at least so many workers who go on until they get no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt
from statistics import NormalDist

from workflows.assignments.domain import RESERVED_SHARE, most_of
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.team import people_needed
from workflows.questions.domain.supply import USUAL_YIELD, entrance_length, left_over, question_share

STAY = 0.5
"""The share of people who go on to the end; the others fail an entrance, lose trust or leave [ours]."""
SURE = 0.95
EXPECTED = 10
"""How many people one can expect to go on to the end if a platform brings them, or if nobody is invited yet
[ours]."""


@dataclass(frozen=True, slots=True)
class Needed:
    """The answers to items that a stage takes: at the least, probably, and at the most."""

    least: float
    likely: float
    most: float


@dataclass(frozen=True, slots=True)
class StageReach:
    """How far the questions of a stage reach. Pages are full pages with items."""

    pages_each: float  # that somebody new gets before their questions are used up
    pages: float  # that the batch probably takes
    workers: int  # new workers who go on to the end that it probably takes
    most_workers: int  # and that it takes at the most
    share: float  # of what the batch probably takes, that the people can do
    least_share: float  # of what the batch takes at the least, that the people can do


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the questions of a batch reach, in the stages that need some on pages with items."""

    stages: Mapping[str, StageReach]
    people: int  # who are invited, or whom one can expect
    invited: bool
    open: bool  # whether more people can come by themselves
    images: int  # of the batch
    more_images: int  # with questions like those that there are, for these people to be enough
    opinions: int  # of different people that one item may take, if they disagree

    @property
    def narrowest(self) -> str:
        """Return the stage in which the questions are used up first."""
        return min(self.stages, key=lambda stage: self.stages[stage].share)

    @property
    def people_to_plan_for(self) -> int:
        """Return with how many new people enough go on to the end, with a probability of `SURE`.

        They are enough even if the batch takes as much as the forecast's upper end: a plan for the middle is
        too low every second time.
        """
        return people_for(max(self.opinions, *(one.most_workers for one in self.stages.values())))

    @property
    def enough(self) -> bool:
        """Return whether the questions probably last."""
        return all(one.share >= 1 for one in self.stages.values())

    @property
    def hopeless(self) -> bool:
        """Return whether the batch cannot end: nobody gets a page, or there are too few people for sure."""
        stages = self.stages.values()
        return any(one.pages and not one.pages_each for one in stages) or (
            not self.open and any(one.least_share < 1 for one in stages)
        )

    @property
    def dry_after(self) -> int:
        """Return of about how many images the work is done when the people have used up the questions."""
        return int(self.images * min(1.0, *(one.share for one in self.stages.values())))


def people_for(staying: int) -> int:
    """Return how many people have to come so that at least so many stay, with a probability of `SURE`.

    Uses the normal approximation of the binomial distribution.
    """
    spread = NormalDist().inv_cdf(SURE) * sqrt(STAY * (1 - STAY))
    return ceil(((spread + sqrt(spread**2 + 4 * STAY * (staying - 0.5))) / (2 * STAY)) ** 2)


def pages_for(questions: int, size: int, share: float) -> float:
    """Return about how many full pages of `size` somebody gets who was not asked so many questions yet.

    A page has `size * share` questions, rounded up or down at random, and there is no page if fewer are left
    than it may need.
    """
    most = most_of(size, size, share)
    if most == 0:
        return inf
    if questions < most:
        return 0.0
    whole, part = divmod(size * share, 1)
    # If a page has two or more, one or a few are left over in the end, half of the most on average.
    return float(questions // whole) if not part else (questions - whole / 2) / (size * share)


def left_for_newcomer(
    stock: Mapping[str, Mapping[int, int]], settings: BatchSettings, *, reserved: Collection[int]
) -> dict[str, int]:
    """Return by stage how many questions are left for somebody new who has entered every stage.

    `stock` counts the gold questions by stage and image. More images are `reserved` for entrances, a page
    at a time, until they have a quarter of each stage's questions.
    """
    entrances: dict[str, int] = {}
    for stage in settings.stages:
        if length := entrance_length(settings, stage):
            size, quarter = settings.items_a_page[stage], RESERVED_SHARE * sum(stock.get(stage, {}).values())
            length = max(length, ceil(quarter / size) * size)
        entrances[stage] = length
    # The stages with an entrance come first: each takes images from all the others.
    order = sorted(entrances, key=lambda stage: not entrances[stage])
    return left_over(stock, {stage: entrances[stage] for stage in order}, reserved=reserved)


def question_reach(
    stock: Mapping[str, Mapping[int, int]],
    settings: BatchSettings,
    needed: Mapping[str, Needed],
    *,
    reserved: Collection[int],
    images: int,
    people: Sequence[Mapping[str, int]] = (),
    open_to_others: bool = True,
) -> Reach | None:
    """Return how far the questions reach, or None if no stage needs any on pages with items.

    `people` says for each person who is there how many questions are left for them now, in each stage in
    which they may work. Without anybody, EXPECTED new people are assumed. If the batch is
    `open_to_others`, more may come.
    """
    newcomer = left_for_newcomer(stock, settings, reserved=reserved)
    stages: dict[str, StageReach] = {}
    more = 0
    serves = Counter(image for counts in stock.values() for image in counts)
    for stage, asked in needed.items():
        share, size = question_share(settings, stage), settings.items_a_page[stage]
        if not share:
            continue
        items = size * (1 - share)
        lefts = [min(newcomer[stage], one[stage]) for one in people if stage in one]
        if not people:
            lefts = [newcomer[stage]] * EXPECTED
        answers = items * sum(pages_for(left, size, share) for left in lefts)
        each = pages_for(newcomer[stage], size, share)
        stages[stage] = found = StageReach(
            pages_each=each,
            pages=asked.likely / items,
            workers=ceil(asked.likely / (items * each)) if each else 0,
            most_workers=ceil(asked.most / (items * each)) if each else 0,
            share=answers / asked.likely if asked.likely else 1.0,
            least_share=answers / asked.least if asked.least else 1.0,
        )
        if found.share < 1:
            number = max(1, len(lefts))
            wanted = asked.likely / number * share / (1 - share) + most_of(size, size, share)
            counts = stock.get(stage, {})
            # An image with questions of one other stage only has some that were written by hand.
            like = sum(number > 1 or image in counts for image, number in serves.items())
            made = sum(counts.values()) / like if like else USUAL_YIELD
            kept = 1 - RESERVED_SHARE if settings.regime[stage] == Regime.TRUSTED else 1.0
            more = max(more, ceil((wanted - sum(lefts) / number) / (kept * (made or USUAL_YIELD))))
    if not stages:
        return None
    return Reach(
        stages,
        people=len(people) or EXPECTED,
        invited=bool(people),
        open=open_to_others or not people,
        images=images,
        more_images=more,
        opinions=max(people_needed(settings).values()),
    )

"""Forecast what a batch takes: items, judgments, hours and money a stage, each with a range.

Every number that is not known is drawn around its best guess, a few hundred times, and the sums are worked
out. The best guesses are in `knowledge` beside this module. The range goes from the 5th to the 95th
percentile of these draws; the middle is their median. docs/batches.md has the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, hypot, sqrt
from random import Random
from typing import NamedTuple

from annotation.domain.answers import JointStage, Stage
from annotation.domain.protocols import Campaign
from workflows.batch_settings.domain.paper import VERIFIED
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import PAGE_VISIT, PAY_BY_PAGE, BatchSettings
from workflows.batches.domain.campaign_course import CampaignModel, entrances_of
from workflows.batches.domain.image_work import Drawn, Model
from workflows.batches.domain.knowledge import Knowledge
from workflows.batches.domain.link_work import ImageShape
from workflows.batches.domain.page_course import Played, Work, play
from workflows.money.domain.model_calls import cost_of_calls
from workflows.money.domain.wage_floor import test_bonus
from workflows.questions.domain.supply import entrance_length, question_share

DRAWS = 200
LOW, HIGH = 0.05, 0.95

# Standard deviations of the logarithms of what is drawn [ours]: the paper does not give them.
_CHAINS_SD, _JOINED_SD, _SETTLED_SD, _BROKEN_SD, _ERRORS_SD = 0.35, 0.15, 0.25, 0.35, 0.35
_WITHOUT_SD, _MORE_SD, _SECONDS_SD, _OWN_SD, _REJECTED_SD = 0.20, 0.25, 0.25, 0.08, 0.30
_ANSWERS_SD = 0.7
"""The same of single answers. The mean of few of them deviates more from that of all."""
_CHANCE = 0.25
"""How far an image deviates from what its mentions lead one to expect, as a share [ours]. It is 0.16 to 0.21
for links and chains of the images of `make bench-strategies`, and more where boxes are drawn."""
_FURTHEST = 3.0
"""Draws are limited to so many standard deviations."""
MAX_PLAYED = 40
"""So many images are played through at most. How many pages of more images are not full is the same [ours]:
that happens at the beginning and at the end."""
MAX_AT_WORK = 60
"""So many people at most take part in a play."""
PLAYS = 6
_PARTLY_SD = 0.12
"""How far the number of pages that are not full deviates: people come and go, and choose stages [ours]."""
_ENTERING_SD = 0.15
"""How far the number of people who enter a stage deviates: not everybody does every stage [ours]."""
MAX_FAILING = 0.5
"""Between nobody and this part of the paper's share fail: its shares are of workers who were not trusted,
and not everybody who comes is like them [ours]."""


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
    money: Range = Range()  # rewards
    cost: Range = Range()  # with fees and top-ups, as far as `prices` have them, and answers of a model
    tests: Range = Range()  # of the cost: passed qualification tests
    unfilled: Range = Range()  # of the cost: what pages that are not full cost more than full ones


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


def forecast(
    sample: Sequence[ImageShape],
    images: int,
    settings: BatchSettings,
    *,
    workers: int,
    rng: Random,
    knowledge: Knowledge | None = None,
    prices: Mapping[str, float] | None = None,
) -> Forecast:
    """Return what a batch of so many images takes with so many workers. `sample` are some of its images.

    `prices` say what a page of each stage costs altogether; without them, it is the reward. With the same
    random source, more images never take fewer judgments.
    """
    knowledge, prices = knowledge or Knowledge(), prices or settings.reward
    number = min(images, settings.target) if settings.target else images
    model = _model(sample, settings, knowledge)
    plays = _plays(model, number, settings, knowledge, workers, Random(rng.random())) if number else []
    draws = [
        _draw(model, number, settings, knowledge, workers, *plays[n % len(plays)], prices, rng)
        for n in range(DRAWS if number else 0)
    ]
    stages = {stage: _sums([draw[stage] for draw in draws]) for stage in settings.stages}
    total = _sums([_added(list(draw.values())) for draw in draws])
    at_once = max(1, workers)
    return Forecast(
        stages=stages,
        total=total,
        wall=Range(total.hours.low / at_once, total.hours.middle / at_once, total.hours.high / at_once),
        wages={
            stage: 3600 * settings.reward[stage] / (knowledge.stages[stage].seconds * a_page)
            for stage, a_page in settings.items_a_page.items()
        },
        knowledge=knowledge,
        images=number,
        workers=workers,
    )


def _model(
    sample: Sequence[ImageShape], settings: BatchSettings, knowledge: Knowledge
) -> Model | CampaignModel:
    if settings.campaign is not Campaign.ENTITIES:
        return CampaignModel(sample, settings)
    return Model(sample, settings, bad=knowledge.bad, without=knowledge.without, several=knowledge.several)


class _Row(NamedTuple):
    """What a stage or all stages take in one draw: the fields of Sums."""

    items: float
    judgments: float
    pages: float
    hours: float
    money: float
    cost: float
    tests: float
    unfilled: float


def _added(rows: Sequence[_Row]) -> _Row:
    return _Row(*map(sum, zip(*rows, strict=True)))


def _sums(rows: Sequence[_Row]) -> Sums:
    return Sums(*(_range([row[n] for row in rows]) for n in range(len(_Row._fields))))


def _range(values: Sequence[float]) -> Range:
    order = sorted(values)
    if not order:
        return Range()
    return Range(*(order[round(share * (len(order) - 1))] for share in (LOW, 0.5, HIGH)))


def _plays(
    model: Model | CampaignModel,
    images: int,
    settings: BatchSettings,
    knowledge: Knowledge,
    workers: int,
    rng: Random,
) -> list[tuple[Mapping[str, float], Played]]:
    """Play some images through several times, each time with other shares of people or pages that fail.

    Return these shares by stage with each play.
    """
    if isinstance(model, CampaignModel):
        return [(_failing(knowledge, rng), entrances_of(settings, min(workers, MAX_AT_WORK)))]
    work = Work(model.middle.links, model.middle.alone, model.middle.several)
    seconds = {stage: known.seconds for stage, known in knowledge.stages.items()}
    plays: list[tuple[Mapping[str, float], Played]] = []
    for _ in range(PLAYS):
        rejected = _failing(knowledge, rng)
        played = play(
            work,
            min(images, MAX_PLAYED),
            settings,
            workers=min(workers, MAX_AT_WORK),
            seconds=seconds,
            rejected=rejected,
            rng=rng,
        )
        plays.append((rejected, played))
    return plays


def further_items(
    sample: Sequence[ImageShape],
    images: int,
    settings: BatchSettings,
    *,
    workers: int,
    rng: Random,
    knowledge: Knowledge,
) -> dict[str, float]:
    """Return by stage which share of items is about the photograph of the one before: none without visits."""
    if settings.page != PAGE_VISIT or settings.campaign is not Campaign.ENTITIES or not images:
        return {}
    model = _model(sample, settings, knowledge)
    further: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for _, played in _plays(model, images, settings, knowledge, workers, rng):
        further.update(played.further)
        judged.update(played.judgments)
    return {stage: further[stage] / number for stage, number in judged.items() if number}


def answers_needed(
    sample: Sequence[ImageShape],
    images: int,
    settings: BatchSettings,
    *,
    rng: Random,
    knowledge: Knowledge | None = None,
) -> dict[str, Range]:
    """Return the judgments of each stage as `forecast` does, which takes longer, since it plays pages."""
    knowledge = knowledge or Knowledge()
    number = min(images, settings.target) if settings.target else images
    model = _model(sample, settings, knowledge)
    drawn = [
        _given(model, number, settings, knowledge, _failing(knowledge, rng), rng)[0]
        for _ in range(DRAWS if number else 0)
    ]
    return {stage: _range([one[stage].judgments for one in drawn]) for stage in settings.stages}


def _failing(knowledge: Knowledge, rng: Random) -> dict[str, float]:
    """Draw the share of people or pages that fail, by stage."""
    share = rng.uniform(0.0, MAX_FAILING)
    return {
        stage: known.rejected if known.own else share * known.rejected
        for stage, known in knowledge.stages.items()
    }


def _draw(
    model: Model | CampaignModel,
    images: int,
    settings: BatchSettings,
    knowledge: Knowledge,
    workers: int,
    failing: Mapping[str, float],
    played: Played,
    prices: Mapping[str, float],
    rng: Random,
) -> dict[str, _Row]:
    given, off = _given(model, images, settings, knowledge, failing, rng)
    return {
        stage: _paged(stage, one, images, settings, workers, played, off, prices)
        for stage, one in given.items()
    }


@dataclass(frozen=True, slots=True)
class _Given:
    """What a stage takes in one draw, before it is known how full its pages are."""

    items: float
    judgments: float  # with those of rejected pages
    seconds: float  # of an item


def _given(
    model: Model | CampaignModel,
    images: int,
    settings: BatchSettings,
    knowledge: Knowledge,
    failing: Mapping[str, float],
    rng: Random,
) -> tuple[dict[str, _Given], tuple[float, float]]:
    """Draw what each stage takes, and the factors on pages that are not full and on entrances."""

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
    factors = off(_PARTLY_SD), off(_ENTERING_SD)
    rows = {}
    for stage, one in model.taken(drawn).items():
        many = of_links if stage == Stage.LINK else of_chains
        items, judgments = many * one.items, many * one.judgments
        rows[stage] = _row(stage, items, judgments, settings, knowledge, failing[stage], everybody, rng)
    return rows, factors


def _row(
    stage: str,
    items: float,
    judgments: float,
    settings: BatchSettings,
    knowledge: Knowledge,
    failing: float,
    everybody: float,
    rng: Random,
) -> _Given:
    known = knowledge.stages[stage]
    spread = hypot(_OWN_SD, _ANSWERS_SD / sqrt(known.answers or 1)) if known.own else _SECONDS_SD
    seconds = known.seconds * exp(spread * _normal(rng)) * (1.0 if known.own else everybody)
    rejected = min(0.9, failing * exp(_REJECTED_SD * _normal(rng)))
    if settings.regime[stage] == Regime.VERIFICATION:
        judgments /= 1 - rejected
    return _Given(items, judgments, seconds)


def _paged(
    stage: str,
    given: _Given,
    images: int,
    settings: BatchSettings,
    workers: int,
    played: Played,
    off: tuple[float, float],
    prices: Mapping[str, float],
) -> _Row:
    """Return the sums of one stage, with as many pages as the images that were played through lead to.

    Pages hold verification questions, too, those of an entrance nothing else. Rejected pages are paid, and
    so are pages that are not full, whole or as their items. Whoever passes a test may be paid for it. `off`
    are factors on pages that are not full, and on entrances.
    """
    partly, entering = off
    regime, a_page = settings.regime[stage], settings.items_a_page[stage]
    share = question_share(settings, stage)
    full = given.judgments / (1 - share) / a_page
    pages, unfilled = full, 0.0
    if judged := played.judgments.get(stage, 0):
        number = min(images, MAX_PLAYED)
        missing = max(0.0, played.pages[stage] - judged / (1 - share) / a_page)
        unfilled = partly * missing * given.judgments / (judged * images / number)
        pages += unfilled
    entrances = 0.0
    if enters := entrance_length(settings, stage):
        # Nobody comes twice, and no more workers come than there are judgments to give.
        most = given.judgments * enters / a_page
        entrances = min(most, entering * played.entrances.get(stage, 0) * max(1.0, workers / MAX_AT_WORK))
    answers = given.judgments / (1 - share) + entrances * a_page
    pages += entrances
    paid = pages if settings.pay_by == PAY_BY_PAGE else full + entrances
    entering_people = entrances * a_page / enters if enters else float(workers)
    tests = 0.0 if regime == Regime.OPEN else entering_people * test_bonus(settings, stage)
    asked = given.items if stage == JointStage.CHECK and settings.judge.model else 0.0
    return _Row(
        items=given.items,
        judgments=given.judgments,
        pages=pages,
        hours=answers * given.seconds / 3600,
        money=paid * settings.reward[stage],
        cost=paid * prices[stage] + tests + cost_of_calls(settings.judge.price, round(asked)),
        tests=tests,
        unfilled=unfilled * prices[stage] if settings.pay_by == PAY_BY_PAGE else 0.0,
    )


def _normal(rng: Random) -> float:
    return max(-_FURTHEST, min(_FURTHEST, rng.gauss(0.0, 1.0)))

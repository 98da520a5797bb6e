"""The forecast of a batch as pages show it."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.domain.protocols import Campaign
from annotation.models import Batch
from console.common.labels import STAGES
from console.common.ranges import say_hours, say_range, say_rewards
from console.crowd.cost_forecast import Costs, costs
from workflows.batch_settings.domain.paper import SECONDS
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import PAY_BY_PAGE
from workflows.batch_settings.selectors import settings_of
from workflows.batches.cost_forecast import SAMPLE, forecast_batch
from workflows.batches.domain.forecast import Forecast, Range, Sums
from workflows.batches.question_reach import workers_of
from workflows.money.domain.currencies import amount

MAX_WORKERS = 10_000


@dataclass(frozen=True, slots=True)
class Line:
    """A stage, or all of them: words of each figure, the middle and the range."""

    name: str
    items: tuple[str, str]
    judgments: tuple[str, str]
    pages: tuple[str, str]
    hours: tuple[str, str]
    money: tuple[str, str]
    wage: str = ""
    pace: str = ""

    @property
    def figures(self) -> list[tuple[str, str]]:
        """In the order of the table."""
        return [self.items, self.judgments, self.pages, self.hours, self.money]


@dataclass(frozen=True, slots=True)
class Outlook:
    """All there is to say."""

    lines: list[Line]
    total: Line
    wall: tuple[str, str]
    most: str  # the costs, at the upper end
    paid: bool
    whole: bool  # whether a page pays its whole reward, however few items it has
    images: int
    sample: int
    workers: int
    own: list[str]  # stages whose times are the project's own
    assumed: list[str]  # stages whose times are neither the project's nor the paper's
    checked: bool  # whether workers answer verification questions in any stage
    untested: list[str]  # stages under `open`: nothing is set aside for verification questions
    tests: str  # what passed qualification tests cost; "" if nothing
    unfilled: str  # what pages that are not full cost more than full ones; "" if nothing
    tested: bool  # whether workers take a qualification test
    grounds: bool  # whether chains and boxes are made
    costs: Costs | None  # with fees and top-ups; None where rewards are all there is


def outlook(batch: Batch, images: int, workers: int | None = None) -> Outlook:
    """What the batch of so many images would take from its beginning to its end."""
    workers = workers or workers_of(batch)
    return outlook_of(batch, forecast_batch(batch, images, workers))


def outlook_of(batch: Batch, seen: Forecast) -> Outlook:
    """The forecast of a batch as pages show it."""
    settings = settings_of(batch)
    return Outlook(
        lines=[_stage(stage, seen, settings.currency) for stage in settings.stages],
        total=_line("All stages", seen.total, settings.currency),
        wall=say_hours(seen.wall),
        most=amount(seen.total.cost.high, settings.currency),
        paid=any(settings.reward.values()),
        whole=settings.pay_by == PAY_BY_PAGE,
        images=seen.images,
        sample=min(SAMPLE, seen.images),
        workers=seen.workers,
        own=[STAGES[stage] for stage in settings.stages if seen.knowledge.stages[stage].own],
        assumed=[
            STAGES[stage]
            for stage in settings.stages
            if stage not in SECONDS and not seen.knowledge.stages[stage].own
        ],
        checked=any(regime != Regime.OPEN for regime in settings.regime.values()),
        untested=[STAGES[stage] for stage in settings.stages if settings.regime[stage] == Regime.OPEN],
        tests=_some(seen.total.tests, settings.currency),
        unfilled=_some(seen.total.unfilled, settings.currency),
        tested=settings.screening.test and any(regime != Regime.OPEN for regime in settings.regime.values()),
        grounds=settings.campaign is Campaign.ENTITIES,
        costs=costs(settings, seen),
    )


def _some(one: Range, currency: str) -> str:
    return amount(one.middle, currency) if one.middle >= 1 else ""


def _stage(stage: str, seen: Forecast, currency: str) -> Line:
    name, known = STAGES[stage], seen.knowledge.stages[stage]
    return _line(
        name[:1].upper() + name[1:],
        seen.stages[stage],
        currency,
        wage=amount(seen.wages[stage], currency) if seen.wages[stage] else "unpaid",
        pace=f"{known.seconds:.1f} s",
    )


def _line(name: str, sums: Sums, currency: str, wage: str = "", pace: str = "") -> Line:
    return Line(
        name=name,
        items=say_range(sums.items),
        judgments=say_range(sums.judgments),
        pages=say_range(sums.pages),
        hours=say_hours(sums.hours),
        money=say_rewards(sums.money, currency),
        wage=wage,
        pace=pace,
    )

"""The total costs of a batch: rewards, the platform's fees, and top-ups to the lowest wage."""

from __future__ import annotations

from dataclasses import dataclass

from console.common.labels import STAGES
from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.cost_forecast import page_time, top_up
from workflows.batches.domain.forecast import Forecast, Range
from workflows.batches.domain.knowledge import ENOUGH_TIMES
from workflows.crowd.installation import Fees, fees_of
from workflows.money.domain.currencies import amount
from workflows.money.domain.wage_floor import PageTime, floor_of_stage


@dataclass(frozen=True, slots=True)
class Price:
    """The costs of a page of a stage, in words. `short` is what it lacks to the lowest wage, or ''."""

    name: str
    reward: str
    fee: str
    seconds: str
    wage: str  # an hour, of the reward alone
    short: str
    top_up: str  # what topping up costs a page, with its fee; empty: nobody tops up
    total: str  # of all pages, the middle


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of the whole batch. `over` is by how much the upper estimate exceeds the cap."""

    prices: list[Price]
    middle: str
    span: str
    cap: str
    over: str
    floor: str  # the wage floor, an hour; empty: none
    tops_up: bool
    fees_known: bool
    platform: bool  # whether a platform takes fees that are in these amounts
    fees_aside: bool  # whether a platform may take fees that are unknown here
    enough: int = ENOUGH_TIMES  # judgments of a stage from which its time is measured


def costs(settings: BatchSettings, seen: Forecast) -> Costs | None:
    """Return the costs, or None for direct workers without a lowest wage or cap, who cost only rewards."""
    crowd, fees = settings.crowd, fees_of(settings)
    if crowd.provider == DIRECT and not crowd.hourly_wage and crowd.cap is None:
        return None
    times = {stage: page_time(settings, seen.knowledge, stage) for stage in settings.stages}
    total, currency = seen.total.cost, settings.currency
    over = max(0.0, total.high - crowd.cap) if crowd.cap is not None else 0.0
    return Costs(
        prices=[
            _price(stage, settings, fees, times[stage], seen.stages[stage].cost, seen)
            for stage in settings.stages
        ],
        middle=amount(total.middle, currency),
        span=f"{amount(total.low, currency).split()[0]} to {amount(total.high, currency)}",
        cap=amount(crowd.cap, currency) if crowd.cap is not None else "",
        over=amount(over, currency) if over else "",
        floor=amount(crowd.hourly_wage, currency) if crowd.hourly_wage else "",
        tops_up=crowd.top_up,
        fees_known=fees is not None,
        platform=crowd.provider not in (DIRECT, LINK),
        fees_aside=crowd.provider == LINK,
    )


def _price(
    stage: str, settings: BatchSettings, fees: Fees | None, time: PageTime, total: Range, seen: Forecast
) -> Price:
    currency, reward = settings.currency, settings.reward[stage]
    short, topped = floor_of_stage(settings, stage, time).shortfall, top_up(settings, fees, stage, time)
    name = STAGES[stage]
    if not reward:
        fee = amount(0, currency)
    else:
        fee = amount(fees.reward(reward), currency) if fees else "not known"
    return Price(
        name=name[:1].upper() + name[1:],
        reward=amount(reward, currency),
        fee=fee,
        seconds=f"{time.seconds:.0f} s{'' if seen.knowledge.stages[stage].own else ', usual'}",
        wage=amount(seen.wages[stage], currency),
        short=amount(short, currency) if short else "",
        top_up=amount(topped, currency) if topped else "",
        total=amount(total.middle, currency),
    )

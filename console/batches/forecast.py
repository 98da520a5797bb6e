"""The forecast of a batch as pages show it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from annotation.models import Batch
from annotation.selectors import mentions_by_image
from console.common.labels import STAGES
from console.crowd.cost_forecast import Costs, costs
from workflows.analysis.counts.selectors import kept
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.forecast import Forecast, Range, Sums, forecast, learnt
from workflows.batches.domain.link_work import ImageShape
from workflows.money.domain.currencies import amount

SAMPLE = 80
"""Images that are looked at. A batch keeps its images in a drawn order: the first are a sample of it."""
WORKERS = 20
MOST_WORKERS = 10_000


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
    most: str  # money, at the upper end
    paid: bool
    images: int
    sample: int
    workers: int
    own: list[str]  # stages whose times are the project's own
    untested: list[str]  # stages under `open`: nothing is set aside for verification questions
    costs: Costs | None  # with fees and top-ups; None where rewards are all there is


def outlook(batch: Batch, images: int, workers: int = WORKERS) -> Outlook:
    """What the batch of so many images would take from its beginning to its end."""
    settings = settings_of(batch)
    shapes = sample_of(batch)
    figures = kept(project=batch.project)
    knowledge = learnt(figures.judgments, figures.results)

    def look(settings: BatchSettings) -> Forecast:
        rng = Random(f"forecast/{batch.pk}")
        return forecast(shapes, images, settings, workers=workers, rng=rng, knowledge=knowledge)

    seen = look(settings)
    return Outlook(
        lines=[_stage(stage, name, seen, settings.currency) for stage, name in STAGES.items()],
        total=_line("All stages", seen.total, settings.currency),
        wall=_hours(seen.wall),
        most=amount(seen.total.money.high, settings.currency),
        paid=any(settings.reward.values()),
        images=seen.images,
        sample=len(shapes),
        workers=workers,
        own=[STAGES[stage] for stage, known in seen.knowledge.stages.items() if known.own],
        untested=[STAGES[stage] for stage in STAGES if settings.regime[stage] == Regime.OPEN],
        costs=costs(settings, seen, look),
    )


def sample_of(batch: Batch) -> list[ImageShape]:
    """The types of the mentions of the batch's first images, caption by caption."""
    ids = list(batch.works.order_by("pk").values_list("image_id", flat=True)[:SAMPLE])
    found = mentions_by_image(ids)
    shapes: list[ImageShape] = []
    for image in ids:
        captions: Mapping[int, list[tuple[str, ...]]] = defaultdict(list)
        for mention in found.get(image, ()):
            captions[mention.caption].append(mention.types)
        shapes.append([captions[place] for place in sorted(captions)])
    return shapes


def _stage(stage: str, name: str, seen: Forecast, currency: str) -> Line:
    known = seen.knowledge.stages[stage]
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
        items=_whole(sums.items),
        judgments=_whole(sums.judgments),
        pages=_whole(sums.pages),
        hours=_hours(sums.hours),
        money=_money(sums.money, currency),
        wage=wage,
        pace=pace,
    )


def _whole(one: Range) -> tuple[str, str]:
    digits = 1 if one.high < 10 else 0
    return f"{one.middle:,.{digits}f}", f"{one.low:,.{digits}f} to {one.high:,.{digits}f}"


def _money(one: Range, currency: str) -> tuple[str, str]:
    if not one.high:
        return "unpaid", ""
    low = amount(one.low, currency).removesuffix(f" {currency}")
    return amount(one.middle, currency), f"{low} to {amount(one.high, currency)}"


def _hours(one: Range) -> tuple[str, str]:
    if one.high < 1:
        low, middle, high = (round(60 * hours) for hours in (one.low, one.middle, one.high))
        return f"{middle} min", f"{low} to {high}"
    digits = 1 if one.high < 100 else 0
    return f"{one.middle:,.{digits}f} h", f"{one.low:,.{digits}f} to {one.high:,.{digits}f}"

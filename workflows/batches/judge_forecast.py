"""Forecast what a batch takes without its judge, with it in the shadow, and if its answers count."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from annotation.domain.records import TEST_SPLIT
from annotation.models import Batch, JudgeRecord, ModelAnswer, ModelVersion
from workflows.analysis.counts.selectors import kept
from workflows.batch_settings.selectors import settings_of
from workflows.batches.cost_forecast import page_prices, sample_of
from workflows.batches.domain.chain_course import Crowd
from workflows.batches.domain.forecast import further_items
from workflows.batches.domain.knowledge import learnt, with_visits
from workflows.batches.question_reach import workers_of
from workflows.judges.domain.kinds import PEOPLE
from workflows.judges.records import newest_record
from workflows.judges.selectors import kinds_of_boxes
from workflows.judges.versions import batches_of, find_model
from workflows.money.domain.currencies import amount

if TYPE_CHECKING:  # numpy takes a second to import, and the web service reads this module
    from workflows.batches.domain.judge_forecast import Ways

ANSWERS_LOOKED_AT = 2000
"""So many of a model's newest answers say which kinds of boxes there are."""
IMAGES = 1000
"""Money is shown for so many images."""


@dataclass(frozen=True, slots=True)
class JudgeForecast:
    """What an image of a batch takes each way, or in `unknown` why nobody can say."""

    batch: Batch
    currency: str
    ways: Ways | None = None
    unknown: str = ""
    closed: bool = False  # no answer of the model would count yet

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """Each way, with people's seconds an image, and for IMAGES what people and the model cost."""
        if self.ways is None:
            return []
        named = (
            ("without the model", self.ways.off),
            ("in the shadow", self.ways.shadow),
            ("its answers count", self.ways.counts),
        )
        return [
            (
                name,
                f"{one.seconds:,.0f} s",
                _amount(one.people, self.currency),
                _amount(one.model, self.currency),
            )
            for name, one in named
        ]

    def says(self) -> list[str]:
        """Return the forecast as lines of text."""
        if self.unknown:
            return [f"forecast for batch {self.batch.name}: {self.unknown}"]
        return [
            f"forecast for batch {self.batch.name}"
            f"{' (its answers would not count yet)' if self.closed else ''}:",
            *(
                f"  {name}: {seconds} of people an image; for {IMAGES:,} images people cost "
                f"{people}, and the model {model}"
                for name, seconds, people, model in self.rows
            ),
        ]


def forecast_judge(batch: Batch) -> JudgeForecast | None:
    """Return the forecast of a batch that names a model, or None if it names none. It takes up to seconds."""
    settings = settings_of(batch)
    if not settings.judge.model:
        return None
    model = find_model(project_id=batch.project_id, named=settings.judge.model)
    record = newest_record(model) if model else None
    if model is None or record is None:
        return JudgeForecast(batch, settings.currency, unknown="nothing is measured about its model yet")
    mix = _mix(batch, model)
    if not mix:
        return JudgeForecast(
            batch,
            settings.currency,
            unknown="nothing is measured yet about boxes from its set of suggestions",
        )
    return _forecast(batch, record, mix)


def _forecast(batch: Batch, found: JudgeRecord, mix: dict[str, float]) -> JudgeForecast:
    from workflows.batches.domain.judge_forecast import judging_of, ways_of
    from workflows.judges.domain.gate import SEALED_SHARE, parse_record

    settings, sample = settings_of(batch), sample_of(batch)
    figures = kept(project=batch.project)
    here = kept(batch=batch).judgments if batch.state != Batch.State.DRAFT else None
    knowledge = learnt(figures.judgments, figures.results, here=here)
    further = further_items(
        sample,
        batch.works.filter(active=True).count(),
        settings,
        workers=workers_of(batch),
        rng=Random(f"visits/{batch.pk}"),
        knowledge=knowledge,
    )
    knowledge = with_visits(knowledge, further)
    judging = judging_of(
        parse_record(found.content),
        mix,
        drawn_bad=Crowd().bad if knowledge.bad is None else knowledge.bad,
        share=(1 - SEALED_SHARE) * (1 - _sealed_by_split(batch)),
    )
    ways = ways_of(sample, settings, judging, knowledge=knowledge, prices=page_prices(settings, knowledge))
    return JudgeForecast(batch, settings.currency, ways, closed=not judging.open)


def _sealed_by_split(batch: Batch) -> float:
    """Return the share of the batch's images whose answers stay sealed because they are of the test split."""
    works = batch.works.filter(active=True)
    images = works.count()
    if settings_of(batch).judge.test_split or not images:
        return 0.0
    return works.filter(image__split=TEST_SPLIT).count() / images


def _mix(batch: Batch, model: ModelVersion) -> dict[str, float]:
    """Return the shares of new boxes by kind, from what the model has answered under the same suggestions.

    Without suggestions, people draw all boxes. It is empty if the model has answered nothing under these.
    """
    number = settings_of(batch).suggestions.set
    if number is None:
        return {PEOPLE: 1.0}
    same = [one.pk for one in batches_of(model) if settings_of(one).suggestions.set == number]
    answers = ModelAnswer.objects.filter(model=model, item__batch__in=same, answer__isnull=False)
    items = list(answers.order_by("-pk").values_list("item_id", flat=True)[:ANSWERS_LOOKED_AT])
    counts = Counter(kind for kinds in kinds_of_boxes(items).values() for kind in kinds)
    return {kind: number / counts.total() for kind, number in counts.items()}


def _amount(units: float, currency: str) -> str:
    """Return the amount for IMAGES in words: that for one may be less than the smallest unit."""
    return amount(units * IMAGES, currency)

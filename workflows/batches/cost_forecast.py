"""Forecast what a batch takes and costs, from its images, its settings and what the project has learnt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from random import Random

from django.db.models import Count

from annotation.domain.protocols import Campaign
from annotation.models import Batch
from annotation.selectors import mentions_by_image
from workflows.analysis.counts.selectors import kept
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.forecast import Forecast, Range, answers_needed, forecast, further_items
from workflows.batches.domain.knowledge import Knowledge, learnt, with_visits
from workflows.batches.domain.link_work import ImageShape
from workflows.crowd.installation import Fees, fees_of
from workflows.money.domain.wage_floor import PageTime
from workflows.money.domain.wage_floor import top_up as top_up_of_page
from workflows.pipeline.models import JudgedPair

SAMPLE = 80
"""Images that are looked at. A batch keeps its images in a drawn order: the first are a sample of it."""


def forecast_batch(batch: Batch, images: int, workers: int) -> Forecast:
    """Return what the batch of so many images takes from its beginning to its end, and what it costs."""
    settings, sample = settings_of(batch), sample_of(batch)
    figures = kept(project=batch.project)
    here = kept(batch=batch).judgments if batch.state != Batch.State.DRAFT else None
    knowledge = learnt(figures.judgments, figures.results, here=here)
    further = further_items(
        sample, images, settings, workers=workers, rng=Random(f"visits/{batch.pk}"), knowledge=knowledge
    )
    knowledge = with_visits(knowledge, further)
    return forecast(
        sample,
        images,
        settings,
        workers=workers,
        rng=Random(f"forecast/{batch.pk}"),
        knowledge=knowledge,
        prices=page_prices(settings, knowledge),
    )


def forecast_answers(batch: Batch, images: int) -> dict[str, Range]:
    """Return the judgments that so many images of the batch take in each stage."""
    figures = kept(project=batch.project)
    return answers_needed(
        sample_of(batch),
        images,
        settings_of(batch),
        rng=Random(f"answers/{batch.pk}"),
        knowledge=learnt(figures.judgments, figures.results),
    )


def sample_of(batch: Batch) -> list[ImageShape]:
    """Return the types of the mentions of the batch's first images, caption by caption.

    If the batch judges captions, an image has an entry for each question instead.
    """
    if settings_of(batch).campaign is Campaign.RELEVANCE:
        return _questions_of(batch)
    ids = list(batch.works.filter(active=True).order_by("pk").values_list("image_id", flat=True)[:SAMPLE])
    found = mentions_by_image(ids)
    shapes: list[ImageShape] = []
    for image in ids:
        captions: Mapping[int, list[tuple[str, ...]]] = defaultdict(list)
        for mention in found.get(image, ()):
            captions[mention.caption].append(mention.types)
        shapes.append([captions[place] for place in sorted(captions)])
    return shapes


def _questions_of(batch: Batch) -> list[ImageShape]:
    """Return an entry for each question about the batch's first images, whose captions are judged."""
    ids = list(batch.works.filter(active=True).order_by("pk").values_list("pk", flat=True)[:SAMPLE])
    asked = JudgedPair.objects.filter(work__in=ids).order_by().values_list("work_id")
    numbers = dict(asked.annotate(Count("number", distinct=True)))
    return [[()] * numbers.get(pk, 0) for pk in ids]


def page_prices(settings: BatchSettings, knowledge: Knowledge) -> dict[str, int]:
    """Return the cost of a page by stage: its reward, the platform's fees, and the top-up to the wage."""
    fees = fees_of(settings)
    found = {}
    for stage in settings.stages:
        reward = settings.reward[stage]
        fee = fees.reward(reward) if fees and reward else 0
        found[stage] = reward + fee + top_up(settings, fees, stage, page_time(settings, knowledge, stage))
    return found


def page_time(settings: BatchSettings, knowledge: Knowledge, stage: str) -> PageTime:
    """Return the time of a page as in the forecast: the project's own if known, else the paper's."""
    seconds = knowledge.stages[stage].seconds * settings.items_a_page[stage]
    return PageTime(-int(-seconds * 1000 // 1), 0)


def top_up(settings: BatchSettings, fees: Fees | None, stage: str, time: PageTime) -> int:
    """Return the top-up of a page with its fee; 0 if nothing is missing or the batch does not top up."""
    missing = top_up_of_page(settings, reward=settings.reward[stage], time=time)
    return missing + (fees.bonus(missing) if fees and missing else 0)

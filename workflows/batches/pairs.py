"""Choose which captions a batch of the campaign `relevance` judges for which images."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice

from annotation.domain.answers import MAX_CAPTIONS_AT_ONCE, CampaignStage
from annotation.domain.protocols import Campaign
from annotation.models import Batch, Caption
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError
from workflows.jobs.domain.jobs import MAX_PAIRS
from workflows.pipeline.models import JudgedPair

MAX_QUESTIONS = 10_000
"""The most questions about one image."""
AT_ONCE = 1000

Group = tuple[int, Sequence[int]]
"""An image (id), and the captions (ids) that are judged for it on one screen."""


def queue_pairs(batch: Batch, pairs: Sequence[Group]) -> int:
    """Let a draft judge these captions for its images, each group on one screen. Return the number of pairs.

    The groups come after those that the draft has already. Raises BatchError, and writes nothing, if the
    batch is no draft of this campaign, if an image is not one of its images, if a caption is not in use in
    its project, if a group has no caption or too many, or if a caption would be judged twice for an image.
    """
    with write_transaction():
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        settings = settings_of(current)
        if current.state != Batch.State.DRAFT:
            raise BatchError(f"batch {current.name} is {current.state}: pairs are chosen before the launch")
        if settings.campaign is not Campaign.RELEVANCE:
            raise BatchError(f"batch {current.name} judges no captions: its protocol is {settings.protocol}")
        most = 1 if CampaignStage.GRADING in settings.stages else MAX_CAPTIONS_AT_ONCE
        _check_groups(pairs, most)
        works = dict(current.works.values_list("image_id", "pk"))
        if (lost := next((image for image, _ in pairs if image not in works), None)) is not None:
            raise BatchError(f"image {lost} is not one of the images of batch {current.name}")
        _check_captions({caption for _, captions in pairs for caption in captions}, current)
        there = JudgedPair.objects.filter(work__batch=current)
        count = there.count() + sum(len(captions) for _, captions in pairs)
        if count > MAX_PAIRS:
            raise BatchError(f"a batch has at most {MAX_PAIRS:,} pairs; these are {count:,}")
        taken: dict[int, set[int]] = defaultdict(set)
        numbers: Counter[int] = Counter()
        for work, caption, number in there.values_list("work_id", "caption_id", "number"):
            taken[work].add(caption)
            numbers[work] = max(numbers[work], number + 1)
        rows = []
        for image, captions in pairs:
            work = works[image]
            for place, caption in enumerate(captions):
                if caption in taken[work]:
                    raise BatchError(f"caption {caption} is there twice for image {image}")
                taken[work].add(caption)
                rows.append(JudgedPair(work_id=work, caption_id=caption, number=numbers[work], place=place))
            numbers[work] += 1
            if numbers[work] > MAX_QUESTIONS:
                raise BatchError(f"image {image} has more than {MAX_QUESTIONS:,} questions")
        JudgedPair.objects.bulk_create(rows, batch_size=AT_ONCE)
    return len(rows)


def _check_groups(pairs: Sequence[Group], most: int) -> None:
    for image, captions in pairs:
        if not 1 <= len(captions) <= most:
            limit = "one caption" if most == 1 else f"1 to {most} captions"
            raise BatchError(f"image {image}: a question is about {limit}, not {len(captions)}")


def _check_captions(captions: set[int], batch: Batch) -> None:
    ids = iter(sorted(captions))
    while some := list(islice(ids, AT_ONCE)):
        in_use = Caption.objects.in_use().filter(pk__in=some, image__project=batch.project_id)
        if lost := set(some).difference(in_use.values_list("pk", flat=True)):
            raise BatchError(f"caption {min(lost)} is no caption in use of project {batch.project.name}")

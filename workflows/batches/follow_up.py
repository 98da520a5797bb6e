"""Go on with other settings: a batch hands the images that no worker has begun on to a draft.

Most settings of a launched batch are fixed, since its judgments rest on them. So where the authors changed
from verification questions in every page to trusted workers in the midst of their work (Flickr30k Entities,
section 3.3), a second batch takes the rest.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.protocols import Campaign
from annotation.models import Batch, ImageWork, Item
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.pipeline.batch_completion import ENDED
from workflows.pipeline.replay.replay import release_works
from workflows.pipeline.selectors import short_of_captions

AT_ONCE = 500
"""Works in one statement: SQLite takes a thousand parameters."""


def untouched_works(batch: Batch) -> QuerySet[ImageWork]:
    """Return the images of which no question was answered, and none is in a worker's hands."""
    begun = Item.objects.filter(Q(judged__gt=0) | Q(leased__gt=0), work=OuterRef("pk"))
    works = ImageWork.objects.filter(batch=batch, active=True, replayed=False)
    return works.exclude(state__in=ENDED).exclude(Exists(begun))


def hand_on(*, batch: Batch, name: str, settings: BatchSettings) -> Batch:
    """Make a draft with these settings of the images of a batch that no worker has begun. Return the draft.

    The batch asks no more about them. It goes on with its other images, and finishes when they are done, or
    with the next sweep if there are none. A page that a worker gets in this very moment can still be
    submitted to it. Raises BatchError if the batch is not under way, if every image has been begun, if the
    settings are of another campaign, and as `create_batch` does.
    """
    with write_transaction():
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        if current.state not in Batch.UNDER_WAY:
            raise BatchError(
                f"batch {current.name} is {current.state}: only a running or paused batch can hand images on"
            )
        campaign = settings_of(current).campaign
        if campaign is Campaign.RELEVANCE or settings.campaign is not campaign:
            raise BatchError(
                f"protocol: the images of batch {current.name} were chosen for its protocol; make another "
                "batch of free images"
            )
        # In the order in which submissions and `advance` lock them. What was submitted meanwhile is begun.
        list(untouched_works(current).order_by("pk").select_for_update(no_key=True).values_list("pk"))
        works = list(untouched_works(current).order_by("pk").values_list("pk", "image_id"))
        if not works:
            raise BatchError(f"batch {current.name} has no image that no worker has begun: there is no rest")
        for start in range(0, len(works), AT_ONCE):
            release_works([pk for pk, _ in works[start : start + AT_ONCE]])
        images = [image for _, image in works]
        draft = create_batch(project=current.project, name=name, settings=settings, images=images)
    return draft


def write_anew(*, batch: Batch, name: str) -> Batch:
    """Make a draft, with the settings of a batch that is over, of its photographs that are short of captions.

    The photographs keep the captions that they have. The batch does not have them any more, so their captions
    are collected by one batch at a time. Raises BatchError if the batch is not over, if none of its
    photographs is short of captions, and as `create_batch` does.
    """
    with write_transaction():
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        if current.state not in Batch.OVER:
            raise BatchError(f"batch {current.name} is {current.state}: captions are still written in it")
        works = ImageWork.objects.filter(batch=current)
        list(works.order_by("pk").select_for_update(no_key=True).values_list("pk"))
        short = sorted(short_of_captions(works))
        if not short:
            raise BatchError(f"batch {current.name} has no photograph that is short of captions")
        images = dict(works.filter(active=True).values_list("pk", "image_id"))
        for start in range(0, len(short), AT_ONCE):
            release_works(short[start : start + AT_ONCE])
        return create_batch(
            project=current.project,
            name=name,
            settings=settings_of(current),
            images=[images[pk] for pk in short],
        )

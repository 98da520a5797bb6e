"""Starts a pilot: a batch that people whom the researcher knows annotate, so that gold can be made of it."""

from __future__ import annotations

from random import Random

from django.db.models import Count, Q

from annotation.domain.protocols import Campaign
from annotation.models import Batch, ImageWork, Project
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batch_settings.selectors import next_name, settings_of
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.questions.images import free_images, lock_roles

NAME = "pilot"
MAX_PILOT_IMAGES = 500


def start_pilot(*, project: Project, images: int, draft: Batch | None = None) -> Batch:
    """Create a draft of so many images, drawn at random, for which no verification questions are needed.

    If too few images are free, the rest comes out of `draft`, which would otherwise keep every image from
    becoming gold. The pilot has the settings of `draft`, but everybody's judgments count, there is no test,
    and it is on no platform. Raises BatchError if there are no such images.
    """
    if not 1 <= images <= MAX_PILOT_IMAGES:
        raise BatchError(f"a pilot has 1 to {MAX_PILOT_IMAGES} images")
    draft = draft if _is_grounding(draft) else None
    settings = pilot_settings(settings_of(draft) if draft else BatchSettings())
    with write_transaction():
        lock_roles(project.pk)  # two who press the button at once take turns: see below
        waiting = Batch.objects.filter(project=project, state=Batch.State.DRAFT, name__startswith=NAME)
        if earlier := waiting.order_by("pk").first():
            return earlier
        free = list(free_images(project).exclude(file="").order_by("name").values_list("pk", flat=True))
        rng = Random(f"pilot/{settings.seed}")
        chosen = rng.sample(free, min(images, len(free)))
        chosen += take_out(draft, images - len(chosen), rng) if draft else []
        if not chosen:
            raise BatchError("no image with a picture is free: import photographs first")
        return create_batch(project=project, name=next_name(project, NAME), settings=settings, images=chosen)


def spare_images(project: Project, draft: Batch | None = None) -> int:
    """Return how many images with a picture are free or can be taken out of the draft."""
    return free_images(project).exclude(file="").count() + most_taken_out(draft)


def pilot_settings(settings: BatchSettings) -> BatchSettings:
    """Return these settings, for people who are known: no questions, no test, no platform."""
    data = settings.to_json()
    data["regime"] = str(Regime.OPEN)
    data["screening"] = {**data["screening"], "test": False}
    data["crowd"] = BatchSettings().to_json()["crowd"]
    return parse_settings(data)


def take_out(draft: Batch, number: int, rng: Random) -> list[int]:
    """Take so many images with a picture out of the draft, but leave it one, and return their ids.

    Raises BatchError if it is no draft any more.
    """
    if number < 1 or not _is_grounding(draft):
        return []
    locked = Batch.objects.select_for_update(no_key=True).get(pk=draft.pk)
    if locked.state != Batch.State.DRAFT:
        raise BatchError(f"batch {locked.name} is {locked.state}: its images cannot be taken out any more")
    works = ImageWork.objects.filter(batch=draft).order_by("pk")
    pictured = dict(works.exclude(image__file="").values_list("pk", "image_id"))
    drawn = rng.sample(sorted(pictured), max(0, min(number, len(pictured), works.count() - 1)))
    works.filter(pk__in=drawn).delete()
    return [pictured[pk] for pk in drawn]


def most_taken_out(draft: Batch | None) -> int:
    """Return how many images `take_out` can take out of the batch now."""
    if draft is None or draft.state != Batch.State.DRAFT or not _is_grounding(draft):
        return 0
    images = ImageWork.objects.filter(batch=draft).aggregate(
        all=Count("pk"), pictured=Count("pk", filter=~Q(image__file=""))
    )
    return max(0, min(int(images["pictured"]), int(images["all"]) - 1))


def _is_grounding(draft: Batch | None) -> bool:
    """Return whether the draft holds back images from the grounding: those of other campaigns do not."""
    return draft is not None and settings_of(draft).campaign is Campaign.ENTITIES

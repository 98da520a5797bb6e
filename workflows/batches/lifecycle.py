"""Create, launch, pause, resume, cancel and delete batches.

A batch goes from draft to running, may be paused and resumed, and ends finished or cancelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from django.core.validators import slug_re
from django.db import IntegrityError

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Judgment, Project
from annotation.row_changes import changing, record_deletions
from annotation.selectors import all_type_names
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.plan import Plan
from workflows.batches.image_order import queue_images, unqueue_images
from workflows.batches.launch_checks import Readiness, Shortage, readiness_of
from workflows.crowd.installation import installation
from workflows.money.domain.currencies import CODES, amount
from workflows.money.models import Budget
from workflows.pipeline.batch_completion import wind_up_batch
from workflows.pipeline.domain.box_prior import frequent_heads
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.selectors import finished_heads
from workflows.priors.selectors import newest
from workflows.questions.images import free_images

MOVES: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "launch": (frozenset({Batch.State.DRAFT}), Batch.State.RUNNING),
        "pause": (frozenset({Batch.State.RUNNING}), Batch.State.PAUSED),
        "resume": (frozenset({Batch.State.PAUSED}), Batch.State.RUNNING),
        "cancel": (
            frozenset({Batch.State.DRAFT, Batch.State.RUNNING, Batch.State.PAUSED}),
            Batch.State.CANCELLED,
        ),
    }
)
"""What a researcher may do, from which states, and to which state. Batches finish by themselves."""

_MOVED = ("state", "settings", "box_heads", "forecast")
"""The columns that a move may change: the last three are pinned by a launch."""
_NONE_FREE: Mapping[Campaign, str] = MappingProxyType(
    {
        Campaign.ENTITIES: "there is no image with captions in this project that has neither a batch nor "
        "verification questions",
        Campaign.CAPTIONS: "there is no image in this project without captions for which no batch collects "
        "them",
        Campaign.RELEVANCE: "there is no image in this project",
    }
)


class BatchError(Exception):
    """The batch cannot be created or moved like this; the message says what to do."""


def create_batch(
    *, project: Project, name: str, settings: BatchSettings, images: Iterable[int] | None = None
) -> Batch:
    """Create a draft of these images (ids), or of all free images of the project.

    The images are worked on in an order that the settings' seed draws. So images come from all over the
    corpus, as those of verification questions do, which would stand out among neighbours. Raises BatchError
    if the name is not valid or taken, if an image belongs to another project or batch, if no image is left,
    if the currency does not exist, if a type is none of the project's, and if workers have no pages for the
    protocol.
    """
    check_currency(settings)
    check_types(project, settings)
    if len(name) > 64 or not slug_re.match(name):
        raise BatchError(f"{name!r} is not a name for a batch: use up to 64 letters, digits, - and _")
    if images is None:
        images = free_images(project, settings.campaign).order_by("name").values_list("pk", flat=True)
    try:
        with write_transaction():
            batch = Batch.objects.create(project=project, name=name, settings=settings.to_json())
            queue_images(batch, drawn_order(images, settings.seed))
            if not batch.works.exists():
                raise BatchError(f"{_NONE_FREE[settings.campaign]}; import images first")
            if batch.works.exclude(image__project=project).exists():
                raise BatchError(f"some of the images are not of project {project.name}")
            # Inserting the works locked the keys of the images, so that none is withdrawn from here on.
            if batch.works.filter(image__withdrawn_at__isnull=False).exists():
                raise BatchError("some of the images were withdrawn: choose the images again")
    except IntegrityError as error:
        raise BatchError(
            f"project {project.name} has a batch {name!r} already, or one of the images is in another "
            "batch: choose another name or other images"
        ) from error
    return batch


def check_currency(settings: BatchSettings) -> None:
    """Raise BatchError if the currency is not in ISO 4217.

    This is checked only when a currency is chosen: stored settings can always be read.
    """
    if settings.currency not in CODES:
        raise BatchError(
            f"currency: {settings.currency} is not a currency of ISO 4217; write it like USD or EUR"
        )


def check_types(project: Project, settings: BatchSettings) -> None:
    """Raise BatchError if a type that skips a stage is none of the project's, in no version of its own.

    This is checked only when types are chosen, as with currencies.
    """
    names = all_type_names(project.pk)
    if strange := [name for name in settings.skip_requirement if name not in names]:
        raise BatchError(
            f"skip_requirement: {strange[0]!r} is no type of {project.name}; its types are {', '.join(names)}"
        )


def drawn_order(images: Iterable[int], seed: int) -> list[int]:
    """Return these images (ids) in the order in which a batch with this seed takes them."""
    order = list(images)
    Random(seed).shuffle(order)
    return order


def move_batch(*, batch: Batch, action: str, without_pictures: bool = False) -> Batch:
    """Launch, pause, resume or cancel a batch. Raises BatchError if its state does not allow it.

    A launch raises BatchError, too, if the batch is not ready: see `workflows.batches.launch_checks`. With
    `without_pictures`, images need no picture, only a size. No judgment is lost by any of these moves, and a
    page in somebody's hands can still be submitted.
    """
    sources, target = MOVES[action]
    with write_transaction():
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        if current.state not in sources:
            raise BatchError(f"batch {current.name} is {current.state}: it cannot {action} now")
        if target == Batch.State.RUNNING and batch.project.archived_at is not None:
            raise BatchError(f"project {batch.project.name} is archived: restore the project first")
        if action == "launch":
            found = readiness_of(current, with_forecast=True)
            _check_ready(current, found, without_pictures)
            if found.forecast:
                plan = Plan.of(found.forecast, settings_of(current).currency)
                current.forecast = plan.to_json()
            _pin_prior(current)
            _pin_box_heads(current)
            _keep_environment(current)
        with changing(current, *_MOVED):
            current.state = target
            current.save(update_fields=_MOVED)
        if target == Batch.State.CANCELLED:
            wind_up_batch(current, cancelled=True)
    return current


def _check_ready(batch: Batch, found: Readiness, without_pictures: bool) -> None:
    """Raise BatchError for the first thing that is missing."""
    if found.bare and not without_pictures:
        raise BatchError(
            f"{found.bare} image(s) of batch {batch.name} have no picture yet: import them with --images"
        )
    # A drawn box is clipped to its image: if the size of an image is not known, any box would be accepted.
    if found.unsized:
        raise BatchError(
            f"{found.unsized} image(s) of batch {batch.name} have neither a picture nor a size: "
            "boxes on them could not be checked. Import their pictures with --images"
        )
    if found.unpaired:
        raise BatchError(
            f"{found.unpaired} image(s) of batch {batch.name} have no captions to judge: choose pairs for "
            "them, or make a batch of other images"
        )
    if found.shortages:
        raise BatchError(
            f"batch {batch.name} has too few verification questions of images that no batch works on "
            f"({_by_stage(found.shortages)}). Make more with `manage.py questions make`, or create the batch "
            "with `--set regime=open`: then everybody's judgments count"
        )
    if fault := found.prior or found.judge or found.suggestions:
        raise BatchError(f"batch {batch.name} cannot be launched: {fault}")
    if found.reach and found.reach.hopeless:
        reach, stage = found.reach, found.reach.narrowest
        pages = reach.stages[stage]
        if not pages.pages_each:
            raise BatchError(
                f"batch {batch.name} cannot end: nobody would get a page of {stage}, because too few "
                "verification questions are left after the entrances. Make questions of about "
                f"{reach.more_images} more images"
            )
        who = "1 person who is" if reach.people == 1 else f"{reach.people} people who are"
        raise BatchError(
            f"batch {batch.name} cannot end with the {who} there: nobody is asked a "
            f"verification question twice, so each can do about {pages.pages_each:.0f} of about "
            f"{pages.pages:.0f} pages of {stage}. Make questions of about {reach.more_images} "
            "more images, invite more people, or take fewer images"
        )
    if found.contact:
        raise BatchError(f"batch {batch.name} cannot be launched: {found.contact}")
    if found.crowd:
        raise BatchError(f"batch {batch.name} cannot be launched: {'; '.join(found.crowd)}")
    if found.cap and found.cap.too_low:
        raise BatchError(
            f"crowd.cap: {amount(found.cap.cap, found.cap.currency)} is less than batch {batch.name} costs "
            f"even at the least, {amount(found.cap.cost.low, found.cap.currency)}; it probably costs "
            f"{amount(found.cap.cost.middle, found.cap.currency)}. Raise the cap, or take fewer images"
        )


def _by_stage(shortages: Iterable[Shortage]) -> str:
    """Say what is missing stage by stage, as in "link: 3 gold of 40, 0 test of 4; drawing: 1 gold of 20"."""
    missing: dict[str, list[str]] = {}
    for short in shortages:
        missing.setdefault(short.stage, []).append(f"{short.found} {short.role} of {short.needed}")
    return "; ".join(f"{stage}: {', '.join(found)}" for stage, found in missing.items())


def _pin_prior(batch: Batch) -> None:
    """Write the number of the project's newest prior into the settings, if the batch needs one and has none.

    Nothing that is fitted later may change what an image was asked.
    """
    settings = settings_of(batch)
    if settings.needs_prior and settings.prior is None:
        version = newest(batch.project_id)
        assert version is not None, "_check_ready has seen one"
        batch.settings = replace(settings, prior=version.number).to_json()


def _pin_box_heads(batch: Batch) -> None:
    """Keep what finished chains of the project tell of head nouns, if the protocol asks by a box prior.

    What is finished later changes nothing for this batch.
    """
    protocol = PROTOCOLS.get(settings_of(batch).protocol)
    if protocol is not None and protocol.priors:
        batch.box_heads = frequent_heads(finished_heads(batch.project_id))


def _keep_environment(batch: Batch) -> None:
    """Keep the environment of the platform's account with the budget, since the account may change later.

    See workflows.crowd.domain.obstacles.
    """
    settings = settings_of(batch)
    if environment := installation(settings.crowd.provider).environment:
        Budget.objects.update_or_create(
            batch=batch,
            defaults={"environment": environment},
            create_defaults={
                "environment": environment,
                "currency": settings.currency,
                "cap": settings.crowd.cap,
            },
        )


def delete_batch(*, batch: Batch) -> None:
    """Delete a draft.

    Raises BatchError if the batch was launched, since judgments are never deleted, or if a version of the
    data set was exported from it, since versions stay as they are.
    """
    with write_transaction():
        # The lock covers the key: an export that is writing a version of this batch is waited for.
        current = Batch.objects.select_for_update().get(pk=batch.pk)
        asked = Judgment.objects.filter(item__batch=current).exists()
        if asked or current.state != Batch.State.DRAFT:
            raise BatchError(f"batch {current.name} was launched: cancel it instead, its judgments are kept")
        if versions := list(current.snapshots.order_by("version").values_list("version", flat=True)[:3]):
            raise BatchError(
                f"batch {current.name} was exported (version {', '.join(map(str, versions))}), and versions "
                "stay: cancel it instead, which lets other batches have its images, too"
            )
        unqueue_images(current)
        record_deletions(Batch.objects.filter(pk=current.pk))
        current.delete()

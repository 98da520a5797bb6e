"""Whose chains and boxes an image is shown with: a batch's crowd, the known ones, or nobody's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.exporting.crowd import Crowd
from annotation.exporting.gold import Gold
from annotation.exporting.images import Draft, read_drafts
from annotation.exporting.raw import LeftOut
from annotation.models import Batch, GoldChain, ImageWork
from console.common.labels import say_state
from console.common.numbers import say_count
from workflows.pipeline.selectors import short_of_captions

GOLD = "gold"


@dataclass(frozen=True, slots=True)
class Choice:
    """One source; `key` is what the address calls it: gold, or the id of a batch."""

    key: str
    name: str
    work: ImageWork | None = None

    @property
    def state(self) -> str:
        """Return the state of the image in words, or '' if nobody works on it.

        Where a batch no longer has the image, it is said only that the image was done there.
        """
        if self.work is None or not (self.work.active or self.work.state == ImageWork.State.DONE):
            return ""
        return say_state(self.work.state)


def choices(image: int) -> list[Choice]:
    """Return the image's sources, the default first: the active batch, gold, then others."""
    works = ImageWork.objects.grounding().filter(image=image).select_related("batch")
    # If a researcher's annotation was undone, it is as if nobody had worked on the image.
    works = works.exclude(batch__by_hand=True, active=False, image__withdrawn_at=None)
    crowd = [Choice(str(work.batch_id), _name(work.batch), work) for work in works.order_by("-active", "-pk")]
    gold = GoldChain.objects.filter(image=image, superseded=False)
    known = [Choice(GOLD, "known beforehand")] if gold.exists() else []
    active = [one for one in crowd if one.work and one.work.active]
    return [*active, *known, *(one for one in crowd if one not in active)]


def campaigns(image: int) -> list[str]:
    """Return how far the image is in each batch that collects or judges its captions."""
    works = ImageWork.objects.exclude(campaign=ImageWork.Campaign.ENTITIES).filter(image=image, active=True)
    short = short_of_captions(works)
    return [say_campaign(work, short.get(work.pk)) for work in works.select_related("batch").order_by("pk")]


def say_campaign(work: ImageWork, short: tuple[int, int] | None) -> str:
    """Return the batch and the state of an image whose captions are collected or judged.

    `short` is what `short_of_captions` says of it.
    """
    return f"{work.batch.name}: {say_captions(short) if short else say_state(work.state)}"


def say_captions(short: tuple[int, int]) -> str:
    """Return how many captions a photograph has that is short of some."""
    has, wants = short
    return f"over, with {has} of {say_count(wants, 'caption')}"


def _name(batch: Batch) -> str:
    return "by hand" if batch.by_hand else f"crowd, {batch.name}"


def chosen(found: Sequence[Choice], key: str) -> Choice | None:
    """Return the wanted source, or the first."""
    return next((one for one in found if one.key == key), found[0] if found else None)


def draft(image: int, choice: Choice | None) -> Draft | None:
    """Return the image's record as an export with unfinished work has it; None without captions."""
    source = (
        Crowd(batch=choice.work.batch, unfinished=True)
        if choice is not None and choice.work is not None
        else Gold(unfinished=True)
    )
    return next(read_drafts([image], source, LeftOut()), None)

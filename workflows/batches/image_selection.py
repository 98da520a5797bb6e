"""Choose the images of a batch: the rules that both pages and commands offer."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from django.db.models import QuerySet

from annotation.domain.field_errors import FieldError
from annotation.domain.protocols import Campaign
from annotation.models import Image, Project
from workflows.questions.images import free_images

MAX_NAMES = 50_000
_TAKEN = {
    Campaign.ENTITIES: "has no caption, is in a batch, or has verification questions",
    Campaign.CAPTIONS: "is in a batch that collects captions, or has captions",
    Campaign.RELEVANCE: "was withdrawn",
}
"""Why an image of the project is not free."""
NAMES_AT_ONCE = 500
"""Names in one statement: SQLite takes a thousand parameters."""


class ChoiceError(FieldError):
    """These images cannot be chosen. `field` says what is wrong: number, split, names or pictured."""


def pictured_images(project: Project, *, campaign: Campaign = Campaign.ENTITIES) -> list[int]:
    """Return the ids of the free images that have a picture. Raises ChoiceError if there is none.

    Here and below, images are free for a batch of this `campaign`: see `free_images`.
    """
    found = list(_by_name(project, pictured=True, campaign=campaign))
    if not found:
        raise ChoiceError("pictured", "no free image has a picture: import the pictures")
    return found


def first_images(
    project: Project, number: int, *, pictured: bool = False, campaign: Campaign = Campaign.ENTITIES
) -> list[int]:
    """Return the ids of the first `number` free images by name, or of all free images if there are fewer.

    With `pictured`, here and below, only images with a picture are taken. Raises ChoiceError if `number` is
    less than 1.
    """
    _check(number)
    return list(_by_name(project, pictured=pictured, campaign=campaign)[:number])


def drawn_images(
    project: Project,
    number: int,
    seed: int,
    *,
    pictured: bool = False,
    campaign: Campaign = Campaign.ENTITIES,
) -> list[int]:
    """Return the ids of `number` free images, drawn at random by the seed.

    Raises ChoiceError if there are fewer, or `number` is less than 1.
    """
    _check(number)
    free = list(_by_name(project, pictured=pictured, campaign=campaign))
    if number > len(free):
        which = " with a picture" if pictured else ""
        raise ChoiceError("number", f"there are only {len(free):,} free images{which}: ask for fewer")
    return Random(f"images/{seed}").sample(free, number)


def images_of_split(
    project: Project, split: str, *, pictured: bool = False, campaign: Campaign = Campaign.ENTITIES
) -> list[int]:
    """Return the ids of the free images of a split. Raises ChoiceError if there is none."""
    found = (
        []
        if "\0" in split
        else list(_by_name(project, pictured=pictured, campaign=campaign).filter(split=split))
    )
    if not found:
        which = " with a picture" if pictured else ""
        raise ChoiceError("split", f"no free image{which} is of split {split!r}")
    return found


def named_images(
    project: Project, lines: Sequence[str], *, campaign: Campaign = Campaign.ENTITIES
) -> list[int]:
    """Return the ids of the images with these names, one a line.

    Raises ChoiceError unless every image exists and is free.
    """
    names = list(dict.fromkeys(name for line in lines if (name := line.strip())))
    if not names:
        raise ChoiceError("names", "there is no name: give one file name a line")
    if len(names) > MAX_NAMES:
        raise ChoiceError("names", f"at most {MAX_NAMES:,} names; these are {len(names):,}")
    if any("\0" in name for name in names):
        raise ChoiceError("names", "a name has no NUL character")
    found: dict[str, int] = {}
    for start in range(0, len(names), NAMES_AT_ONCE):
        group = free_images(project, campaign).filter(name__in=names[start : start + NAMES_AT_ONCE])
        found.update(group.values_list("name", "pk"))
    if lost := next((name for name in names if name not in found), None):
        there = Image.objects.filter(project=project, name=lost).exists()
        why = _TAKEN[campaign] if there else "is no image of this project"
        raise ChoiceError("names", f"take this off the list: {lost} {why}")
    return list(found.values())


def _check(number: int) -> None:
    if number < 1:
        raise ChoiceError("number", "a number of images is at least 1")


def _by_name(project: Project, *, pictured: bool, campaign: Campaign) -> QuerySet[Image, int]:
    free = free_images(project, campaign)
    free = free.exclude(file="") if pictured else free
    return free.order_by("name").values_list("pk", flat=True)

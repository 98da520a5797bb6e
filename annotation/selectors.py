"""Queries that several packages share. Mentions are returned as the types that the rules work with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from annotation.domain.mentions import Mention as PureMention
from annotation.models import Image, Mention, Project

_COLUMNS = ("pk", "caption__index", "start", "end", "text", "types")


def owner_of_folder(name: str) -> Project | None:
    """Return a project with photographs in the folder that those of a project `name` would lie in."""
    image = Image.objects.filter(file__startswith=f"{name}/").select_related("project").first()
    return image.project if image else None


def mentions_by_image(images: Collection[int]) -> dict[int, list[PureMention]]:
    """Return the annotatable mentions of these images by image id, in reading order.

    Mentions that a researcher has cut differently since are left out.
    """
    # Captions are named by their images, too. Otherwise PostgreSQL reads all captions of all images to join
    # them, as soon as it is asked about a few dozen images.
    current = Mention.objects.filter(
        image__in=images, caption__image__in=images, annotatable=True, superseded=False
    )
    rows = current.order_by("caption__index", "start")
    found: dict[int, list[PureMention]] = defaultdict(list)
    for image, *row in rows.values_list("image_id", *_COLUMNS):
        found[image] += _pure([tuple(row)])
    return found


def mentions_by_id(ids: Iterable[int]) -> dict[int, PureMention]:
    """Return the mentions with these ids, by id."""
    rows = Mention.objects.filter(pk__in=list(ids)).values_list(*_COLUMNS)
    return {mention.id: mention for mention in _pure(rows)}


def _pure(rows: Iterable[tuple[int, int, int, int, str, str]]) -> Iterator[PureMention]:
    for pk, caption, start, end, text, types in rows:
        yield PureMention(pk, caption, start, end, text, tuple(types.split("/")))

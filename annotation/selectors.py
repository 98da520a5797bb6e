"""Queries that several packages share. Mentions are returned as the types that the rules work with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.domain.answers import JointStage
from annotation.domain.mentions import Mention as PureMention
from annotation.domain.own_types import from_json
from annotation.domain.types import BUILT_IN, TYPES, ProjectTypes, in_order
from annotation.models import Abstention, Decision, Image, Item, Mention, Project, TypesVersion

_COLUMNS = ("pk", "caption__index", "start", "end", "text", "types")


BARS_SQL = """NOT EXISTS (
    SELECT 1 FROM annotation_decision AS since
    WHERE since.work_id = said.work_id AND since.kind = 'usable' AND since.created_at >= said.created_at
)"""
"""The condition of `barring`, about an abstention `said`, for statements written by hand."""
NONE = 0
"""The id of no row."""


def barring() -> QuerySet[Abstention]:
    """Return the abstentions about items that are not asked of the same worker again.

    Those from before a researcher let the image go on bar nobody.
    """
    since = Decision.objects.filter(
        work=OuterRef("work"), kind=Decision.Kind.USABLE, created_at__gte=OuterRef("created_at")
    )
    return Abstention.objects.filter(~Exists(since), item__isnull=False)


def project_types(project_id: int | None) -> ProjectTypes:
    """Return the types of a project (None: one that is not saved yet) in their newest version."""
    if project_id is None:
        return BUILT_IN
    newest = TypesVersion.objects.filter(project=project_id).order_by("-number").first()
    return ProjectTypes(newest.number, from_json(newest.content)) if newest else BUILT_IN


def all_type_names(project_id: int) -> tuple[str, ...]:
    """Return the types that mentions of the project may have: those of any version of its own, too."""
    contents = TypesVersion.objects.filter(project=project_id).values_list("content", flat=True)
    return in_order([*TYPES, *(one.key for content in contents for one in from_json(content))])


def type_names(image_id: int) -> tuple[str, ...]:
    """Return the types that a mention of the image may have: the project's, and those that mentions have.

    These may be of an earlier version of the project's types.
    """
    project = Image.objects.values_list("project_id", flat=True).get(pk=image_id)
    rows = Mention.objects.filter(image=image_id, superseded=False).values_list("types", flat=True)
    had = (name for types in rows for name in types.split("/"))
    return in_order([*project_types(project).names, *had])


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


def boxes_to_check(items: Collection[int]) -> dict[int, list[list[int]]]:
    """Return the edges of all new boxes that each of these items of `check` is about, in drawn order.

    An item names the first of them; the others are of the same judgment. One query, also without items, or
    its time would tell that all of a page are verification questions.
    """
    rows = Item.objects.filter(pk__in=items or [NONE], box__judgment__boxes__chain=F("chain"))
    edges = ("left", "top", "right", "bottom")
    columns = [f"box__judgment__boxes__{edge}" for edge in edges]
    found: dict[int, list[list[int]]] = defaultdict(list)
    for pk, *box in rows.order_by("pk", "box__judgment__boxes__ordinal").values_list("pk", *columns):
        found[pk].append(box)
    return found


def points_to_look_at(items: Collection[int]) -> dict[int, list[list[int]]]:
    """Return the places where something is missing, for each of these items of `boxes`.

    Those who checked the chain just before have marked them. One query, also without items, or its time
    would tell that all of a page are verification questions.
    """
    before = Item.objects.filter(
        pk__in=items or [NONE],
        chain__items__stage=JointStage.CHECK,
        chain__items__state=Item.State.DONE,
        chain__items__visit=F("visit") - 1,
        chain__items__judgments__set_aside=None,
    )
    said = before.order_by("pk", "chain__items__judgments__pk")
    found: dict[int, list[list[int]]] = defaultdict(list)
    for pk, answer in said.values_list("pk", "chain__items__judgments__answer"):
        if answer and (point := answer.get("point")) and point not in found[pk]:
            found[pk].append(point)
    return found


def _pure(rows: Iterable[tuple[int, int, int, int, str, str]]) -> Iterator[PureMention]:
    for pk, caption, start, end, text, types in rows:
        yield PureMention(pk, caption, start, end, text, tuple(types.split("/")))

"""A page of the wall: boxes in the order of their images, by the id of the last image.

The search for images finds those that may have such boxes. Then the boxes of the next images are read
together, and those that do not meet the conditions are left out. So a page costs the same whatever is asked,
but it may show few boxes although more follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from annotation.domain.geometry import Box as Rectangle
from annotation.domain.records import BoxFrom
from annotation.domain.suggested import Origin
from annotation.exporting.box_origins import box_origins
from annotation.models import Box, Chain, Image, ImageWork, Judgment, Mention, Project
from console.boxes.domain import nearest, within
from console.boxes.query import STATES, BoxesWanted
from console.common.chain_page import GONE, letters_of
from console.common.pictures import Picture, picture
from console.inspector import search
from console.inspector.results import batches_of
from workflows.review.reviewed import Reviewed, reviewed, reviewed_images

_IN_USE = (Box.State.ACCEPTED, Box.State.PROPOSED, Box.State.REJECTED)
"""The states of boxes that are shown if none is chosen."""

SHOWN = 60
"""A page ends with the image that brings it to so many boxes."""
FEW_IMAGES = 60
IMAGES = 150
"""The most images of which a page reads the boxes, without conditions and with them."""
MAX_JUDGMENTS = 10_000
"""The most judgments of a worker that are searched for boxes, the latest first."""
MARGIN = 0.12
"""Of a box's longer side: what is seen around it."""
SHARP = 240
"""Pixels that the longer side of a crop has at least, if the photograph has them."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A box with what the conditions are about."""

    pk: int
    image: int
    work: int
    chain: int
    box: Rectangle
    state: str
    judgment: int | None
    ordinal: int
    worker: int | None
    name: str | None
    decision: int | None
    overlap: float | None = None


@dataclass(frozen=True, slots=True)
class Crop:
    """A box as the wall shows it. The edges of the part that is seen are in pixels of the photograph."""

    drawn: Drawn
    image: Image
    picture: Picture
    letter: str
    text: str
    source: str

    @property
    def view(self) -> str:
        """Return the part of the photograph that is seen, as an SVG has it."""
        box = self.drawn.box
        margin = round(MARGIN * max(box.width, box.height)) + 2
        return f"{box.left - margin} {box.top - margin} {box.width + 2 * margin} {box.height + 2 * margin}"

    @property
    def address(self) -> str | None:
        """Return the smallest rendition on which the box is sharp, or the photograph."""
        longer = max(self.drawn.box.width, self.drawn.box.height)
        for one in self.picture.renditions:
            if longer * one["width"] >= SHARP * self.picture.width:
                return str(one["url"])
        return self.picture.url

    @property
    def facts(self) -> str:
        """Return in words what is known about the box."""
        overlap = self.drawn.overlap
        parts = (
            STATES[self.drawn.state],
            f"drawn by {self.drawn.name}" if self.drawn.name else "drawn by a researcher",
            "" if overlap is None else f"IoU {overlap:.2f} with another box of its chain",
        )
        return " · ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Wall:
    """Boxes, and the address of those that follow, or ''. `looked_at` counts the images that were read."""

    crops: list[Crop]
    after: str
    batches: list[tuple[int, str]]
    looked_at: int
    unknown_worker: bool = False


def wall(project: Project, wanted: BoxesWanted, *, after: int) -> Wall:
    """Return the boxes of images after this one. At most 22 queries."""
    batches = batches_of(project)
    workers = search.workers(project.pk, wanted.worker) if wanted.worker else []
    if wanted.worker and not workers:
        return Wall([], "", batches, 0, unknown_worker=True)
    images = _images(project, wanted, workers).filter(pk__gt=after).order_by("pk")
    most = IMAGES if wanted.narrow else FEW_IMAGES
    found = {image.pk: image for image in images[: most + 1]}
    more = len(found) > most
    read = list(found)[:most]
    shown: list[Drawn] = []
    last = 0
    for image, boxes in _by_image(read, _that_meet(project, _boxes(read, wanted), wanted, workers)):
        last = image
        shown += boxes
        if len(shown) >= SHOWN:
            break
    follows = more or (last and last != read[-1])
    return Wall(
        crops=_crops(found, shown, wanted),
        after=wanted.query(after=last) if follows else "",
        batches=batches,
        looked_at=read.index(last) + 1 if last else 0,
    )


def _by_image(images: Sequence[int], boxes: Iterable[Drawn]) -> Iterable[tuple[int, list[Drawn]]]:
    of: defaultdict[int, list[Drawn]] = defaultdict(list)
    for box in boxes:
        of[box.image].append(box)
    return [(image, of[image]) for image in images]


def _images(project: Project, wanted: BoxesWanted, workers: Sequence[int]) -> QuerySet[Image]:
    """Return the images that may have such boxes."""
    found = search.images(project.pk, wanted.images)
    if workers:
        judgments = Judgment.objects.filter(worker__in=workers, item__isnull=False).order_by("-pk")
        latest = judgments.values_list("pk", flat=True)[:MAX_JUDGMENTS]
        drawn = Box.objects.filter(judgment__in=list(latest)).values_list("chain__work__image", flat=True)
        found = found.filter(pk__in=set(drawn))
    if wanted.reviewed == "yes":
        found = found.filter(pk__in=reviewed_images(project))
    if not workers:
        boxes = Box.objects.filter(
            **({"chain__work__batch": wanted.batch} if wanted.batch else {"chain__work__active": True})
        )
        found = found.filter(search.asked_of_each(boxes, "chain__work__image"))
    return found


def _boxes(images: Sequence[int], wanted: BoxesWanted) -> list[Drawn]:
    """Return the boxes of these images, each with its largest IoU with another accepted box of its chain."""
    works = ImageWork.objects.grounding().filter(image__in=images)
    works = works.filter(batch=wanted.batch) if wanted.batch else works.filter(active=True)
    image_of = dict(works.values_list("pk", "image_id"))
    rows = Box.objects.filter(chain__work__in=image_of).exclude(chain__state__in=GONE)
    if wanted.type:
        rows = rows.filter(search.has_type(wanted.type, "chain__"))
    columns: Any = (
        *("pk", "chain__work_id", "chain_id", "state", "left", "top", "right", "bottom"),
        *("judgment_id", "ordinal", "judgment__worker_id", "judgment__worker__external_id", "decision_id"),
    )
    found = []
    accepted: defaultdict[int, list[tuple[int, Rectangle]]] = defaultdict(list)
    for pk, work, chain, state, *rest in rows.order_by("pk").values_list(*columns):
        box, by = Rectangle(*rest[:4]), rest[4:]
        found.append(Drawn(pk, image_of[work], work, chain, box, state, *by))
        if state == Box.State.ACCEPTED:
            accepted[chain].append((pk, box))
    return [
        replace(one, overlap=nearest(one.box, (box for pk, box in accepted[one.chain] if pk != one.pk)))
        for one in found
    ]


def _that_meet(
    project: Project, boxes: Iterable[Drawn], wanted: BoxesWanted, workers: Collection[int]
) -> list[Drawn]:
    """Return the boxes that meet the conditions of boxes. What takes queries is looked up last."""
    states = (wanted.state,) if wanted.state else _IN_USE
    found = [one for one in boxes if one.state in states and (not workers or one.worker in workers)]
    found = [one for one in found if within(one.overlap, wanted.low, wanted.high)]
    if wanted.phrase:
        chains = _chains_saying(wanted.phrase, {one.image for one in found}, {one.chain for one in found})
        found = [one for one in found if one.chain in chains]
    if wanted.suggestion:
        origins = box_origins([one.judgment for one in found if one.judgment])
        by = {one.pk: origins.get((one.judgment or 0, one.ordinal)) for one in found}
        found = [one for one in found if _origin(by[one.pk]) == wanted.suggestion]
    if wanted.reviewed:
        seen = reviewed(project, {one.work for one in found})
        found = [one for one in found if _is_reviewed(one, seen) == (wanted.reviewed == "yes")]
    return found


def _origin(found: BoxFrom | None) -> str:
    return found.origin if found else Origin.DRAWN.value


def _is_reviewed(one: Drawn, seen: Reviewed) -> bool:
    return bool(one.decision) or one.pk in seen.boxes or one.chain in seen.chains or one.work in seen.works


def _chains_saying(phrase: str, images: Collection[int], chains: Collection[int]) -> set[int]:
    """Return those of the chains that have a mention with this phrase. Two queries."""
    saying = set(search.saying(phrase).filter(image__in=images).values_list("pk", flat=True))
    members = Chain.objects.filter(pk__in=chains).values_list("pk", "members")
    return {pk for pk, mentions in members if not saying.isdisjoint(mentions)}


def _crops(images: Mapping[int, Image], shown: Sequence[Drawn], wanted: BoxesWanted) -> list[Crop]:
    """Return the boxes with their photographs and the letters of their chains. Two queries."""
    works = {one.work: one.image for one in shown}
    chains: defaultdict[int, list[Chain]] = defaultdict(list)
    for chain in Chain.objects.filter(work__in=works).select_related("representative"):
        chains[chain.work_id].append(chain)
    mentions: defaultdict[int, list[Mention]] = defaultdict(list)
    used = Mention.objects.filter(image__in=works.values(), superseded=False)
    for mention in used.order_by("caption__index", "start", "pk"):
        mentions[mention.image_id].append(mention)
    letters: dict[int, str] = {}
    texts: dict[int, str] = {}
    for work, image in works.items():
        letters |= letters_of(chains[work], mentions[image])
        texts |= {chain.pk: chain.representative.text for chain in chains[work]}
    pictures = {pk: picture(images[pk]) for pk in works.values()}
    source = f"?source={wanted.batch}" if wanted.batch else ""
    return [
        Crop(one, images[one.image], pictures[one.image], letters[one.chain], texts[one.chain], source)
        for one in shown
    ]

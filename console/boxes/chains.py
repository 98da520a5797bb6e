"""The list of a project's chains, in the order of their images, each with its boxes on its photograph."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from annotation.models import Box, Chain, ImageWork, Mention, Project
from console.common.chain_page import GONE, letters_of
from console.common.labels import say_state
from console.common.pictures import Picture, picture, shape_of
from console.inspector import search
from console.inspector.results import batches_of
from console.inspector.search_query import Wanted

IMAGES = 8
"""Images on one page, each with all its chains that meet the conditions."""


@dataclass(frozen=True, slots=True)
class Row:
    """A chain of the list."""

    chain: Chain
    letter: str
    state: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Chains:
    """Chains, and the address of those that follow, or ''."""

    rows: list[Row]
    after: str
    batches: list[tuple[int, str]]


def chains(project: Project, wanted: Wanted, *, after: int) -> Chains:
    """Return the chains of images after this one. At most fourteen queries."""
    works = ImageWork.objects.grounding()
    works = works.filter(batch=wanted.batch) if wanted.batch else works.filter(active=True)
    used = Chain.objects.exclude(state__in=GONE)
    of_works = used.filter(work__batch=wanted.batch) if wanted.batch else used.filter(work__active=True)
    images = search.images(project.pk, wanted).filter(search.asked_of_each(of_works, "work__image"))
    found = {image.pk: image for image in images.filter(pk__gt=after).order_by("pk")[: IMAGES + 1]}
    more = len(found) > IMAGES
    read = list(found)[:IMAGES]
    image_of = dict(works.filter(image__in=read).values_list("pk", "image_id"))
    by_image: defaultdict[int, list[Chain]] = defaultdict(list)
    for chain in used.filter(work__in=image_of).select_related("representative"):
        by_image[image_of[chain.work_id]].append(chain)
    mentions: defaultdict[int, list[Mention]] = defaultdict(list)
    said = Mention.objects.filter(image__in=read, superseded=False).order_by("caption__index", "start", "pk")
    for mention in said:
        mentions[mention.image_id].append(mention)
    saying = _saying(wanted, read)
    boxes: defaultdict[int, list[Box]] = defaultdict(list)
    in_use = (Box.State.ACCEPTED, Box.State.PROPOSED, Box.State.REJECTED)
    for box in Box.objects.filter(chain__work__in=image_of, state__in=in_use).order_by("pk"):
        boxes[box.chain_id].append(box)
    rows = []
    for pk in read:
        image = picture(found[pk])
        letters = letters_of(by_image[pk], mentions[pk])
        for chain in sorted(by_image[pk], key=lambda one: (len(letters[one.pk]), letters[one.pk])):
            if _meets(chain, wanted, saying):
                letter = letters[chain.pk]
                shapes = tuple(shape_of(box, letter) for box in boxes[chain.pk])
                rows.append(Row(chain, letter, say_state(chain.state), replace(image, shapes=shapes)))
    return Chains(rows, wanted.query(after=read[-1]) if more else "", batches_of(project))


def _saying(wanted: Wanted, images: list[int]) -> set[int]:
    """Return the mentions with the phrase that is wanted, if one is."""
    if not wanted.phrase:
        return set()
    return set(search.saying(wanted.phrase).filter(image__in=images).values_list("pk", flat=True))


def _meets(chain: Chain, wanted: Wanted, saying: set[int]) -> bool:
    return (
        (not wanted.phrase or not saying.isdisjoint(chain.members))
        and (not wanted.type or wanted.type in chain.types.split("/"))
        and (not wanted.chain_state or chain.state == wanted.chain_state)
        and (wanted.disagreement != "boxes" or chain.boxes_rejected > 0)
    )

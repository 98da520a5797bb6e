"""A page of search results: each image with its photograph, matching phrases and state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from annotation.models import Batch, GoldChain, Image, ImageWork, Mention, Project
from console.common.keyset import KeysetPage, keyset_page
from console.common.labels import say_state
from console.common.pictures import Picture, picture
from console.inspector import search
from console.inspector.image_page import Shown
from console.inspector.search_query import Wanted
from console.inspector.sources import say_campaign, say_captions
from console.inspector.thumbnails import chain_shapes, chains_of
from workflows.pipeline.selectors import short_of_captions

ROWS = 24
MAX_BATCHES = 200
MAX_PHRASES = 3
"""Phrases shown for an image of the list."""


@dataclass(slots=True)
class Found:
    """An image of the list; `where` is the batch it is annotated in, and how far it is there.

    `caption` is the first one that has the words that were searched for.
    """

    image: Image
    picture: Picture
    where: str = ""
    state: str = ""
    done: bool = False
    gold: bool = False
    phrases: list[str] = field(default_factory=list)
    caption: str = ""
    campaigns: list[str] = field(default_factory=list)  # where its captions are collected or judged
    chains: list[Shown] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Results:
    """Images, and the addresses of the pages before and after them, where there are any."""

    rows: list[Found]
    batches: list[tuple[int, str]]
    before: str
    after: str
    unknown_worker: bool = False


def results(project: Project, wanted: Wanted, *, after: int = 0, before: int = 0) -> Results:
    """Return the images after an id, or before one. At most twenty queries."""
    unknown = bool(wanted.worker) and not search.workers(project.pk, wanted.worker)
    found: KeysetPage[Image] = KeysetPage([])
    if not unknown:
        images = search.images(project.pk, wanted)
        found = keyset_page(images, ROWS, before=before, after=after, newest_first=False)
    return Results(
        rows=_described(found.rows, wanted),
        batches=batches_of(project),
        before=wanted.query(before=found.previous) if found.previous else "",
        after=wanted.query(after=found.next) if found.next else "",
        unknown_worker=unknown,
    )


def batches_of(project: Project) -> list[tuple[int, str]]:
    """Return the ids and names of the project's newest batches."""
    batches = Batch.objects.filter(project=project).order_by("-pk")
    return list(batches.values_list("pk", "name")[:MAX_BATCHES])


def _described(images: Sequence[Image], wanted: Wanted) -> list[Found]:
    rows = {image.pk: Found(image, picture(image)) for image in images}
    works = ImageWork.objects.filter(image__in=rows).select_related("batch").order_by("pk")
    works = works.filter(batch=wanted.batch) if wanted.batch else works.filter(active=True)
    short = short_of_captions(works)
    for work in works:
        row = rows[work.image_id]
        if not wanted.batch and work.campaign != ImageWork.Campaign.ENTITIES:
            row.campaigns.append(say_campaign(work, short.get(work.pk)))
            continue
        row.where = work.batch.name
        row.done = work.state == ImageWork.State.DONE and work.pk not in short
        # What a batch no longer has is done there, or nothing goes on there.
        row.state = say_state(work.state) if work.active or row.done else "no longer in this batch"
        if work.pk in short:
            row.state = say_captions(short[work.pk])
    known = GoldChain.objects.filter(image__in=rows, superseded=False)
    for pk in known.values_list("image", flat=True).distinct():
        rows[pk].gold = True
    for pk, phrases in _phrases(list(rows), wanted).items():
        rows[pk].phrases = phrases[:MAX_PHRASES]
    if wanted.words:
        captions = search.told(wanted.words).filter(image__in=rows).order_by("-index")
        for image, text in captions.values_list("image", "text"):
            rows[image].caption = text
    if wanted.boxes:
        for image, chains in chains_of(images, wanted.batch).items():
            row = rows[image]
            row.chains, row.picture = chains, replace(row.picture, shapes=chain_shapes(chains))
    return list(rows.values())


def _phrases(images: Sequence[int], wanted: Wanted) -> dict[int, list[str]]:
    """Return the phrases that matched, as the images' captions have them, each wording once."""
    said: defaultdict[int, list[str]] = defaultdict(list)
    if not wanted.phrase:
        return said
    words = wanted.phrase.lower()
    mentions = Mention.objects.filter(image__in=images, superseded=False).order_by("pk")
    for image, text, head in mentions.values_list("image", "text", "head"):
        folded = text.lower()
        begins = f"{folded} ".startswith(f"{words} ")
        own = begins or head == words or (head in words.split() and f" {words} " in f" {folded} ")
        if own and text not in said[image]:
            said[image].append(text)
    return said


def around(project: int, wanted: Wanted, pk: int) -> tuple[int | None, int | None]:
    """Return the images before and after this one in the search. At most six queries."""
    found = search.images(project, wanted)
    before = found.filter(pk__lt=pk).order_by("-pk").values_list("pk", flat=True).first()
    after = found.filter(pk__gt=pk).order_by("pk").values_list("pk", flat=True).first()
    return before, after

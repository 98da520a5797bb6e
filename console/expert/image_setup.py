"""What the expert screen needs of an image, as JSON; see frontend/src/expert/setup.ts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.records import TEST_SPLIT
from annotation.domain.suggested import rectangle
from annotation.domain.tokens import align
from annotation.domain.types import ProjectTypes, types_of
from annotation.models import Batch, Caption, GoldChain, Image, ImageWork, Mention
from annotation.selectors import project_types, type_names
from console.common.labels import letter
from console.common.pictures import picture
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.review.annotate import accepted_boxes, image_version, last_purpose, undone_annotation
from workflows.review.domain.annotation import Purpose
from workflows.suggestions.selectors import boxes_in, completed

PURPOSES: dict[str, tuple[str, str]] = {
    Purpose.FINAL: ("Final", "Everything about the image is settled. It is exported as you drew it."),
    Purpose.GOLD: ("Gold", "As you draw it, it is final and exported. It also gives verification questions."),
    Purpose.CORRECTION: (
        "Correction",
        "What you changed is settled. Chains that you leave alone, or without a box, go on as they were.",
    ),
}
"""The name of each purpose, and what it means."""


@dataclass(frozen=True, slots=True)
class _Start:
    """A chain with which the screen begins."""

    members: Sequence[int]
    boxes: list[list[int]]
    flag: str


def purposes_of(work: ImageWork | None) -> list[Purpose]:
    """Return what an annotation of this image can be for, the likeliest first."""
    alone = [Purpose.FINAL, Purpose.GOLD]
    return alone if work is None or work.batch.by_hand else [Purpose.CORRECTION, *alone]


def why_not(image: Image, work: ImageWork | None) -> str:
    """Return why the image cannot be annotated now, or ''."""
    if not (image.file and image.width and image.height):
        return "Its photograph is missing. Import the photograph first."
    if work is not None and work.batch.state == Batch.State.DRAFT:
        return f"It is in {work.batch.name}, which is a draft. Launch or delete that batch first."
    if not Caption.objects.in_use().filter(image=image).exists():
        return "It has no captions. Import captions, or have them written, first."
    return ""


def expert_setup(
    image: Image,
    work: ImageWork | None,
    *,
    user: str,
    purpose: str,
    address: str,
    save: str,
    newest_set: int | None = None,
) -> dict[str, Any]:
    """Return the setup of the screen for an image that can be annotated. A fixed number of queries.

    `newest_set` is the number of the project's newest set of suggestions.
    """
    mentions = list(Mention.objects.filter(image=image, superseded=False).order_by("start"))
    captions = list(Caption.objects.in_use().filter(image=image).order_by("index"))
    names: dict[int, str] = {}
    chains = []
    for place, chain in enumerate(_in_order(_starts(image, work), mentions)):
        name = letter(place)
        names |= dict.fromkeys(chain.members, name)
        chains.append({"name": name, "boxes": chain.boxes, "flag": chain.flag})
    allowed = purposes_of(work)
    wanted = purpose if purpose in allowed else last_purpose(work) if work else ""
    settings = settings_of(work.batch) if work else BatchSettings()
    types = project_types(image.project_id)
    labels = {one.key: one.label for one in types.own}
    return {
        "image": picture(image).info,
        "label": image.name,
        "user": user,
        "minimum_side": settings.minimum_side,
        "version": image_version(image.pk),
        "purpose": wanted if wanted in allowed else allowed[0],
        "purposes": [
            {"value": one, "name": PURPOSES[one][0], "help": PURPOSES[one][1]}
            for one in ([Purpose(purpose)] if purpose in allowed else allowed)
        ],
        "captions": [
            _caption(caption, [one for one in mentions if one.caption_id == caption.pk], names, types)
            for caption in captions
        ],
        "types": [{"key": key, "label": labels.get(key, key)} for key in type_names(image.pk)],
        "chains": chains,
        "save": save,
        "address": address,
        **_suggested(image, settings, newest_set, _spans(captions, mentions)),
    }


def _suggested(
    image: Image, settings: BatchSettings, newest: int | None, spans: Mapping[int, tuple[int, int, int]]
) -> dict[str, Any]:
    """Return the field with the boxes of a model: those of the batch's set, else of the newest one.

    Images of the split test have none unless their batch shows some. Two queries, and none without a set.
    """
    number = settings.suggestions.set or newest
    if number is None or (image.split == TEST_SPLIT and not settings.suggestions.test_split):
        return {}
    found = completed(image.project_id, number)
    if found is None:
        return {}
    boxes = [
        {"id": place, "at": spans[mention], "box": list(rectangle(box).edges)}
        for place, (mention, box) in enumerate(boxes_in(image.pk, found))
        if mention in spans and min(rectangle(box).width, rectangle(box).height) >= settings.minimum_side
    ]
    return {"suggested": {"set": number, "model": str(found.model), "boxes": boxes}} if boxes else {}


def _spans(captions: Sequence[Caption], mentions: Sequence[Mention]) -> dict[int, tuple[int, int, int]]:
    """Return each mention's place: that of its caption on the screen, its first word, and its end."""
    places = {caption.pk: place for place, caption in enumerate(captions)}
    return {
        one.pk: (places[one.caption_id], one.start, one.end) for one in mentions if one.caption_id in places
    }


def _starts(image: Image, work: ImageWork | None) -> list[_Start]:
    """Return the chains as they are; of an image that no batch has, those of its annotation that was undone.

    Without one, they are those that are known beforehand.
    """
    if work is not None:
        return [
            _Start(chain.members, [list(box.edges) for box in boxes], chain.flag)
            for chain, boxes in accepted_boxes(work).items()
        ]
    if undone := undone_annotation(image.pk):
        return [_Start(members, [list(box.edges) for box in boxes], flag) for members, boxes, flag in undone]
    return [
        _Start(row.members, row.boxes, "" if row.boxes else _flag(row))
        for row in GoldChain.objects.filter(image=image, superseded=False).order_by("number")
    ]


def _flag(row: GoldChain) -> str:
    return "scene" if row.scene else "nobndbox" if row.nobndbox else ""


def _in_order(chains: Sequence[_Start], mentions: Sequence[Mention]) -> list[_Start]:
    """Return the chains whose mentions are all in use, in the order of their first mentions."""
    captions = {mention.pk: (mention.caption_id, mention.start) for mention in mentions}
    whole = [chain for chain in chains if all(pk in captions for pk in chain.members)]
    return sorted(whole, key=lambda chain: min(captions[pk] for pk in chain.members))


def _caption(
    caption: Caption, mentions: Sequence[Mention], names: dict[int, str], types: ProjectTypes
) -> dict[str, Any]:
    tokens = caption.tokens.split(" ")
    spans = align(caption.text, tokens)
    ends = [0, *(end for _, end in spans)]
    words = [
        {
            "before": caption.text[before:start],
            "text": caption.text[start:end],
            "types": types_of(tokens[max(0, place - 2) : place + 1], types),
        }
        for place, (before, (start, end)) in enumerate(zip(ends, spans, strict=False))
    ]
    return {
        "words": words,
        "tail": caption.text[ends[-1] :],
        "phrases": [
            {
                "start": mention.start,
                "end": mention.end,
                "types": mention.types.split("/"),
                "visual": mention.annotatable,
                "chain": names.get(mention.pk, ""),
            }
            for mention in mentions
        ],
    }

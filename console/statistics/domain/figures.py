"""Shares and means from sums, each beside the paper's figure for Flickr30k Entities, if it has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from annotation.domain.statistics import Sums, TypeSums
from annotation.domain.types import TYPES, in_order
from console.common.paper import BOXES_OF_CHAINS
from workflows.batch_settings.domain.paper import (
    ALL_BOXES,
    ALL_CAPTIONS,
    ALL_CHAINS,
    ALL_MENTIONS,
    ALL_VERIFIED,
    BOXES,
    CATEGORIES,
    CHAINS,
    IMAGES,
    MENTIONS,
    MERGED_BOXES,
    MERGED_CHAINS,
    PRESENT,
    REVIEWED,
    VERIFIED,
)

IMAGES_WITH: Mapping[str, float] = MappingProxyType({name: 100 * one for name, one in PRESENT.items()})
"""The percentage of images that mention a type."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `value` is None if the divisor is 0, `paper` if the paper does not give it.

    `unit` "%" means per cent, 0 to 100.
    """

    name: str
    title: str
    value: float | None
    paper: float | None = None
    unit: str = ""


def ratio(part: float, whole: float, *, of: int = 1) -> float | None:
    """Return part / whole times `of` (100 for per cent), or None if `whole` is 0."""
    return of * part / whole if whole else None


def counts(sums: Sums) -> list[Figure]:
    """Return how much there is of each thing. The paper counts no chunks, and no chains by their flag."""
    return [
        Figure("images", "Images", sums.images, IMAGES),
        Figure("captions", "Captions", sums.captions, ALL_CAPTIONS),
        Figure("chunks", "Chunks", sums.mentions + sums.notvisual),
        Figure("mentions", "Mentions, in chains", sums.mentions, ALL_MENTIONS),
        Figure("chains", "Chains", sums.chains, ALL_CHAINS),
        Figure("boxes", "Boxes", sums.boxes, ALL_BOXES),
        Figure("categories", "Object categories", sums.categories, CATEGORIES),
        Figure("chains_judged", "Chains that workers verified", sums.verified + sums.broken, ALL_VERIFIED),
        Figure("chains_decided", "Chains that a researcher decided about", sums.decided, REVIEWED),
        Figure("scene", "Chains that are a scene", sums.scene),
        Figure("nobndbox", "Chains that no box can be drawn for", sums.nobndbox),
    ]


def averages(sums: Sums) -> list[Figure]:
    """How much of one there is a piece of another. The paper's are computed from its counts, as exactly as
    those beside them; two that it prints differ (16.6 mentions and 7.8 chains an image)."""
    return [
        Figure(
            "captions_per_image",
            "Captions an image",
            ratio(sums.captions, sums.images),
            ALL_CAPTIONS / IMAGES,
        ),
        Figure(
            "mentions_per_caption",
            "Mentions a caption",
            ratio(sums.mentions, sums.captions),
            ALL_MENTIONS / ALL_CAPTIONS,
        ),
        Figure(
            "mentions_per_image",
            "Mentions an image",
            ratio(sums.mentions, sums.images),
            ALL_MENTIONS / IMAGES,
        ),
        Figure("words_per_mention", "Words a mention", ratio(sums.words, sums.mentions), 2.35),
        Figure("chains_per_image", "Chains an image", ratio(sums.chains, sums.images), ALL_CHAINS / IMAGES),
        Figure(
            "mentions_per_chain",
            "Mentions a chain",
            ratio(sums.chain_mentions, sums.chains),
            ALL_MENTIONS / ALL_CHAINS,
        ),
        Figure("boxes_per_image", "Boxes an image", ratio(sums.boxes, sums.images), ALL_BOXES / IMAGES),
        Figure(
            "boxes_per_chain",
            "Boxes a chain",
            ratio(sums.boxes, sums.chains),
            ALL_BOXES / ALL_CHAINS,
        ),
        Figure(
            "boxes_per_chain_shared",
            "Boxes a chain, shared ones once for each chain",
            ratio(sums.chain_boxes, sums.chains),
        ),
        Figure(
            "boxes_per_category",
            "Boxes an object category",
            ratio(sums.boxes, sums.categories),
            ALL_BOXES / CATEGORIES,
        ),
    ]


def shares(sums: Sums) -> list[Figure]:
    """Return shares of chains, images and boxes, and how near boxes are to one another."""
    chains, boxes = sums.chains, sums.boxes

    def share(name: str, title: str, part: int, whole: int, paper: float | None) -> Figure:
        return Figure(name, title, ratio(part, whole, of=100), paper, "%")

    return [
        share(
            "chains_several_mentions",
            "Chains with several mentions",
            sums.with_several_mentions,
            chains,
            48.6,
        ),
        share("chains_no_box", "Chains without a box", sums.without_box, chains, BOXES_OF_CHAINS["none"]),
        share("chains_one_box", "Chains with one box", sums.with_one_box, chains, BOXES_OF_CHAINS["one"]),
        share(
            "chains_several_boxes",
            "Chains with several boxes",
            sums.with_several_boxes,
            chains,
            BOXES_OF_CHAINS["several"],
        ),
        share(
            "images_several_boxes",
            "Images with a chain of several boxes",
            sums.images_with_several_boxes,
            sums.images,
            67.0,
        ),
        share("boxes_enclosed", "Boxes that another encloses", sums.enclosed, boxes, 49.2),
        Figure(
            "nearest_iou",
            "Mean IoU of a box with the nearest other of its image",
            ratio(sums.nearest, sums.with_neighbour),
            0.37,
        ),
        Figure(
            "nearest_iou_all",
            "The same, where a box that is alone in its image counts as 0",
            ratio(sums.nearest, boxes),
            0.37,
        ),
    ]


def work_shares(sums: Sums) -> list[Figure]:
    """Return what chain verification said of the chains, and what merging removed, in per cent."""
    verified, merged = 100 * VERIFIED, (100 * MERGED_BOXES, 100 * MERGED_CHAINS)
    judged = sums.verified + sums.broken
    boxes, chains = sums.boxes_raw, sums.chains_raw
    return [
        Figure(
            "chains_verified",
            "Chains that verification kept",
            ratio(sums.verified, judged, of=100),
            verified,
            "%",
        ),
        Figure(
            "chains_broken",
            "Chains that verification broke up",
            ratio(sums.broken, judged, of=100),
            100 - verified,
            "%",
        ),
        Figure(
            "boxes_merged",
            "Boxes that merging removed",
            ratio(boxes - sums.boxes, boxes, of=100),
            merged[0],
            "%",
        ),
        Figure(
            "chains_merged",
            "Chains that merging removed",
            ratio(chains - sums.chains, chains, of=100),
            merged[1],
            "%",
        ),
    ]


def model_shares(sums: Sums) -> list[Figure]:
    """Return what became of each model's suggestions, and the boxes that rest on its answers, in per cent."""
    found = []
    for one in sums.models:
        offered = one.drawn + one.accepted + one.adjusted
        of_workers = (
            ("drawn", f"Boxes drawn anew, where boxes of {one.model} were shown", one.drawn),
            ("accepted", f"Boxes of {one.model} accepted as they were", one.accepted),
            ("adjusted", f"Boxes of {one.model} adjusted", one.adjusted),
        )
        of_judge = (
            ("judged", f"Boxes that {one.model} judged", one.judged),
            ("unjudged", f"Boxes that {one.model} judged, and no worker", one.unjudged),
        )
        for parts, whole, shown in (
            (of_workers, offered, offered),
            (of_judge, sums.boxes, one.judged),
        ):
            if shown:
                found += [
                    Figure(f"boxes_{name}:{one.model}", title, ratio(part, whole, of=100), unit="%")
                    for name, title, part in parts
                ]
    return found


def all_figures(sums: Sums) -> list[Figure]:
    """Return every figure that has one value, in the order in which they are shown."""
    return [*counts(sums), *averages(sums), *shares(sums), *work_shares(sums), *model_shares(sums)]


def type_rows(sums: Sums) -> list[tuple[str, TypeSums]]:
    """Return the eight types and those that occur, in their order."""
    return [(name, sums.types.get(name, TypeSums())) for name in in_order([*TYPES, *sums.types])]


def to_json(sums: Sums) -> dict[str, Any]:
    """Return everything by stable names, with the paper's figures as `paper`."""
    figures = all_figures(sums)
    return {
        "figures": {f.name: {"value": f.value, "paper": f.paper, "unit": f.unit} for f in figures},
        "types": {name: _type(name, one, sums) for name, one in type_rows(sums)},
        "nouns": _words(sums.nouns, sums),
        "adjectives": _words(sums.adjectives, sums),
    }


def _type(name: str, one: TypeSums, sums: Sums) -> dict[str, Any]:
    return {
        **asdict(one),
        "mentions_per_chain": ratio(one.chain_mentions, one.chains),
        "boxes_per_chain": ratio(one.chain_boxes, one.chains),
        "images_percent": ratio(one.images, sums.images, of=100),
        "paper": {
            "chains": CHAINS.get(name),
            "mentions_per_chain": MENTIONS.get(name),
            "boxes_per_chain": BOXES.get(name),
            "images_percent": IMAGES_WITH.get(name),
        },
    }


def _words(words: Sequence[tuple[str, int, int]], sums: Sums) -> list[dict[str, Any]]:
    return [
        {
            "word": word,
            "mentions": mentions,
            "boxes": boxes,
            "mentions_percent": ratio(mentions, sums.mentions, of=100),
            "boxes_percent": ratio(boxes, sums.boxes, of=100),
        }
        for word, mentions, boxes in words
    ]

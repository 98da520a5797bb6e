"""Shares and means from sums, each beside the paper's figure for Flickr30k Entities, if it has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from annotation.domain.statistics import Sums, TypeSums
from annotation.domain.types import TYPES
from console.dashboards.paper import BOXES_OF_CHAINS
from workflows.batch_settings.domain.paper import (
    ALL_BOXES,
    ALL_CAPTIONS,
    ALL_CHAINS,
    ALL_MENTIONS,
    BOXES,
    CHAINS,
    IMAGES,
    MENTIONS,
    PRESENT,
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
        Figure("scene", "Chains that are a scene", sums.scene),
        Figure("nobndbox", "Chains that no box can be drawn for", sums.nobndbox),
    ]


def averages(sums: Sums) -> list[Figure]:
    """How much of one there is a piece of another. The paper rounds its own to a tenth: here they are what
    its counts come to, as exact as those beside them."""
    return [
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
        Figure("boxes_per_chain", "Boxes a chain", ratio(sums.chain_boxes, sums.chains)),
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
    ]


def type_rows(sums: Sums) -> list[tuple[str, TypeSums]]:
    """Return the types in their order, unknown ones last."""
    order = [*TYPES, *sorted(set(sums.types).difference(TYPES))]
    return [(name, sums.types.get(name, TypeSums())) for name in order]


def to_json(sums: Sums) -> dict[str, Any]:
    """Return everything by stable names, with the paper's figures as `paper`."""
    figures = [*counts(sums), *averages(sums), *shares(sums)]
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

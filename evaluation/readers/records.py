"""What all readers share: limits, and the chains of an image from its mentions."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.dataset import TYPES, Caption

MAX_CAPTIONS = 1_000
MAX_NAME = 200
"""Characters of the name of an image."""
MAX_SIDE = 100_000
"""Pixels."""
MAX_ID = 2**63 - 1
SPLITS = ("train", "val", "test")
NOTVISUAL = "notvisual"
"""The type of mentions that nothing in the image is meant by."""


def wrong_name(name: str) -> str | None:
    """Return what is wrong with an image's file name, or None."""
    return None if 0 < len(name) <= MAX_NAME else f"an image name has 1 to {MAX_NAME} characters"


def ordered_types(types: Iterable[str]) -> tuple[str, ...]:
    """Return the types once each, in the order of TYPES; `notvisual` is left out."""
    found = set(types)
    return tuple(one for one in TYPES if one in found)


def types_of_chains(captions: Iterable[Caption]) -> dict[str, tuple[str, ...]]:
    """Return the types of the mentions of each chain. Chains are in the order of their first mention."""
    found: dict[str, list[str]] = {}
    for caption in captions:
        for mention in caption.mentions:
            if mention.chain:
                found.setdefault(mention.chain, []).extend(mention.types)
    return {chain: ordered_types(types) for chain, types in found.items()}

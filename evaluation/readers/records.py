"""What all readers share: limits, and the chains of an image from its mentions."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.dataset import MAX_TYPE, TYPES, Caption, is_type, types_in_order

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
    """Return the types once each, as `types_in_order`; `notvisual` is left out."""
    return types_in_order(one for one in types if one != NOTVISUAL)


def wrong_type(name: object) -> str | None:
    """Return what is wrong with the name of a type, or None. It may be a type of a project's own."""
    if is_type(name):
        return None
    return (
        f"{str(name)[:40]!r} is no type; the types are {', '.join(TYPES)}, and types of a project's own, "
        f"whose names have at most {MAX_TYPE} lower-case letters and _"
    )


def types_of_chains(captions: Iterable[Caption]) -> dict[str, tuple[str, ...]]:
    """Return the types of the mentions of each chain. Chains are in the order of their first mention."""
    found: dict[str, list[str]] = {}
    for caption in captions:
        for mention in caption.mentions:
            if mention.chain:
                found.setdefault(mention.chain, []).extend(mention.types)
    return {chain: ordered_types(types) for chain, types in found.items()}

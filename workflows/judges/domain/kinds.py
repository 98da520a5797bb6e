"""The kinds of a model's answers, by where the boxes came from. Each is measured apart."""

from __future__ import annotations

from collections.abc import Iterable

PEOPLE = "people"
"""The kind of a box that a person drew or adjusted. Any other is the family of the model that proposed it."""
NOTHING_MISSING, NOTHING_MISSING_BESIDE = "nothing missing", "nothing missing beside suggestions"
"""The kinds of answers about completeness: if people drew all new boxes, and if a model proposed some. What a
model proposed leaves less to overlook."""
ABOUT_MISSING = frozenset({NOTHING_MISSING, NOTHING_MISSING_BESIDE})


def about_missing(kinds: Iterable[str]) -> str:
    """Return the kind of an answer about completeness, beside new boxes of these kinds."""
    return NOTHING_MISSING if all(kind == PEOPLE for kind in kinds) else NOTHING_MISSING_BESIDE


def proposers(kinds: Iterable[str]) -> list[str]:
    """Return the kinds that are families of models."""
    return [kind for kind in kinds if kind != PEOPLE and kind not in ABOUT_MISSING]

"""The phrases of a caption as fields of a form, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict

from annotation.domain.types import in_order
from console.common.numbers import say_count
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.domain.captions import Wording
from workflows.review.selectors import Place


@dataclass(frozen=True, slots=True)
class Row:
    """A phrase as the page asks about it. `name` ends the names of its fields."""

    name: str
    text: str
    types: tuple[tuple[str, bool], ...]
    visual: bool
    place: str
    is_new: bool


def rows_of(wording: Wording, new: Sequence[tuple[int, int]], types: Sequence[str]) -> list[Row]:
    """Return the phrases in order, each with these types to choose from.

    `new` are the tokens of those that are not mentions yet.
    """
    return [
        Row(
            name=f"{phrase.start}-{phrase.end}",
            text=" ".join(wording.tokens[phrase.start : phrase.end]),
            types=tuple((name, name in phrase.types) for name in types),
            visual=phrase.visual,
            place=phrase.place,
            is_new=phrase.span in new,
        )
        for phrase in wording.phrases
    ]


def read_rows(data: QueryDict, wording: Wording) -> Wording:
    """Return the wording with what the form says about its phrases. Raises DecisionError."""
    phrases = []
    for phrase in wording.phrases:
        name = f"{phrase.start}-{phrase.end}"
        types = tuple(data.getlist(f"types-{name}"))
        if not types:
            words = " ".join(wording.tokens[phrase.start : phrase.end])
            raise DecisionError("types", f"of “{words}” are missing: choose at least one")
        visual = f"visual-{name}" in data
        place = data.get(f"place-{name}", phrase.place) if visual else ""
        phrases.append(replace(phrase, types=in_order(types), visual=visual, place=place))
    return replace(wording, phrases=tuple(phrases))


def place_names(places: Sequence[Place], texts: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return the chains that a phrase can join as choices, after the choice of a chain of its own."""
    found = [("", "a chain of its own")]
    for place in places:
        text = max((texts.get(pk, "") for pk in place.members), key=len, default="")
        mentions = say_count(len(place.members), "mention")
        boxes = f", {say_count(len(place.boxes), 'box', 'boxes')}" if place.boxes else ""
        found.append((place.key, f"that of “{text}” ({mentions}{boxes})"))
    return found

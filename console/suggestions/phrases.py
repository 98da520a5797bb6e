"""The phrases of a set with their boxes: filtered by score and type, in the order of scores, by key."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from annotation.domain.suggested import SuggestedBox, rectangle
from annotation.models import Suggestion, SuggestionSet
from console.common.pictures import Picture, Shape, picture
from console.inspector.search import has_type
from evaluation.dataset import is_type

PHRASES = 12
"""Phrases on a page: each has a photograph."""
HIGHEST, LOWEST, NOTHING, IN_ORDER = "highest", "lowest", "nothing", ""
ORDERS: Mapping[str, str] = MappingProxyType(
    {
        IN_ORDER: "in their order",
        HIGHEST: "highest score first",
        LOWEST: "lowest score first",
        NOTHING: "found nothing",
    }
)
SCORE = "boxes__0__4"
"""The score of the best box, which is the first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which phrases are shown, and in which order. Scores are those of a phrase's best box."""

    order: str = IN_ORDER
    least: float | None = None
    type: str = ""

    @classmethod
    def read(cls, data: Mapping[str, str], *, scored: bool) -> Wanted:
        """Read it from an address. What the form does not offer is ignored, and scores if there are none."""
        order, kind = data.get("order", ""), data.get("type", "")
        if order not in ORDERS or (not scored and order in (HIGHEST, LOWEST)):
            order = IN_ORDER
        least = _number(data.get("least", "")) if scored and order != NOTHING else None
        return cls(order, least, kind if is_type(kind) else "")

    @property
    def least_said(self) -> str:
        """The least score as it is typed."""
        return "" if self.least is None else f"{self.least:g}"

    def query(self, after: str) -> str:
        """Return the query string of the page that begins after this key."""
        words = {"order": self.order, "least": self.least_said, "type": self.type, "after": after}
        return f"?{urlencode({name: word for name, word in words.items() if word})}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase with its boxes; `boxes` says each in words, as screen readers have it."""

    text: str
    types: str
    picture: Picture
    boxes: Sequence[str]
    scores: str
    address: str


@dataclass(frozen=True, slots=True)
class Phrases:
    """A page of phrases, and the query string of the next page, or ""."""

    rows: Sequence[Phrase]
    more: str


def phrases(of: SuggestionSet, wanted: Wanted, after: str) -> Phrases:
    """Return a page of the set's phrases. `after` is the key that the page before ended with. Two queries.

    The first finds the rows of the page alone: a database that orders them would carry mentions and images of
    all rows along.
    """
    rows = Suggestion.objects.filter(set=of)
    if wanted.order == NOTHING:
        rows = rows.filter(boxes=[])
    elif wanted.order in (HIGHEST, LOWEST):
        rows = rows.exclude(boxes=[])
    if wanted.least is not None:
        rows = rows.filter(**{f"{SCORE}__gte": wanted.least})
    if wanted.type:
        rows = rows.filter(has_type(wanted.type, "mention__"))
    found = list(_from(rows, wanted.order, after).values_list("pk", flat=True)[: PHRASES + 1])
    of_page = Suggestion.objects.select_related("mention__image").in_bulk(found[:PHRASES])
    shown = [of_page[pk] for pk in found[:PHRASES]]
    more = wanted.query(_key(shown[-1], wanted.order)) if len(found) > PHRASES else ""
    return Phrases([_phrase(row, wanted.least) for row in shown], more)


def _from(rows: QuerySet[Suggestion], order: str, after: str) -> QuerySet[Suggestion]:
    """Return the rows after a key, in their order: by score and then by mention, or by mention alone."""
    text, _, mention = after.rpartition("_")
    last = int(mention) if mention.isascii() and mention.isdigit() and len(mention) < 19 else 0
    if order not in (HIGHEST, LOWEST):
        return rows.filter(mention__gt=last).order_by("mention_id")
    down = order == HIGHEST
    score = _number(text)
    if score is not None and last:
        beyond = {f"{SCORE}__{'lt' if down else 'gt'}": score}
        rows = rows.filter(Q(**beyond) | Q(**{SCORE: score}, mention__gt=last))
    by = F(SCORE).desc() if down else F(SCORE).asc()
    return rows.order_by(by, "mention_id")


def _key(row: Suggestion, order: str) -> str:
    return f"{row.boxes[0][4] if order in (HIGHEST, LOWEST) else ''}_{row.mention_id}"


def _phrase(row: Suggestion, least: float | None) -> Phrase:
    boxes: list[SuggestedBox] = [box for box in row.boxes if least is None or _reaches(box, least)]
    image, mention = row.mention.image, row.mention
    shapes = [
        Shape("suggested", str(place), *rectangle(box).edges) for place, box in enumerate(boxes, start=1)
    ]
    return Phrase(
        text=mention.text,
        types=mention.types,
        picture=picture(image, shapes),
        boxes=[_say(place, box) for place, box in enumerate(boxes, start=1)],
        scores=", ".join(f"{box[4]:.2f}" for box in boxes if box[4] is not None),
        address=reverse("inspector:image", args=[image.pk]),
    )


def _reaches(box: SuggestedBox, least: float) -> bool:
    return box[4] is not None and box[4] >= least


def _say(place: int, box: SuggestedBox) -> str:
    left, top, right, bottom = rectangle(box).edges
    score = "" if box[4] is None else f", score {box[4]:.2f}"
    return f"box {place}: {left} to {right} across, {top} to {bottom} down{score}"


def _number(text: Any) -> float | None:
    """Return the number that somebody typed, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None

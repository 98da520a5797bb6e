"""Boxes that a model suggested: which of them a worker is shown, and what a worker's box owes to one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotation.domain.answers import AbstentionKind, Answer, BoxesAnswer, DrawingAnswer
from annotation.domain.geometry import Box, iou

MAX_SUGGESTED = 20
"""The most boxes of a model that a mention gets."""
MAX_FILE = 2 * 1024**3
"""Bytes of a file of boxes."""
LAST_BIT = 62
"""The last place of an answer that `copied_bits` tells from others; its bit stands for all from there on."""

SuggestedBox = Sequence[float | None]
"""left, top, right and bottom in whole pixels, and the model's score or None."""


class Origin(StrEnum):
    """How a worker came to a box."""

    DRAWN = "drawn"  # without a suggestion
    ACCEPTED = "accepted"  # a suggestion as it was
    ADJUSTED = "adjusted"  # from a suggestion that was moved


@dataclass(frozen=True, slots=True)
class BoxOrigin:
    """How a worker came to a box, and its IoU with the suggestion that it is from, or None."""

    origin: Origin
    overlap: float | None = None
    score: float | None = None


def gets_suggestions(*, seed: int, image: int, without: float) -> bool:
    """Return whether an image of a batch is shown with suggestions; a share `without` (0 to 1) is not.

    It depends on the batch's seed and on the image alone, so that all items and questions of an image are
    alike, and so that it is the same whenever it is asked.

    >>> [gets_suggestions(seed=7, image=image, without=0.5) for image in range(6)]
    [True, True, False, True, True, True]
    """
    digest = hashlib.sha256(f"suggestions {seed} {image}".encode()).digest()
    return int.from_bytes(digest[:8]) >= without * 2**64


def large_enough(boxes: Sequence[SuggestedBox], minimum_side: int) -> list[SuggestedBox]:
    """Return the suggestions that a batch takes as boxes, in order. Answers name them by their place."""
    return [box for box in boxes if min(rectangle(box).width, rectangle(box).height) >= minimum_side]


def rectangle(box: SuggestedBox) -> Box:
    """Return a suggestion without its score."""
    left, top, right, bottom = (int(edge or 0) for edge in box[:4])
    return Box(left, top, right, bottom)


def origin_of(box: Box, suggestion: SuggestedBox | None) -> BoxOrigin:
    """Return how a worker came to a box that names this suggestion, or none.

    >>> origin_of(Box(0, 0, 10, 10), [0, 0, 10, 5, 0.8])
    BoxOrigin(origin=<Origin.ADJUSTED: 'adjusted'>, overlap=0.5, score=0.8)
    """
    if suggestion is None:
        return BoxOrigin(Origin.DRAWN)
    suggested = rectangle(suggestion)
    origin = Origin.ACCEPTED if box == suggested else Origin.ADJUSTED
    return BoxOrigin(origin, round(iou(box, suggested), 4), suggestion[4])


def drawn_boxes(answer: Answer | AbstentionKind) -> list[tuple[Box, int | None]]:
    """Return the boxes that an answer draws, in its order, each with the place of the suggestion it names."""
    match answer:
        case DrawingAnswer(Box() as box, _, suggestion):
            return [(box, suggestion)]
        case BoxesAnswer(boxes, _, _, suggestions):
            named = [*suggestions, *[None] * (len(boxes) - len(suggestions))]
            return list(zip(boxes, named, strict=True))
    return []


def origins(answer: Answer | AbstentionKind, suggested: Sequence[SuggestedBox]) -> list[BoxOrigin]:
    """Return how the worker came to each box that an answer draws, in its order.

    A box that equals a suggestion without naming it was copied all the same: it counts as accepted.
    """
    by_box = {rectangle(one): one for one in reversed(suggested)}
    return [
        origin_of(box, by_box.get(box, None if place is None else suggested[place]))
        for box, place in drawn_boxes(answer)
    ]


def count_shown(suggested: Sequence[SuggestedBox], found: Sequence[BoxOrigin], *, told: bool) -> int | None:
    """Return how many suggestions a worker saw, or None if they were not shown.

    The client has to have `told` that it showed them: a page draws without them if its code for them cannot
    be loaded. A box that is from a suggestion says so, too. Where there was nothing to show, 0 were seen.

    >>> [count_shown([[0, 0, 9, 9, 0.8]], [], told=told) for told in (True, False)]
    [1, None]
    >>> count_shown([], [], told=False)
    0
    """
    taken = any(one.origin is not Origin.DRAWN for one in found)
    return len(suggested) if told or taken or not suggested else None


def copied_bits(found: Sequence[BoxOrigin]) -> int:
    """Return a number in which bit n says that box n of an answer is an unmoved suggestion.

    Bit LAST_BIT says it for one of all later boxes, so that the number fits into 63 bits.

    >>> bin(copied_bits([BoxOrigin(Origin.ACCEPTED), BoxOrigin(Origin.DRAWN), BoxOrigin(Origin.ACCEPTED)]))
    '0b101'
    """
    bits = 0
    for place, one in enumerate(found):
        if one.origin is Origin.ACCEPTED:
            bits |= 1 << min(place, LAST_BIT)
    return bits


def is_copied(bits: int, place: int) -> bool:
    """Return whether box `place` of an answer is an unmoved suggestion, by `copied_bits` of the answer."""
    return bool(bits & (1 << min(place, LAST_BIT)))

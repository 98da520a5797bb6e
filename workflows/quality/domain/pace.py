"""Signs that a worker does not look: answers too fast to read, always the same answer, or one box everywhere.

Each sign is a flag with numbers for a researcher. It is never a verdict, and rejects nothing. All thresholds
are [ours], chosen so that honest workers are hardly ever flagged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from typing import Any

WORDS_PER_SECOND = 5.0
"""300 words a minute, the upper end of adults who read silently (Brysbaert 2019, Journal of Memory and
Language 109: 175 to 300; the mean is 238)."""
REACTION_SECONDS = 0.3
"""The time to choose between two answers in a laboratory, with nothing to understand (Hick 1952, Quarterly
Journal of Experimental Psychology 4)."""
DRAG_SECONDS = 0.3
"""The time to draw each box in addition [ours]."""
FAST_SHARE = 0.25
MIN_ANSWERS = 20
MIN_RUN = 15
MIN_OTHERS = 100
"""How many answers of others it takes to know what is usual."""
MIN_SAME_BOXES = 5
SAME_BOX = 0.9
IMPROBABLE = 1e-4
OVERCLAIMED = 1.25
"""The answers of a page cannot have taken more than this many times the page's own time.

It is more than 1 since the clocks of a browser and of the server differ a little."""

Relative = tuple[float, float, float, float]
"""Left, top, right, bottom as shares of the image's width and height."""


@dataclass(frozen=True, slots=True)
class Given:
    """One answer of the worker, with what shows whether it was given with care."""

    label: str
    words: int  # in the highlighted mentions, which must be read to know what is asked
    seconds: float | None  # as the page measured it
    page: Hashable
    page_seconds: float | None  # from claim to submission, on the server's clock
    image: int
    boxes: Sequence[Relative] = ()  # that were drawn


@dataclass(frozen=True, slots=True)
class Everybody:
    """What other workers answered in the same stage: how often each label, and a sample of boxes."""

    labels: Mapping[str, int]
    boxes: Sequence[Relative] = ()


@dataclass(frozen=True, slots=True)
class Flag:
    """One sign: `fast`, `straight` or `one-box`, with numbers that explain it to people."""

    kind: str
    figures: Mapping[str, Any]


def flags(answers: Sequence[Given], others: Everybody) -> list[Flag]:
    """Return the signs in a worker's recent answers in one stage, which come in the order they were given."""
    if len(answers) < MIN_ANSWERS:
        return []
    found = (too_fast(answers), straight_lining(answers, others), one_box(answers, others))
    return [flag for flag in found if flag is not None]


def least_seconds(words: int, *, drawn: int) -> float:
    """Return the least time in seconds in which somebody reads so many words, and draws so many boxes."""
    return REACTION_SECONDS + words / WORDS_PER_SECOND + DRAG_SECONDS * drawn


def too_fast(answers: Sequence[Given]) -> Flag | None:
    """Flag answers of which more than FAST_SHARE came faster than their mentions can be read."""
    measured = [
        (given, took) for given, took in zip(answers, _took(answers), strict=True) if took is not None
    ]
    fast = [took for given, took in measured if took < least_seconds(given.words, drawn=len(given.boxes))]
    if len(measured) < MIN_ANSWERS or len(fast) <= FAST_SHARE * len(measured):
        return None
    middle = sorted(took for _, took in measured)[len(measured) // 2]
    return Flag(
        "fast",
        {"answers": len(measured), "too_fast": len(fast), "median_seconds": round(middle, 2)},
    )


def straight_lining(answers: Sequence[Given], others: Everybody) -> Flag | None:
    """Flag a run of one answer that is too long to be chance at the rate of all workers."""
    if sum(others.labels.values()) < MIN_OTHERS:
        return None
    label, length = max(
        ((label, len(list(group))) for label, group in groupby(answers, key=lambda given: given.label)),
        key=lambda run: run[1],
    )
    rate = (others.labels.get(label, 0) + 1) / (sum(others.labels.values()) + 2)
    # An upper bound: a run of this length begins at the first answer or after another label.
    chance = rate**length * (1 + (len(answers) - length) * (1 - rate))
    if length < MIN_RUN or chance >= IMPROBABLE:
        return None
    figures = {"answers": len(answers), "in_a_row": length, "answer": label, "rate": round(rate, 3)}
    return Flag("straight", {**figures, "chance": chance})


def one_box(answers: Sequence[Given], others: Everybody) -> Flag | None:
    """Flag nearly the same box on many images, if other workers' boxes lie there too rarely for chance."""
    boxes = [(box, given.image) for given in answers for box in given.boxes]
    best: tuple[int, Relative] | None = None
    for box, _ in boxes:
        images = len({image for other, image in boxes if relative_iou(box, other) >= SAME_BOX})
        if best is None or images > best[0]:
            best = images, box
    if best is None or best[0] < MIN_SAME_BOXES:
        return None
    images, box = best
    there = sum(relative_iou(box, other) >= SAME_BOX for other in others.boxes)
    rate = (there + 1) / (len(others.boxes) + 2)
    # Any of the boxes could have been the one that others lie on.
    chance = min(1.0, len(boxes) * _at_least(images - 1, len(boxes) - 1, rate))
    if chance >= IMPROBABLE:
        return None
    figures = {"boxes": len(boxes), "images": images, "box": [round(edge, 3) for edge in box]}
    return Flag("one-box", {**figures, "rate": round(rate, 4), "chance": chance})


def relative_iou(a: Relative, b: Relative) -> float:
    """Return the intersection over union of two boxes, both given as shares of their images."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def _took(answers: Sequence[Given]) -> list[float | None]:
    """Return the seconds that each answer took, or None if they are not known.

    What the browser measured is believed, unless a page's answers would have taken longer than the page. In
    that case, and if nothing was measured, each answer gets an equal part of the page's time on the server.
    """
    size = Counter(given.page for given in answers)
    claimed: dict[Hashable, float] = defaultdict(float)
    for given in answers:
        claimed[given.page] += given.seconds or 0
    took: list[float | None] = []
    for given in answers:
        whole = given.page_seconds
        if whole is None:
            took.append(given.seconds)
        elif given.seconds is None or claimed[given.page] > OVERCLAIMED * whole:
            took.append(whole / size[given.page])
        else:
            took.append(given.seconds)
    return took


def _at_least(hits: int, tries: int, rate: float) -> float:
    """Return the chance of at least so many hits."""
    return sum(comb(tries, n) * rate**n * (1 - rate) ** (tries - n) for n in range(hits, tries + 1))

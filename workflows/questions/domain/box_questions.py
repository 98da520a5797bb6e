"""Makes questions of the three box stages from what is known of an image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from annotation.domain.answers import Stage
from annotation.domain.geometry import Box, iou, overlap
from workflows.questions.domain.flawed_boxes import SAME_AGAIN, WRONG_FIT, flawed, steady
from workflows.questions.domain.known_images import KnownChain, KnownImage, Question

ELSEWHERE = 0.3
"""A box is round something else if its IoU with every box of the chain is below this."""


def missing_boxes(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions that show none or some of a chain's boxes: any of the others is a right answer."""
    for chain, shown, left in _parts(known, rng, least=0):
        one = len(left) == 1
        why = f"{_there(shown)}For “{chain.shown.text}” {'one' if one else 'more'} can be drawn."
        answer = {"boxes": [list(box.edges) for box in sorted(left)]}
        yield Question(Stage.DRAWING, "missing", chain.id, (chain.shown.id,), answer, why, shown)


def all_drawn(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions that show all of a chain's boxes: no further box is the right answer."""
    for chain in _shuffled(known, rng):
        why = f"Everything that “{chain.shown.text}” refers to has its box: no further box is needed."
        shown = _any_order(chain.boxes, rng)
        answer: dict[str, list[list[int]]] = {"boxes": []}
        yield Question(Stage.DRAWING, "all-drawn", chain.id, (chain.shown.id,), answer, why, shown)


def complete_sets(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions that show all of a chain's boxes: coverage is complete."""
    for chain in _shuffled(known, rng):
        why = f"Everything that “{chain.shown.text}” refers to has its box."
        shown = _any_order(chain.boxes, rng)
        answer = {"complete": True}
        yield Question(Stage.COVERAGE, "complete", chain.id, (chain.shown.id,), answer, why, shown)


def incomplete_sets(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions with a box missing. At least one is shown, since coverage is asked after a box."""
    for chain, shown, left in _parts(known, rng, least=1):
        number = "A box is" if len(left) == 1 else f"{len(left)} boxes are"
        why = f"{number} missing for “{chain.shown.text}”."
        answer = {"complete": False}
        yield Question(Stage.COVERAGE, "incomplete", chain.id, (chain.shown.id,), answer, why, shown)


def good_boxes(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about a missing box as it is known, or as a careful worker would draw it."""
    for chain, shown, left in _parts(known, rng, least=0):
        box = rng.choice(left)
        drawn = steady(box, known, rng) if rng.random() < 0.5 else box
        why = f"The box fits tightly round one whole thing that “{chain.shown.text}” refers to."
        yield _quality(chain, "good", shown, drawn or box, why)


_FLAWS = {
    "shifted": "The box is shifted: it must fit tightly round the whole of what “{}” refers to.",
    "loose": "The box is too loose: it must fit tightly round what “{}” refers to.",
    "cut-off": "The box cuts something off: it must hold the whole of what “{}” refers to.",
}


def badly_drawn(kind: str, known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about a missing box that is drawn wrong: shifted, loose or cut-off (`kind`)."""
    for chain, shown, left in _parts(known, rng, least=0):
        box = flawed(kind, rng.choice(left), known, rng, missing=left, shown=shown)
        if box is not None:
            yield _quality(chain, kind, shown, box, _FLAWS[kind].format(chain.shown.text))


def duplicates(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about a box that is shown already, drawn once more."""
    for chain in _shuffled(known, rng):
        shown = rng.sample(chain.boxes, rng.randint(1, len(chain.boxes)))
        box = steady(rng.choice(shown), known, rng, fit=SAME_AGAIN)
        missing = [one for one in chain.boxes if one not in shown]
        if box is not None and all(iou(box, one) < WRONG_FIT for one in missing):
            why = f"This has a box already; each thing that “{chain.shown.text}” refers to gets one."
            yield _quality(chain, "duplicate", tuple(shown), box, why)


def other_entities(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about a box of another chain that is round something else."""
    for chain, shown, _ in _parts(known, rng, least=0):
        others = [
            box
            for other in known.boxed()
            for box in other.boxes
            if other is not chain and _elsewhere(box, chain, alike=not chain.types.isdisjoint(other.types))
        ]
        if others:
            box = rng.choice(others)
            why = f"The box is round something that “{chain.shown.text}” does not refer to."
            yield _quality(chain, "other-entity", shown, steady(box, known, rng) or box, why)


def _elsewhere(box: Box, chain: KnownChain, *, alike: bool) -> bool:
    """Return whether the box is round something that the chain does not refer to.

    If both are things of one type (`alike`), neither box may hold the other: whether one of a group is meant
    is a matter of opinion.
    """
    for mine in chain.boxes:
        if iou(box, mine) >= ELSEWHERE - 0.05:  # an unsteady hand must not bring it above the limit
            return False
        if alike and overlap(box, mine) >= ELSEWHERE * min(box.area, mine.area):
            return False
    return True


def _quality(chain: KnownChain, kind: str, shown: tuple[Box, ...], box: Box, why: str) -> Question:
    answer = {"good": kind == "good"}
    return Question(Stage.QUALITY, kind, chain.id, (chain.shown.id,), answer, why, shown, box)


def _parts(
    known: KnownImage, rng: Random, *, least: int
) -> Iterator[tuple[KnownChain, tuple[Box, ...], tuple[Box, ...]]]:
    """Yield (chain, shown boxes, missing boxes) in random order: at least `least` shown, and one missing."""
    sizes = [(chain, size) for chain in known.boxed() for size in range(least, len(chain.boxes))]
    for chain, size in rng.sample(sizes, len(sizes)):
        order = _any_order(chain.boxes, rng)
        yield chain, order[:size], order[size:]


def _shuffled(known: KnownImage, rng: Random) -> list[KnownChain]:
    chains = known.boxed()
    return rng.sample(chains, len(chains))


def _any_order(boxes: Sequence[Box], rng: Random) -> tuple[Box, ...]:
    return tuple(rng.sample(boxes, len(boxes)))


def _there(shown: Sequence[Box]) -> str:
    if not shown:
        return "There is no box yet. "
    return "One box is there. " if len(shown) == 1 else f"{len(shown)} boxes are there. "

"""Makes questions of the stages about boxes from what is known of an image."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from annotation.domain.answers import (
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    JointStage,
    NoBoxes,
    Requirement,
    Stage,
    to_json,
)
from annotation.domain.geometry import Box, iou, overlap
from workflows.questions.domain.choice_questions import WITHOUT_BOX
from workflows.questions.domain.flawed_boxes import SAME_AGAIN, WRONG_FIT, flawed, steady
from workflows.questions.domain.known_images import KnownChain, KnownImage, Question

ELSEWHERE = 0.3
"""A box is round something else if its IoU with every box of the chain is below this."""


_Part = tuple[KnownChain, tuple[Box, ...], tuple[Box, ...]]
"""A chain, those of its boxes that are shown, and the others."""


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
        why = f"The box fits tightly round one whole thing that “{chain.shown.text}” refers to."
        yield _quality(chain, "good", shown, _drawn_well(box, known, rng), why)


_FLAWS = {
    "shifted": "{box} is shifted: it must fit tightly round the whole of what “{text}” refers to.",
    "loose": "{box} is too loose: it must fit tightly round what “{text}” refers to.",
    "cut-off": "{box} cuts something off: it must hold the whole of what “{text}” refers to.",
}


def badly_drawn(kind: str, known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about a missing box that is drawn wrong: shifted, loose or cut-off (`kind`)."""
    for chain, shown, left in _parts(known, rng, least=0):
        box = flawed(kind, rng.choice(left), known, rng, missing=left, shown=shown)
        if box is not None:
            yield _quality(chain, kind, shown, box, _FLAWS[kind].format(box="The box", text=chain.shown.text))


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
        if others := _boxes_elsewhere(known, chain):
            box = rng.choice(others)
            why = f"The box is round something that “{chain.shown.text}” does not refer to."
            yield _quality(chain, "other-entity", shown, steady(box, known, rng) or box, why)


def missing_sets(kind: str, known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions in which all boxes that are missing are to be drawn.

    No box is shown (`all-missing`), or at least one (`some-missing`): they are the two values of `kind`.
    """
    if kind == "all-missing":
        sets: Iterable[_Part] = ((chain, (), chain.boxes) for chain in _shuffled(known, rng))
    else:
        sets = _parts(known, rng, least=1)
    for chain, shown, left in sets:
        more = "more " * bool(shown)
        number = f"one {more}box" if len(left) == 1 else f"{len(left)} {more}boxes"
        why = f"{_there(shown)}For “{chain.shown.text}”, {number} must be drawn."
        answer = {"boxes": [list(box.edges) for box in sorted(left)]}
        points = _marked(left, rng) if shown else ()
        yield Question(JointStage.BOXES, kind, chain.id, (chain.shown.id,), answer, why, shown, points=points)


def whole_sets(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions that show all of a chain's boxes: all are there already.

    Whoever checked them may have marked a place where they thought that something was missing.
    """
    for chain in _shuffled(known, rng):
        elsewhere = [box for other in known.boxed() if other is not chain for box in other.boxes]
        why = f"Everything that “{chain.shown.text}” refers to has its box: no further box is needed."
        answer = to_json(BoxesAnswer(none=NoBoxes.DONE))
        shown = _any_order(chain.boxes, rng)
        yield Question(
            JointStage.BOXES,
            "all-drawn",
            chain.id,
            (chain.shown.id,),
            answer,
            why,
            shown,
            points=_marked(elsewhere or chain.boxes, rng),
        )


def boxless(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about chains that need no box: a scene, or nothing that a box could be drawn around.

    Most chains come to `boxes` before anybody said whether they need one.
    """
    reasons = {Requirement.SCENE: NoBoxes.SCENE, Requirement.NOBOX: NoBoxes.NOBOX}
    chains = [chain for chain in known.chains if chain.requirement in reasons]
    for chain in rng.sample(chains, len(chains)):
        assert chain.requirement is not None
        answer = to_json(BoxesAnswer(none=reasons[chain.requirement]))
        why = WITHOUT_BOX[chain.requirement].format(chain.shown.text)
        yield Question(JointStage.BOXES, "no-box", chain.id, (chain.shown.id,), answer, why)


MARKED = 0.5
"""How often a question that shows boxes also shows where somebody found something missing [ours].

Items do so where a check marked a place. If questions never did, a mark would tell items."""


def _marked(boxes: Sequence[Box], rng: Random) -> tuple[tuple[int, int], ...]:
    """Return a place near the middle of one of the boxes, or none."""
    if rng.random() >= MARKED:
        return ()
    box = rng.choice(boxes)
    x, y = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)
    return ((box.left + int(x * box.width), box.top + int(y * box.height)),)


def clean_checks(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about new boxes that are all good, and with which nothing is missing."""
    for chain, shown, left in _to_check(known, rng):
        why = "All boxes are good, and everything that “{text}” refers to has one."
        yield _check(chain, "clean", shown, (), left, known, rng, why)


def incomplete_checks(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about new boxes that are all good, but something has no box."""
    for chain, some, left in _parts(known, rng, least=1):
        number = "A box is" if len(left) == 1 else f"{len(left)} boxes are"
        why = number + " missing for “{text}”. What is there is good."
        yield _check(chain, "incomplete", (), (), some, known, rng, why, missing=True)


_SAID_OF = {"shifted": BoxJudgment.CUT, "loose": BoxJudgment.LOOSE, "cut-off": BoxJudgment.CUT}


def checks_of_badly_drawn(kind: str, known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about new boxes of which one is drawn wrong: shifted, loose or cut-off (`kind`)."""
    for chain, shown, left in _to_check(known, rng):
        box = flawed(kind, left[0], known, rng, missing=left, shown=shown)
        if box is not None:
            yield _check(chain, kind, shown, [(box, _SAID_OF[kind])], left[1:], known, rng, _FLAWS[kind])


def checks_of_duplicates(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about new boxes of which one is shown as accepted already."""
    sizes = [(chain, size) for chain in known.boxed() for size in range(1, len(chain.boxes) + 1)]
    for chain, size in rng.sample(sizes, len(sizes)):
        order = _any_order(chain.boxes, rng)
        shown, left = order[:size], order[size:]
        box = steady(rng.choice(shown), known, rng, fit=SAME_AGAIN)
        if box is not None and all(iou(box, one) < WRONG_FIT for one in left):
            why = "{box} is a double; each thing that “{text}” refers to gets one box."
            yield _check(chain, "duplicate", shown, [(box, BoxJudgment.DOUBLE)], left, known, rng, why)


def checks_of_other_entities(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about new boxes of which one is round something else.

    It is drawn in place of a box that is missing then, or in addition to all of them.
    """
    for chain, shown, left in _to_check(known, rng):
        if others := _boxes_elsewhere(known, chain):
            instead = rng.random() < 0.5
            good = left[1:] if instead else left
            box = _drawn_well(rng.choice(others), known, rng)
            why = "{box} is round something that “{text}” does not refer to."
            if instead:
                why += " Something that it does refer to has no box."
            yield _check(
                chain,
                "other-entity",
                shown,
                [(box, BoxJudgment.WRONG)],
                good,
                known,
                rng,
                why,
                missing=instead,
            )


def _to_check(known: KnownImage, rng: Random) -> list[tuple[KnownChain, tuple[Box, ...], tuple[Box, ...]]]:
    """Return (chain, shown boxes, new boxes), first those that show none.

    Most chains are checked for the first time, when none is accepted yet.
    """
    return sorted(_parts(known, rng, least=0), key=lambda part: len(part[1]) > 0)


def _drawn_well(box: Box, known: KnownImage, rng: Random) -> Box:
    """Return the box as it is known, or as a careful worker would draw it."""
    drawn = steady(box, known, rng) if rng.random() < 0.5 else box
    return drawn or box


def _check(
    chain: KnownChain,
    kind: str,
    shown: tuple[Box, ...],
    bad: Sequence[tuple[Box, BoxJudgment]],
    good: Sequence[Box],
    known: KnownImage,
    rng: Random,
    why: str,
    *,
    missing: bool = False,
) -> Question:
    """Return a question about these bad and good new boxes, in any order. `why` may name the bad one."""
    judged = [*bad, *((_drawn_well(box, known, rng), BoxJudgment.GOOD) for box in good)]
    new, said = zip(*rng.sample(judged, len(judged)), strict=True)
    place = next((place for place, what in enumerate(said, 1) if what is not BoxJudgment.GOOD), 0)
    return Question(
        JointStage.CHECK,
        kind,
        chain.id,
        (chain.shown.id,),
        to_json(CheckAnswer(said, missing)),
        why.format(box="The box" if len(new) == 1 else f"Box {place}", text=chain.shown.text),
        shown,
        new_boxes=new,
    )


def _boxes_elsewhere(known: KnownImage, chain: KnownChain) -> list[Box]:
    """Return the boxes of other chains that are round something that the chain does not refer to."""
    return [
        box
        for other in known.boxed()
        for box in other.boxes
        if other is not chain and _elsewhere(box, chain, alike=not chain.types.isdisjoint(other.types))
    ]


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


def _parts(known: KnownImage, rng: Random, *, least: int) -> Iterator[_Part]:
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

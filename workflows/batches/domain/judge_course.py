"""What a model that judges is expected to say to a joint check, and how much that weighs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from annotation.domain.answers import BoxJudgment
from workflows.judges.domain.kinds import about_missing
from workflows.pipeline.domain.verdicts import SEALED, ModelWeights


@dataclass(frozen=True, slots=True)
class Said:
    """How often a model says *yes* to one kind of thing, and what that weighs, as log odds.

    `sensitivity` is of what is good or complete, `specificity` of what is not.
    """

    sensitivity: float
    specificity: float
    yes: float
    no: float

    def chances(self, *, truth: bool) -> tuple[tuple[float, float], ...]:
        """Return what its answer weighs, with the probabilities, where *yes* or *no* is the truth."""
        yes = self.sensitivity if truth else 1 - self.specificity
        return (self.yes, yes), (self.no, 1 - yes)


@dataclass(frozen=True, slots=True)
class KindOfBox:
    """New boxes of one kind: their share of all, and how many of them are bad."""

    kind: str
    share: float
    bad: float


@dataclass(frozen=True, slots=True)
class Judging:
    """A model whose answers count for this share of the items, with the kinds that its gate is open for."""

    share: float
    boxes: tuple[KindOfBox, ...]
    open: tuple[tuple[str, Said], ...]


def bad_boxes(boxes: Iterable[KindOfBox]) -> float:
    """Return the share of all new boxes that are bad."""
    return sum(one.share * one.bad for one in boxes)


@lru_cache(maxsize=4096)
def model_chances(
    judging: Judging, new: tuple[BoxJudgment, ...], missing: bool
) -> Sequence[tuple[ModelWeights, float]]:
    """Return what the model's answer to such an item may weigh, with the probabilities.

    `new` is the truth about each new box, and `missing` whether another one is missing. An answer is SEALED
    if it does not count: by the drawn share, or since a box is of a kind whose gate is closed.
    """
    said = dict(judging.open)
    found = defaultdict[ModelWeights, float](float, {SEALED: 1 - judging.share})
    of_boxes = [_kinds(judging.boxes, truth) for truth in new]
    for chosen in product(*of_boxes):
        chance = judging.share
        for _, likely in chosen:
            chance *= likely
        kinds = [kind for kind, _ in chosen]
        for weights, likely in _weights(said, kinds, new, missing=missing):
            found[weights] += chance * likely
    return tuple((weights, chance) for weights, chance in found.items() if chance > 0)


def _kinds(boxes: Sequence[KindOfBox], truth: BoxJudgment) -> list[tuple[str, float]]:
    """Return the probabilities that a box is of each kind, if this is the truth about it (Bayes).

    A second box around a thing says nothing about where it is from.
    """
    if truth is BoxJudgment.DOUBLE:
        likely = {one.kind: one.share for one in boxes}
    else:
        good = truth is BoxJudgment.GOOD
        likely = {one.kind: one.share * (1 - one.bad if good else one.bad) for one in boxes}
    total = sum(likely.values())
    if not total:  # no box of any kind is like this
        return [(one.kind, one.share) for one in boxes]
    return [(kind, chance / total) for kind, chance in likely.items() if chance]


def _weights(
    said: Mapping[str, Said], kinds: Sequence[str], new: Sequence[BoxJudgment], *, missing: bool
) -> Iterable[tuple[ModelWeights, float]]:
    complete = about_missing(kinds)
    if not {complete, *kinds} <= said.keys():
        yield SEALED, 1.0
        return
    of_boxes = [
        said[kind].chances(truth=truth is BoxJudgment.GOOD) for kind, truth in zip(kinds, new, strict=True)
    ]
    for answers in product(*of_boxes, said[complete].chances(truth=not missing)):
        likely = 1.0
        for _, share in answers:
            likely *= share
        *boxes, whole = (weight for weight, _ in answers)
        yield ModelWeights(tuple(boxes), whole), likely

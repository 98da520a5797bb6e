"""The rules by which the judgments of one item become its verdict, one function a stage.

A rule returns None while one more judgment is needed. It takes the answers in the order they were given; once
they decide, later ones change nothing. Each rule names its section of the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.answers import (
    Answer,
    CoverageAnswer,
    DrawingAnswer,
    LinkAnswer,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    VerificationAnswer,
)
from annotation.domain.geometry import Box


@dataclass(frozen=True, slots=True)
class ModelWeights:
    """The log odds that a model's answer adds: to *good* of each new box, in their order, and to *complete*.

    They were worked out from the accuracy that the model had shown when it answered, and are stored with its
    answer. So a rule needs neither the accuracy nor the history of it.
    """

    boxes: tuple[float, ...]
    complete: float


SEALED = ModelWeights((), 0.0)
"""Of an answer that weighs nothing: it is sealed, or set aside, or did not come in time."""
Evidence = Answer | ModelWeights
"""Whatever a rule may weigh: the answers of workers, and of a model that has earned it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judgments of an item say together.

    The table of moves looks up `name`. `boxes` are the boxes just drawn; `flag` is set for `no box` only. If
    several new boxes were judged together, `accepted` says of each whether it is good.
    """

    name: str
    boxes: tuple[Box, ...] = ()
    flag: str = ""
    accepted: tuple[bool, ...] = ()


def decide_link(answers: Sequence[Answer], *, settling: bool) -> Verdict | None:
    """One judgment decides. If the link contradicts others, two of three must agree (section 3.1.1).

    With `likely_first`, `posterior` and `every_pair`, a link may get several judgments, which are weighed
    together with those of other links [ours].
    """
    votes = [a.same for a in answers if isinstance(a, LinkAnswer)]
    same = _first_to_reach(2 if settling else 1, votes)
    return None if same is None else Verdict("same" if same else "different")


def most_said_link(answers: Sequence[Answer]) -> Verdict | None:
    """Return what most judgments of a link say, or None if as many say the one as the other.

    Strategies that ask again weigh all judgments of an image together. This is for counting agreement alone.
    """
    votes = [a.same for a in answers if isinstance(a, LinkAnswer)]
    if 2 * sum(votes) == len(votes):
        return None
    return Verdict("same" if 2 * sum(votes) > len(votes) else "different")


def decide_verification(answers: Sequence[Answer]) -> Verdict | None:
    """One judgment decides (section 3.1.2)."""
    for answer in answers:
        if isinstance(answer, VerificationAnswer):
            return Verdict("true" if answer.same else "false")
    return None


def decide_requirement(answers: Sequence[Answer]) -> Verdict | None:
    """If the first judgment is *box*, it decides; otherwise two must agree on box or no box (section 3.2.1).

    *No further box* in drawing counts as *no box* without a reason, if the chain has no box (section 3.2.2).
    It may come after judgments that decided on *box* before; then the majority of all judgments decides, as
    soon as there is one after it [ours]. The flag is the more frequent reason. If they tie, it is `nobndbox`
    [ours].
    """
    returned = max((at for at, answer in enumerate(answers) if isinstance(answer, DrawingAnswer)), default=-1)
    boxes = 0
    reasons: list[Requirement | None] = []
    for place, answer in enumerate(answers):
        if isinstance(answer, DrawingAnswer) and answer.box is None:
            reasons.append(None)
        elif isinstance(answer, RequirementAnswer):
            if answer.requirement is Requirement.BOX:
                boxes += 1
            else:
                reasons.append(answer.requirement)
        if place < returned:
            continue
        if boxes > len(reasons) and (boxes > 1 or place == 0):
            return Verdict("box")
        if len(reasons) > boxes and len(reasons) > 1:
            given = Counter(reasons)
            scene = given[Requirement.SCENE] > given[Requirement.NOBOX]
            return Verdict("no box", flag="scene" if scene else "nobndbox")
    return None


def decide_drawing(answers: Sequence[Answer]) -> Verdict | None:
    """One judgment decides: a new box, or no further box (section 3.2.2)."""
    for answer in answers:
        if isinstance(answer, DrawingAnswer):
            return (
                Verdict("no further box") if answer.box is None else Verdict("box drawn", boxes=(answer.box,))
            )
    return None


def decide_quality(answers: Sequence[Answer]) -> Verdict | None:
    """One judgment decides (section 3.2.3)."""
    for answer in answers:
        if isinstance(answer, QualityAnswer):
            return Verdict("good" if answer.good else "bad")
    return None


def decide_coverage(answers: Sequence[Answer]) -> Verdict | None:
    """If the first judgment is *no*, it decides; otherwise two of up to three must agree (section 3.2.4)."""
    votes = [a.complete for a in answers if isinstance(a, CoverageAnswer)]
    complete = False if votes[:1] == [False] else _first_to_reach(2, votes)
    return None if complete is None else Verdict("complete" if complete else "incomplete")


def _first_to_reach(count: int, votes: Sequence[bool]) -> bool | None:
    """Return the answer that reaches `count` votes first, or None. Later votes change nothing."""
    for place, vote in enumerate(votes):
        if votes[: place + 1].count(vote) == count:
            return vote
    return None

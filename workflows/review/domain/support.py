"""Which judgments rest on their worker's word alone. Where nobody trusts the worker, these are in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.answers import (
    Answer,
    CoverageAnswer,
    DrawingAnswer,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A judgment that counts: who said what."""

    worker: int
    answer: Answer


def is_supported(said: Said, *, same: Sequence[Said] = (), after: Sequence[Said] = ()) -> bool:
    """Whether somebody else's judgment says the same [ours].

    `same` are the judgments of the same question. `after` are those of what followed from it: of the quality
    of the box that was drawn, or of the chain's next question where no further box was. Nobody draws the
    same box twice: a box stands when somebody else calls it good.
    """
    others = [one for one in same if one.worker != said.worker]
    later = [one.answer for one in after if one.worker != said.worker]
    match said.answer:
        case DrawingAnswer(None):
            return any(one.answer == said.answer for one in others) or any(map(_needs_no_more, later))
        case DrawingAnswer():
            return QualityAnswer(True) in later
    return any(one.answer == said.answer for one in others)


def _needs_no_more(answer: Answer) -> bool:
    """Whether the answer says, too, that no (further) box is needed."""
    match answer:
        case CoverageAnswer(complete):
            return complete
        case RequirementAnswer(requirement):
            return requirement is not Requirement.BOX
    return False

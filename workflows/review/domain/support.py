"""The rule that says whether another worker's judgment supports a judgment.

If a worker is not trusted any more, the judgments without support are in doubt.
"""

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
    """Return whether another worker's judgment says the same [ours].

    `same` are the judgments of the same question. `after` are the judgments of what followed from it: of the
    quality of the box that was drawn or, if no further box was needed, of the chain's next question. Nobody
    draws the same box twice, so a box is supported when somebody else calls it good.
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
    """Return whether the answer also says that no (further) box is needed."""
    match answer:
        case CoverageAnswer(complete):
            return complete
        case RequirementAnswer(requirement):
            return requirement is not Requirement.BOX
    return False

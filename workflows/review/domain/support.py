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
    """A judgment that counts: who said what, in which stage."""

    worker: int
    answer: Answer
    stage: str = ""


Supporter = tuple[int, str]
"""A worker and the stage of the judgment that supports another."""


def supporters(said: Said, *, same: Sequence[Said] = (), after: Sequence[Said] = ()) -> frozenset[Supporter]:
    """Return the other workers whose judgments say the same [ours], with the stage in which they say so.

    `same` are the judgments of the same question. `after` are the judgments of what followed from it: of the
    quality of the box that was drawn or, if no further box was needed, of the chain's next question. Nobody
    draws the same box twice, so a box is supported when somebody else calls it good.
    """
    found = [one for one in same if one.answer == said.answer]
    match said.answer:
        case DrawingAnswer(None):
            found += [one for one in after if _needs_no_more(one.answer)]
        case DrawingAnswer():
            found = [one for one in after if one.answer == QualityAnswer(True)]
    return frozenset((one.worker, one.stage) for one in found if one.worker != said.worker)


def _needs_no_more(answer: Answer) -> bool:
    """Return whether the answer also says that no (further) box is needed."""
    match answer:
        case CoverageAnswer(complete):
            return complete
        case RequirementAnswer(requirement):
            return requirement is not Requirement.BOX
    return False

"""The rule that says whether another worker's judgment supports a judgment.

If a worker is not trusted any more, the judgments without support are in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
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
    boxes that were drawn or, if no further box was needed, of the chain's next question. Nobody draws the
    same box twice, so boxes are supported when somebody else calls all of them good.
    """
    found = [one for one in same if _meant(one.answer) == _meant(said.answer)]
    match said.answer:
        case DrawingAnswer(None) | BoxesAnswer(boxes=()):
            found += [one for one in after if _needs_no_more(one.answer)]
        case DrawingAnswer() | BoxesAnswer():
            found = [one for one in after if _calls_good(one.answer)]
    return frozenset((one.worker, one.stage) for one in found if one.worker != said.worker)


def _meant(answer: Answer) -> object:
    """Return what counts of an answer. For a joint check it does not matter what is wrong with a bad box."""
    match answer:
        case CheckAnswer(boxes, missing):
            return tuple(one is BoxJudgment.GOOD for one in boxes), missing
    return answer


def _calls_good(answer: Answer) -> bool:
    """Return whether the answer calls all new boxes good."""
    match answer:
        case CheckAnswer(boxes):
            return all(one is BoxJudgment.GOOD for one in boxes)
    return answer == QualityAnswer(True)


def _needs_no_more(answer: Answer) -> bool:
    """Return whether the answer also says that no (further) box is needed."""
    match answer:
        case CoverageAnswer(complete):
            return complete
        case CheckAnswer(missing=missing):
            return not missing
        case RequirementAnswer(requirement):
            return requirement is not Requirement.BOX
    return False

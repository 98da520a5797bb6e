"""A judgment is supported if a judgment of somebody else says the same."""

from __future__ import annotations

import pytest

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    CoverageAnswer,
    DrawingAnswer,
    LinkAnswer,
    NoBoxes,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    VerificationAnswer,
)
from annotation.domain.geometry import Box
from workflows.review.domain.support import Said, supporters

ME, OTHER = 1, 2
BOX = DrawingAnswer(Box(0, 0, 9, 9))
NONE = DrawingAnswer(None)
SCENE, NOBOX = RequirementAnswer(Requirement.SCENE), RequirementAnswer(Requirement.NOBOX)
TO_DRAW = RequirementAnswer(Requirement.BOX)
BOXES, ALL_THERE = BoxesAnswer((Box(0, 0, 9, 9), Box(20, 0, 29, 9))), BoxesAnswer(none=NoBoxes.DONE)
GOOD, LOOSE, CUT = BoxJudgment.GOOD, BoxJudgment.LOOSE, BoxJudgment.CUT
YES, NO = CoverageAnswer(True), CoverageAnswer(False)


@pytest.mark.parametrize(
    ("mine", "same", "after", "supported"),
    [
        (LinkAnswer(True), [], [], False),
        (LinkAnswer(True), [LinkAnswer(True)], [], True),
        (LinkAnswer(True), [LinkAnswer(False)], [], False),
        (VerificationAnswer(True), [VerificationAnswer(False), VerificationAnswer(True)], [], True),
        (SCENE, [SCENE], [], True),
        (SCENE, [NOBOX], [], False),
        (QualityAnswer(True), [], [], False),
        (YES, [YES], [], True),
        (YES, [NO], [], False),
        # A box is supported if somebody calls it good. That two people draw the same box is chance.
        (BOX, [], [], False),
        (BOX, [BOX], [], False),
        (BOX, [], [QualityAnswer(True)], True),
        (BOX, [], [QualityAnswer(False)], False),
        (BOX, [], [YES], False),
        # No further box: the next worker finds that nothing is missing, or that no box can be drawn.
        (NONE, [], [], False),
        (NONE, [NONE], [], True),
        (NONE, [BOX], [], False),
        (NONE, [], [YES], True),
        (NONE, [], [NO], False),
        (NONE, [], [NO, YES], True),
        (NONE, [], [NOBOX], True),
        (NONE, [], [TO_DRAW], False),
        # Boxes that were drawn together are supported if somebody calls all of them good.
        (BOXES, [], [CheckAnswer((GOOD, GOOD), missing=True)], True),
        (BOXES, [], [CheckAnswer((GOOD, LOOSE), missing=False)], False),
        (BOXES, [BOXES], [], False),
        (ALL_THERE, [], [CheckAnswer((), missing=False)], True),
        (ALL_THERE, [], [CheckAnswer((), missing=True)], False),
        (ALL_THERE, [], [NOBOX], True),
        # What is wrong with a bad box is a matter of words.
        (CheckAnswer((GOOD, LOOSE), missing=False), [CheckAnswer((GOOD, CUT), missing=False)], [], True),
        (CheckAnswer((GOOD, LOOSE), missing=False), [CheckAnswer((LOOSE, GOOD), missing=False)], [], False),
        (CheckAnswer((GOOD,), missing=False), [CheckAnswer((GOOD,), missing=True)], [], False),
    ],
)
def test_a_judgment_is_supported_by_what_others_said(
    mine: Answer, same: list[Answer], after: list[Answer], supported: bool
) -> None:
    said = Said(ME, mine)
    others = [said, *(Said(OTHER, answer) for answer in same)]
    later = [Said(OTHER, answer) for answer in after]
    assert bool(supporters(said, same=others, after=later)) == supported


def test_nobody_supports_themselves() -> None:
    assert not supporters(Said(ME, YES), same=[Said(ME, YES), Said(ME, YES)])
    assert not supporters(Said(ME, BOX), after=[Said(ME, QualityAnswer(True))])
    assert not supporters(Said(ME, NONE), same=[Said(ME, NONE)], after=[Said(ME, YES)])

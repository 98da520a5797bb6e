"""How many judgments decide a question of a campaign. None asks for one more judgment.

Later judgments change nothing once a question is decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.answers import Answer, CaptionCheckAnswer, CaptionJudgment
from workflows.pipeline.domain.verdicts import Verdict


def decide_writing(answers: Sequence[Answer], wanted: int) -> Verdict | None:
    """One caption of each of so many workers as are wanted, and one more for each that is refused [ours]."""
    return Verdict("written") if len(answers) >= wanted else None


def decide_caption(answers: Sequence[Answer]) -> Verdict | None:
    """One judgment decides: *wrong* refuses the caption, anything else accepts it [ours]."""
    for answer in answers:
        if isinstance(answer, CaptionCheckAnswer):
            return Verdict("refused" if answer.caption is CaptionJudgment.WRONG else "accepted")
    return None


def decide_judged(answers: Sequence[Answer], judges: int) -> Verdict | None:
    """Return a verdict once so many workers have judged.

    Their judgments are averaged, so none of them decides (ranking task, sections 4.2.1 and 4.3.2).
    """
    return Verdict("judged") if len(answers) >= judges else None

"""Decides whether an answer to a verification question is right (docs/protocol.md, "Quality control")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Any

from annotation.domain.answers import (
    ANSWERS,
    DESCRIBES,
    TO_REDRAW,
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CaptionCheckAnswer,
    CaptionJudgment,
    CheckAnswer,
    DrawingAnswer,
    GradingAnswer,
    RelevanceAnswer,
    WritingAnswer,
    parse_answer,
    to_json,
)
from annotation.domain.geometry import Box

SIDE_WHEN_DRAWN = 24
"""The least side of a box in screen pixels. The pages come closer by themselves until a box is as large
(`MIN_DRAWN` in frontend/src/geometry/close-up.ts)."""


_ALTERNATIVES = re.compile(r"\(([^()|]*(?:\|[^()|]*)+)\)")
MAX_ALTERNATIVES = 500
"""Sentences that one correction may stand for."""
MIN_F1 = 0.8
"""The least F1 with which all missing boxes are drawn right: two of three, but not one of two [ours]."""
BALANCED_ACCURACY = 0.75
"""The least balanced accuracy with which the captions of a control are judged right [ours]. The paper says
only that workers had to judge 70% of their controls correctly (ranking task, section 4.3.2)."""


def is_right(stage: str, expected: Mapping[str, Any], answer: Answer, *, box_iou: float) -> bool:
    """Return whether the answer is right. `expected` is the right answer object of the stage.

    A choice is right if it is the expected one. In box drawing, `expected` is `{"boxes": [[left, top, right,
    bottom], …]}`, the edges in pixels of the boxes that are not shown. A drawn box is right if its IoU with
    any of them is at least `box_iou` (0 to 1) once each edge may be off by one pixel of the screen
    (`screen_pixel`). *No further box* is right only if none is left (section 3.3). In `boxes`, `expected` is
    the same, or the reason why there is none; an answer is right if its `drawn_score` is at least MIN_F1. A
    joint check is right if it leads to the same: the same boxes are good, and another one is needed or not.
    The functions `corrects`, `caption_is_right`, `grade_is_right` and `judges_captions_right` explain the
    answers of campaigns. Raise ValueError if `answer` is of another stage.
    """
    if not isinstance(answer, ANSWERS.get(stage, ())):
        raise ValueError(f"a {type(answer).__name__} does not answer a question of {stage}")
    match answer:
        case DrawingAnswer(drawn, scale):
            left = [Box(*edges) for edges in expected["boxes"]]
            if drawn is None:
                return not left
            return any(steady_iou(drawn, box, scale) >= box_iou for box in left)
        case BoxesAnswer():
            return drawn_score(expected, answer, box_iou=box_iou) >= MIN_F1
        case CheckAnswer():
            right = parse_answer(stage, expected)
            assert isinstance(right, CheckAnswer)
            return leads_to(answer) == leads_to(right)
        case WritingAnswer(caption):
            return corrects(expected["captions"], caption)
        case CaptionCheckAnswer(caption):
            return caption_is_right(CaptionJudgment(expected["caption"]), caption)
        case GradingAnswer(grade):
            return grade_is_right(expected["grade"], grade)
        case RelevanceAnswer(describes):
            return judges_captions_right(expected["describes"], describes)
    given = to_json(answer)
    if set(given) != set(expected):
        raise ValueError(f"{given} does not answer a question of {stage}")
    return given == dict(expected)


def corrects(corrections: Sequence[str], caption: str) -> bool:
    """Return whether a sentence is one of the known corrections [ours].

    A correction may have alternatives in parentheses, and one of them may be empty: `(|The) dogs (run|ran).`
    Spaces, the case of the first letter, the final mark and the shape of apostrophes are of no matter.
    """
    said = _plain(caption)
    return any(said == _plain(one) for correction in corrections for one in alternatives(correction))


def alternatives(correction: str) -> Iterator[str]:
    """Yield the sentences that a correction stands for: itself, if it has no alternatives.

    Only the first MAX_ALTERNATIVES are looked at.
    """
    # Every second part is what parentheses with alternatives hold.
    parts = [
        [part] if place % 2 == 0 else part.split("|")
        for place, part in enumerate(_ALTERNATIVES.split(correction))
    ]
    return ("".join(words) for words in islice(product(*parts), MAX_ALTERNATIVES))


def _plain(sentence: str) -> str:
    words = " ".join(sentence.replace("’", "'").split()).rstrip(".!? ")
    return re.sub(r" (?=[.,;:!?])", "", words[:1].lower() + words[1:])


def caption_is_right(known: CaptionJudgment, said: CaptionJudgment) -> bool:
    """Return whether a caption is judged right. *Minor errors* is also right for one without errors [ours].

    Few sentences are such that nobody finds fault with them. What counts is whether the caption is refused.
    """
    return (known is CaptionJudgment.WRONG) == (said is CaptionJudgment.WRONG)


def grade_is_right(known: int, given: int) -> bool:
    """Return whether a grade is at most one from the known one, and says the same of whether it describes it.

    A known grade of 2 or 3 is so near to that border that the other side of it is right, too [ours].
    """
    same_side = (given >= DESCRIBES) == (known >= DESCRIBES)
    return abs(given - known) <= 1 and (same_side or known in (DESCRIBES - 1, DESCRIBES))


def judges_captions_right(known: Sequence[bool], given: Sequence[bool]) -> bool:
    """Return whether enough of a control's captions are judged right.

    Most of its captions do not describe the image. So what counts is the balanced accuracy: the mean of the
    share of those that do that are ticked, and the share of the others that are not [ours]. By the share of
    all captions, one tick anywhere would be right in most controls.
    """
    if len(given) != len(known):
        return False
    shares = []
    for kind in set(known):
        said = [one == kind for one, other in zip(given, known, strict=True) if other == kind]
        shares.append(Fraction(sum(said), len(said)))
    return sum(shares) >= BALANCED_ACCURACY * len(shares)


def drawn_score(expected: Mapping[str, Any], answer: BoxesAnswer, *, box_iou: float) -> float:
    """Return how well all missing boxes were drawn, from 0 to 1: the F1 of the drawn against the known boxes.

    Each drawn box is matched with at most one known box, the best IoU first, which must be at least
    `box_iou` as in box drawing. If there is nothing to draw, the score is 1 for the same reason, otherwise 0.
    """
    if answer.none is not None or "boxes" not in expected:
        return float(to_json(answer) == dict(expected))
    known = [Box(*edges) for edges in expected["boxes"]]
    scales = [*answer.scales, *[None] * (len(answer.boxes) - len(answer.scales))]
    fits = sorted(
        (
            (steady_iou(drawn, box, scale), mine, other)
            for mine, (drawn, scale) in enumerate(zip(answer.boxes, scales, strict=True))
            for other, box in enumerate(known)
        ),
        reverse=True,
    )
    matched: dict[int, int] = {}
    for fit, mine, other in fits:
        if fit >= box_iou and mine not in matched and other not in matched.values():
            matched[mine] = other
    return 2 * len(matched) / (len(answer.boxes) + len(known))


def leads_to(answer: CheckAnswer) -> tuple[tuple[bool, ...], bool]:
    """Return which boxes the answer accepts, and whether another one is needed.

    Whether a bad box is around the wrong thing or only cuts the right one off may be a matter of opinion. But
    whoever says that it is the wrong thing has to say that something is missing.
    """
    good = tuple(one is BoxJudgment.GOOD for one in answer.boxes)
    return good, answer.missing or not TO_REDRAW.isdisjoint(answer.boxes)


def screen_pixel(side: int, scale: float | None) -> float:
    """Return how many image pixels an edge may be off, for a known box with sides of this length.

    A hand is not steadier than a pixel of the screen, which is 1 / `scale` image pixels. It is never more
    than a part of the side, since the pages show no box smaller than `SIDE_WHEN_DRAWN` where they can:
    somebody who sends a smaller scale than was true gains no more than an honest worker has. Without a
    scale, nothing is allowed.
    """
    return min(1 / scale, side / SIDE_WHEN_DRAWN) if scale else 0.0


def steady_iou(drawn: Box, known: Box, scale: float | None) -> float:
    """Return the IoU of two boxes after each edge of `drawn` came nearer by a screen pixel at most."""
    across, down = screen_pixel(known.width, scale), screen_pixel(known.height, scale)
    left, right = _nearer(drawn.left, known.left, across), _nearer(drawn.right, known.right, across)
    top, bottom = _nearer(drawn.top, known.top, down), _nearer(drawn.bottom, known.bottom, down)
    width = min(right, known.right) - max(left, known.left)
    height = min(bottom, known.bottom) - max(top, known.top)
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / ((right - left) * (bottom - top) + known.area - shared)


def _nearer(edge: int, known: int, most: float) -> float:
    return edge + min(max(known - edge, -most), most)

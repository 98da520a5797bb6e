"""Whether an answer to a verification question is right (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.answers import Answer, DrawingAnswer, Stage, to_json
from annotation.domain.geometry import Box, iou


def is_right(stage: str, expected: Mapping[str, Any], answer: Answer, *, box_iou: float) -> bool:
    """Choices are right when they are the same, a box when it meets one that is not there yet.

    `expected` is the right answer object of the stage; for drawing `{"boxes": [[left, top, right,
    bottom], …]}`, pixel edges of the boxes that are not shown. Any of them is right from an IoU of
    `box_iou` (0 to 1) on, and *no further box* only where none is left (section 3.3). Raises ValueError
    where `answer` is of another stage.
    """
    if isinstance(answer, DrawingAnswer) != (stage == Stage.DRAWING):
        raise ValueError(f"a {type(answer).__name__} does not answer a question of {stage}")
    if isinstance(answer, DrawingAnswer):
        left = [Box(*edges) for edges in expected["boxes"]]
        if answer.box is None:
            return not left
        drawn = answer.box
        return any(iou(drawn, box) >= box_iou for box in left)
    given = to_json(answer)
    if set(given) != set(expected):
        raise ValueError(f"{given} does not answer a question of {stage}")
    return given == dict(expected)

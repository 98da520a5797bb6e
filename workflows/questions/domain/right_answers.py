"""Decides whether an answer to a verification question is right (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.answers import Answer, DrawingAnswer, Stage, to_json
from annotation.domain.geometry import Box, iou


def is_right(stage: str, expected: Mapping[str, Any], answer: Answer, *, box_iou: float) -> bool:
    """Return whether the answer is right.

    A choice is right if it is the expected one. `expected` is the right answer object of the stage; in box
    drawing it is `{"boxes": [[left, top, right, bottom], …]}`, the edges in pixels of the boxes that are not
    shown. A drawn box is right if its IoU with any of them is at least `box_iou` (0 to 1), and *no further
    box* is right only if none is left (section 3.3). Raise ValueError if `answer` is of another stage.
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

"""Decides whether an answer to a verification question is right (docs/protocol.md, "Quality control")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.answers import Answer, DrawingAnswer, Stage, to_json
from annotation.domain.geometry import Box

SIDE_WHEN_DRAWN = 24
"""The least side of a box in screen pixels. The pages come closer by themselves until a box is as large
(`LEAST_DRAWN` in frontend/src/geometry/close-up.ts)."""


def is_right(stage: str, expected: Mapping[str, Any], answer: Answer, *, box_iou: float) -> bool:
    """Return whether the answer is right.

    A choice is right if it is the expected one. `expected` is the right answer object of the stage; in box
    drawing it is `{"boxes": [[left, top, right, bottom], …]}`, the edges in pixels of the boxes that are not
    shown. A drawn box is right if its IoU with any of them is at least `box_iou` (0 to 1) once each edge may
    be off by one pixel of the screen (`screen_pixel`). *No further box* is right only if none is left
    (section 3.3). Raise ValueError if `answer` is of another stage.
    """
    if isinstance(answer, DrawingAnswer) != (stage == Stage.DRAWING):
        raise ValueError(f"a {type(answer).__name__} does not answer a question of {stage}")
    if isinstance(answer, DrawingAnswer):
        left = [Box(*edges) for edges in expected["boxes"]]
        if answer.box is None:
            return not left
        drawn = answer.box
        return any(steady_iou(drawn, box, answer.scale) >= box_iou for box in left)
    given = to_json(answer)
    if set(given) != set(expected):
        raise ValueError(f"{given} does not answer a question of {stage}")
    return given == dict(expected)


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

"""The answers of the six stages: a frozen dataclass for each, and how JSON becomes one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from annotation.domain.geometry import Box

MAX_COORDINATE = 1_000_000
"""Pixels from the image's corner, in any direction. A coordinate beyond it is a mistake of the client."""
LEAST_SHOWN = 200
"""Screen pixels. No screen shows the longer side of a photograph shorter than this."""
MAX_SCALE = 100
"""The most screen pixels for a pixel of the image."""


class Stage(StrEnum):
    """The six questions, in the order of the pipeline (paper, figure 2)."""

    LINK = "link"
    VERIFICATION = "verification"
    REQUIREMENT = "requirement"
    DRAWING = "drawing"
    QUALITY = "quality"
    COVERAGE = "coverage"


class Requirement(StrEnum):
    """The three choices of box requirement (section 3.2.1)."""

    BOX = "box"  # at least one box can be drawn
    SCENE = "scene"  # it is a scene or place
    NOBOX = "nobox"  # no box can be drawn


class AbstentionKind(StrEnum):
    """The answers that vote for nobody. Every stage takes them, if its batch does."""

    UNUSABLE = "unusable"  # the photograph does not load, or shows nothing that could be judged
    UNSURE = "unsure"  # the worker cannot tell


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """Do the two mentions refer to the same thing or things?"""

    same: bool


@dataclass(frozen=True, slots=True)
class VerificationAnswer:
    """Do all mentions of the chain refer to the same thing or things?"""

    same: bool


@dataclass(frozen=True, slots=True)
class RequirementAnswer:
    """Can a box be drawn for the mention, and if not, why?"""

    requirement: Requirement


@dataclass(frozen=True, slots=True)
class DrawingAnswer:
    """One new box in image pixels, or None: no further box is needed.

    `scale` says how closely the worker saw it when it was drawn: screen pixels (of CSS) for each image pixel.
    None if that is not known. It is part of the record, but the same box is the same answer.
    """

    box: Box | None
    scale: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class QualityAnswer:
    """Is the new box tight, whole, meant and not yet covered?"""

    good: bool


@dataclass(frozen=True, slots=True)
class CoverageAnswer:
    """Are all required boxes here?"""

    complete: bool


Answer = LinkAnswer | VerificationAnswer | RequirementAnswer | DrawingAnswer | QualityAnswer | CoverageAnswer

ANSWERS: Mapping[str, type[Answer]] = MappingProxyType(
    {
        Stage.LINK: LinkAnswer,
        Stage.VERIFICATION: VerificationAnswer,
        Stage.REQUIREMENT: RequirementAnswer,
        Stage.DRAWING: DrawingAnswer,
        Stage.QUALITY: QualityAnswer,
        Stage.COVERAGE: CoverageAnswer,
    }
)
"""The answer class of each stage."""


class AnswerError(ValueError):
    """An answer is refused. `field` names the member of the answer object that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def parse_answer(
    stage: str, data: object, *, size: tuple[int, int] | None = None, minimum_side: int = 1
) -> Answer:
    """Turn the JSON object of one answer into its dataclass.

    `size` is (width, height) of the image in pixels; a drawn box is clipped to it, the scale at which it was
    drawn is brought between what the smallest screen shows and `MAX_SCALE`, and the box may not be smaller
    than `minimum_side` pixels in width or height. Raise AnswerError, which names the wrong field.
    """
    if not isinstance(data, dict):
        raise AnswerError("", "an answer is an object such as " + _EXAMPLE.get(stage, "{}"))
    match stage:
        case Stage.LINK:
            return LinkAnswer(_flag(data, "same"))
        case Stage.VERIFICATION:
            return VerificationAnswer(_flag(data, "same"))
        case Stage.REQUIREMENT:
            value = _only(data, "requirement")
            if value not in tuple(Requirement):  # not a set: the value may be a list, which has no hash
                raise AnswerError("requirement", "must be one of box, scene, nobox")
            return RequirementAnswer(Requirement(value))
        case Stage.DRAWING:
            box = _box(_only(data, "box", "scale"), size, minimum_side)
            return DrawingAnswer(box, _scale(data, box, size))
        case Stage.QUALITY:
            return QualityAnswer(_flag(data, "good"))
        case Stage.COVERAGE:
            return CoverageAnswer(_flag(data, "complete"))
    raise AnswerError("", f"there is no stage {stage!r}")


def abstention_of(data: object) -> AbstentionKind | None:
    """Return which abstention the JSON object of an answer is, such as {"unusable": true}, or None."""
    if not isinstance(data, dict) or len(data) != 1:
        return None
    return next((kind for kind in AbstentionKind if data.get(kind.value) is True), None)


_EXAMPLE: dict[str, str] = {
    Stage.LINK: '{"same": true}',
    Stage.VERIFICATION: '{"same": true}',
    Stage.REQUIREMENT: '{"requirement": "box"}',
    Stage.DRAWING: '{"box": [left, top, right, bottom]} or {"box": null}',
    Stage.QUALITY: '{"good": true}',
    Stage.COVERAGE: '{"complete": true}',
}


def to_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as the JSON object that is stored.

    `parse_answer` turns it back into an equal answer.
    """
    match answer:
        case LinkAnswer(same) | VerificationAnswer(same):
            return {"same": same}
        case RequirementAnswer(requirement):
            return {"requirement": requirement.value}
        case DrawingAnswer(box, scale):
            edges = None if box is None else list(box.edges)
            return {"box": edges} if scale is None else {"box": edges, "scale": scale}
        case QualityAnswer(good):
            return {"good": good}
        case CoverageAnswer(complete):
            return {"complete": complete}


def _only(data: dict[str, Any], field: str, *optional: str) -> Any:
    if field not in data:
        raise AnswerError(field, "is missing")
    strange = sorted(set(data) - {field, *optional})
    if strange:
        raise AnswerError(strange[0][:40], "is not part of this answer")
    return data[field]


def _flag(data: dict[str, Any], field: str) -> bool:
    value = _only(data, field)
    if not isinstance(value, bool):
        raise AnswerError(field, "must be true or false")
    return value


def _scale(data: dict[str, Any], box: Box | None, size: tuple[int, int] | None) -> float | None:
    if "scale" not in data:
        return None
    value = data["scale"]
    if box is None:
        raise AnswerError("scale", "belongs to a box, and there is none")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise AnswerError("scale", "must be a number above 0: screen pixels for each pixel of the image")
    # Whoever sends a smaller scale than any screen has would be allowed more than anybody can need.
    least = LEAST_SHOWN / max(size) if size else 0
    return round(min(max(value, least), MAX_SCALE), 6)


def _box(value: object, size: tuple[int, int] | None, minimum_side: int) -> Box | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4:
        raise AnswerError("box", "must be null or four numbers: left, top, right, bottom")
    edges = []
    for number in value:
        # bool is an int to Python; JSON's true is no coordinate.
        if isinstance(number, bool) or not isinstance(number, int | float) or number != number:
            raise AnswerError("box", "must be null or four numbers: left, top, right, bottom")
        # Also what lax JSON parsers let through: infinity, and whole numbers too long for a float.
        if abs(number) > MAX_COORDINATE:
            raise AnswerError("box", "has a coordinate beyond any image")
        edges.append(math.floor(number + 0.5))
    left, top, right, bottom = edges
    if left >= right or top >= bottom:
        raise AnswerError("box", "is empty: left < right and top < bottom are needed")
    # A pointer may leave the image; its box may not.
    width, height = size or (right, bottom)
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    if left >= right or top >= bottom:
        raise AnswerError("box", "lies outside the image")
    box = Box(left, top, right, bottom)
    if box.width < minimum_side or box.height < minimum_side:
        raise AnswerError("box", f"is smaller than {minimum_side} pixels a side")
    return box

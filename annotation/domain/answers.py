"""The answers of the stages: a frozen dataclass for each, and how JSON becomes one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from types import MappingProxyType
from typing import Any
from unicodedata import category

from annotation.domain.field_errors import FieldError
from annotation.domain.geometry import Box

MAX_COORDINATE = 1_000_000
"""Pixels from the image's corner, in any direction. A coordinate beyond it is a mistake of the client."""
MIN_SHOWN = 200
"""Screen pixels. No screen shows the longer side of a photograph shorter than this."""
MAX_SCALE = 100
"""The most screen pixels for a pixel of the image."""
MAX_BOXES_AT_ONCE = 100
"""The most boxes that one answer draws or judges. No page shows more of one chain."""
MAX_CAPTION_LENGTH = 500
"""The most characters of a caption that a worker writes."""
MAX_WORD_LENGTH = 100
"""The most characters of a word in it: a mention's head noun has no more (annotation.importing.prepare)."""
MAX_CAPTIONS_AT_ONCE = 10
"""The most captions that one answer judges (ranking task, section 4.3.2)."""
GRADES = (1, 2, 3, 4)
"""How well a caption describes an image (ranking task, section 4.2.1): it is unrelated, or related in some
aspects, or describes the image with minor errors, or without any error."""
DESCRIBES = 3
"""The lowest grade of a caption that describes its image."""


class Stage(StrEnum):
    """The six questions of the paper, in the order of the pipeline (figure 2)."""

    LINK = "link"
    VERIFICATION = "verification"
    REQUIREMENT = "requirement"
    DRAWING = "drawing"
    QUALITY = "quality"
    COVERAGE = "coverage"


class JointStage(StrEnum):
    """The two questions that only the protocol `entities-fast` asks. Each is about all boxes of a chain."""

    BOXES = "boxes"
    CHECK = "check"


class CampaignStage(StrEnum):
    """The questions of the other campaigns: each is about an image, or an image and captions.

    They collect captions (ranking task, section 2.3.2), or say which captions fit (4.2.1 and 4.3.2).
    """

    WRITING = "writing"  # describe the image in a sentence
    CAPTION_CHECK = "caption_check"  # does what somebody wrote describe it?
    GRADING = "grading"  # how well does one caption describe it?
    RELEVANCE = "relevance"  # which of several captions describe it?


DRAWS_BOXES = frozenset({Stage.DRAWING, JointStage.BOXES})
"""The stages in which workers draw boxes."""
JUDGES_BOXES = frozenset({Stage.QUALITY, JointStage.CHECK})
"""The stages in which workers say whether new boxes are good."""
SHOWS_BOXES = frozenset({Stage.DRAWING, Stage.QUALITY, Stage.COVERAGE, *JointStage})
"""The stages that show the boxes accepted for the chain so far (section 3.2)."""
CAMPAIGN_STAGES = frozenset(CampaignStage)
"""The stages that show whole captions, without a mention."""


class DrawnBy(StrEnum):
    """How the boxes of an answer were drawn. It says what their time is the time of."""

    DRAG = "drag"  # from corner to corner
    EXTREME = "extreme"  # by the four extreme points
    KEYS = "keys"  # by keys alone
    SEVERAL = "several"  # some in one way and some in another


class Requirement(StrEnum):
    """The three choices of box requirement (section 3.2.1)."""

    BOX = "box"  # at least one box can be drawn
    SCENE = "scene"  # it is a scene or place
    NOBOX = "nobox"  # no box can be drawn


class NoBoxes(StrEnum):
    """Why a worker who is asked to draw all missing boxes draws none."""

    SCENE = "scene"  # it is a scene or place
    NOBOX = "nobox"  # no box can be drawn
    DONE = "done"  # every box is there already


class BoxJudgment(StrEnum):
    """What a worker says of one new box in a joint check."""

    GOOD = "good"
    LOOSE = "loose"  # it holds more than the entity
    CUT = "cut"  # part of the entity is outside
    WRONG = "wrong"  # it is around something else
    DOUBLE = "double"  # another box is around the same entity


TO_REDRAW = frozenset({BoxJudgment.LOOSE, BoxJudgment.CUT})
"""What is said of a box around the right entity that has to be drawn again."""


class CaptionJudgment(StrEnum):
    """What a second worker says of a caption that somebody wrote."""

    RIGHT = "right"  # it describes the image
    MINOR = "minor"  # it describes the image with minor errors
    WRONG = "wrong"  # it does not describe the image


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
    None if that is not known. `suggestion` says which of the boxes that a model suggested it is from, counted
    from 0, or None. They are part of the record, but the same box is the same answer.
    """

    box: Box | None
    scale: float | None = field(default=None, compare=False)
    suggestion: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class QualityAnswer:
    """Is the new box tight, whole, meant and not yet covered?"""

    good: bool


@dataclass(frozen=True, slots=True)
class CoverageAnswer:
    """Are all required boxes here?"""

    complete: bool


@dataclass(frozen=True, slots=True)
class BoxesAnswer:
    """All boxes that were missing, in the order they were drawn, or `none`: why there are none.

    `scales` and `suggestions` are those of the boxes, as in DrawingAnswer. They are part of the record, but
    the same boxes are the same answer.
    """

    boxes: tuple[Box, ...] = ()
    none: NoBoxes | None = None
    scales: tuple[float | None, ...] = field(default=(), compare=False)
    suggestions: tuple[int | None, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if bool(self.boxes) == (self.none is not None):
            raise ValueError("an answer has boxes, or a reason why there are none")


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What is said of each new box, and whether an entity has no box at all.

    A new box counts here for its entity even if it is loose or cut off. `point` is a place in the image where
    something is missing; the next worker who draws sees it. It is part of the record, but does not count.
    """

    boxes: tuple[BoxJudgment, ...]
    missing: bool
    point: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class WritingAnswer:
    """A sentence that describes the image: one line, without spaces around it."""

    caption: str


@dataclass(frozen=True, slots=True)
class CaptionCheckAnswer:
    """Does the caption describe the image?"""

    caption: CaptionJudgment


@dataclass(frozen=True, slots=True)
class GradingAnswer:
    """How well does the caption describe the image? One of GRADES."""

    grade: int


@dataclass(frozen=True, slots=True)
class RelevanceAnswer:
    """Which captions describe the image, in the order in which they are shown?"""

    describes: tuple[bool, ...]


Answer = (
    LinkAnswer
    | VerificationAnswer
    | RequirementAnswer
    | DrawingAnswer
    | QualityAnswer
    | CoverageAnswer
    | BoxesAnswer
    | CheckAnswer
    | WritingAnswer
    | CaptionCheckAnswer
    | GradingAnswer
    | RelevanceAnswer
)

ANSWERS: Mapping[str, type[Answer]] = MappingProxyType(
    {
        Stage.LINK: LinkAnswer,
        Stage.VERIFICATION: VerificationAnswer,
        Stage.REQUIREMENT: RequirementAnswer,
        Stage.DRAWING: DrawingAnswer,
        Stage.QUALITY: QualityAnswer,
        Stage.COVERAGE: CoverageAnswer,
        JointStage.BOXES: BoxesAnswer,
        JointStage.CHECK: CheckAnswer,
        CampaignStage.WRITING: WritingAnswer,
        CampaignStage.CAPTION_CHECK: CaptionCheckAnswer,
        CampaignStage.GRADING: GradingAnswer,
        CampaignStage.RELEVANCE: RelevanceAnswer,
    }
)
"""The answer class of each stage."""


class AnswerError(FieldError, ValueError):
    """An answer is refused. `field` names the member of the answer object that is wrong."""


def parse_answer(
    stage: str,
    data: object,
    *,
    size: tuple[int, int] | None = None,
    minimum_side: int = 1,
    new_boxes: int | None = None,
    captions: int | None = None,
    suggestions: int | None = None,
) -> Answer:
    """Turn the JSON object of one answer into its dataclass.

    `size` is (width, height) of the image in pixels; a drawn box is clipped to it, the scale at which it was
    drawn is brought between what the smallest screen shows and `MAX_SCALE`, and the box may not be smaller
    than `minimum_side` pixels in width or height. A joint check must be about so many `new_boxes`, and an
    answer of `relevance` about so many `captions`, and boxes may be from the first of so many `suggestions`,
    if they are given. Raise AnswerError, which names the wrong field.
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
            box = _box(_only(data, "box", "scale", "suggestion"), size, minimum_side)
            return DrawingAnswer(box, _scale(data, box, size), _suggestion(data, box, suggestions))
        case Stage.QUALITY:
            return QualityAnswer(_flag(data, "good"))
        case Stage.COVERAGE:
            return CoverageAnswer(_flag(data, "complete"))
        case JointStage.BOXES:
            return _boxes_answer(data, size, minimum_side, suggestions)
        case JointStage.CHECK:
            return _check_answer(data, size, new_boxes)
        case CampaignStage.WRITING:
            return WritingAnswer(_sentence(_only(data, "caption")))
        case CampaignStage.CAPTION_CHECK:
            said = _only(data, "caption")
            if said not in tuple(CaptionJudgment):
                raise AnswerError("caption", f"must be one of {', '.join(CaptionJudgment)}")
            return CaptionCheckAnswer(CaptionJudgment(said))
        case CampaignStage.GRADING:
            grade = _only(data, "grade")
            if isinstance(grade, bool) or not isinstance(grade, int) or grade not in GRADES:
                raise AnswerError("grade", f"must be one of {', '.join(map(str, GRADES))}")
            return GradingAnswer(grade)
        case CampaignStage.RELEVANCE:
            return _relevance_answer(data, captions)
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
    JointStage.BOXES: '{"boxes": [{"box": [left, top, right, bottom]}]} or {"none": "done"}',
    JointStage.CHECK: '{"boxes": ["good", "loose"], "missing": false}',
    CampaignStage.WRITING: '{"caption": "A man rides a horse ."}',
    CampaignStage.CAPTION_CHECK: '{"caption": "right"}',
    CampaignStage.GRADING: '{"grade": 3}',
    CampaignStage.RELEVANCE: '{"describes": [true, false]}',
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
        case DrawingAnswer(box, scale, suggestion):
            more = {"scale": scale, "suggestion": suggestion}
            known = {name: value for name, value in more.items() if value is not None}
            return {"box": None if box is None else list(box.edges), **known}
        case QualityAnswer(good):
            return {"good": good}
        case CoverageAnswer(complete):
            return {"complete": complete}
        case BoxesAnswer(none=NoBoxes() as none):
            return {"none": none.value}
        case BoxesAnswer(boxes, _, scales, suggestions):
            drawn = zip_longest(boxes, scales, suggestions)
            return {"boxes": [to_json(DrawingAnswer(*one)) for one in drawn]}
        case CheckAnswer(judged, missing, point):
            said = {"boxes": [one.value for one in judged], "missing": missing}
            return said if point is None else {**said, "point": list(point)}
        case WritingAnswer(caption):
            return {"caption": caption}
        case CaptionCheckAnswer(judged_caption):
            return {"caption": judged_caption.value}
        case GradingAnswer(grade):
            return {"grade": grade}
        case RelevanceAnswer(describes):
            return {"describes": list(describes)}


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


def _boxes_answer(
    data: dict[str, Any], size: tuple[int, int] | None, minimum_side: int, suggested: int | None
) -> BoxesAnswer:
    if "none" in data:
        reason = _only(data, "none")
        if reason not in tuple(NoBoxes):
            raise AnswerError("none", f"must be one of {', '.join(NoBoxes)}")
        return BoxesAnswer(none=NoBoxes(reason))
    drawn = _list(_only(data, "boxes"), "boxes")
    if not drawn:
        raise AnswerError("boxes", 'must have a box; say why there is none as in {"none": "done"}')
    boxes: list[Box] = []
    scales: list[float | None] = []
    suggestions: list[int | None] = []
    for place, one in enumerate(drawn):
        try:
            answer = parse_answer(
                Stage.DRAWING, one, size=size, minimum_side=minimum_side, suggestions=suggested
            )
        except AnswerError as error:
            inner = f".{error.field}" if error.field else ""
            raise AnswerError(f"boxes[{place}]{inner}", str(error)) from error
        assert isinstance(answer, DrawingAnswer)
        if answer.box is None or answer.box in boxes:
            message = (
                "must be four numbers" if answer.box is None else "is there twice; leave one of them out"
            )
            raise AnswerError(f"boxes[{place}].box", message)
        if answer.suggestion is not None and answer.suggestion in suggestions:
            message = "is that of another box, too; leave it out for one of them"
            raise AnswerError(f"boxes[{place}].suggestion", message)
        boxes.append(answer.box)
        scales.append(answer.scale)
        suggestions.append(answer.suggestion)
    return BoxesAnswer(tuple(boxes), scales=tuple(scales), suggestions=tuple(suggestions))


def _suggestion(data: dict[str, Any], box: Box | None, suggested: int | None) -> int | None:
    """Return the place of the suggestion that a box is from, or None."""
    if "suggestion" not in data:
        return None
    place, most = data["suggestion"], MAX_BOXES_AT_ONCE if suggested is None else suggested
    if box is None:
        raise AnswerError("suggestion", "belongs to a box, and there is none")
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < most:
        shown = f"a whole number from 0 to {most - 1}" if most else "left out: none was shown"
        raise AnswerError("suggestion", f"must be {shown}")
    return place


def _check_answer(data: dict[str, Any], size: tuple[int, int] | None, new_boxes: int | None) -> CheckAnswer:
    said = _list(_only(data, "boxes", "missing", "point"), "boxes")
    if new_boxes is not None and len(said) != new_boxes:
        raise AnswerError("boxes", f"must say something of each of the {new_boxes} new boxes")
    for place, one in enumerate(said):
        if one not in tuple(BoxJudgment):
            raise AnswerError(f"boxes[{place}]", f"must be one of {', '.join(BoxJudgment)}")
    missing = data.get("missing")
    if not isinstance(missing, bool):
        raise AnswerError("missing", "must be true or false")
    point = _point(data["point"], size) if "point" in data else None
    if point is not None and not missing:
        raise AnswerError("point", "belongs to something that is missing, and nothing is")
    return CheckAnswer(tuple(map(BoxJudgment, said)), missing, point)


def _sentence(value: object) -> str:
    """Read what a worker wrote. Spaces around it have no meaning."""
    if not isinstance(value, str):
        raise AnswerError("caption", "must be a text")
    text = value.strip()
    if not text:
        raise AnswerError("caption", "is empty: describe the photograph in a sentence")
    if len(text) > MAX_CAPTION_LENGTH:
        raise AnswerError(
            "caption", f"has {len(text)} characters, and may have {MAX_CAPTION_LENGTH}: shorten it"
        )
    if text.splitlines() != [text]:
        raise AnswerError("caption", "must be one line")
    # Databases refuse NUL and halves of surrogate pairs, and nobody can see the others.
    if any(category(letter) in ("Cc", "Cs") for letter in text):
        raise AnswerError("caption", "has a control character: take it out")
    if not any(letter.isalpha() for letter in text):
        raise AnswerError("caption", "has no letter: describe the photograph in a sentence")
    if any(len(word) > MAX_WORD_LENGTH for word in text.split()):
        raise AnswerError("caption", f"has a word of more than {MAX_WORD_LENGTH} characters")
    return text


def _relevance_answer(data: dict[str, Any], captions: int | None) -> RelevanceAnswer:
    said = _only(data, "describes")
    if not isinstance(said, list) or not said or not all(isinstance(one, bool) for one in said):
        raise AnswerError("describes", "must be a list of true and false, one for each caption")
    if captions is not None and len(said) != captions:
        raise AnswerError("describes", f"must say something of each of the {captions} captions")
    if len(said) > MAX_CAPTIONS_AT_ONCE:
        raise AnswerError("describes", f"has more than {MAX_CAPTIONS_AT_ONCE} values")
    return RelevanceAnswer(tuple(said))


def _list(value: object, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise AnswerError(field, "must be a list")
    if len(value) > MAX_BOXES_AT_ONCE:
        raise AnswerError(field, f"has {len(value)} boxes; an answer has at most {MAX_BOXES_AT_ONCE}")
    return value


def _point(value: object, size: tuple[int, int] | None) -> tuple[int, int]:
    """Read a place in the image. One beyond its edge is moved to the edge."""
    if not isinstance(value, list) or len(value) != 2:
        raise AnswerError("point", "must be two numbers: x, y")
    place = []
    for number, side in zip(value, size or (MAX_COORDINATE, MAX_COORDINATE), strict=True):
        if isinstance(number, bool) or not isinstance(number, int | float) or number != number:
            raise AnswerError("point", "must be two numbers: x, y")
        if abs(number) > MAX_COORDINATE:
            raise AnswerError("point", "has a coordinate beyond any image")
        place.append(min(max(math.floor(number), 0), side - 1))
    return place[0], place[1]


def _scale(data: dict[str, Any], box: Box | None, size: tuple[int, int] | None) -> float | None:
    if "scale" not in data:
        return None
    value = data["scale"]
    if box is None:
        raise AnswerError("scale", "belongs to a box, and there is none")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise AnswerError("scale", "must be a number above 0: screen pixels for each pixel of the image")
    # Whoever sends a smaller scale than any screen has would be allowed more than anybody can need.
    least = MIN_SHOWN / max(size) if size else 0
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

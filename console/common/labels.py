"""Labels of stages, states, reasons and answers on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import (
    AbstentionKind,
    BoxJudgment,
    CampaignStage,
    CaptionJudgment,
    JointStage,
    NoBoxes,
    Stage,
    abstention_of,
)
from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW, SPLIT, WITHDRAWN
from annotation.models import Case, ImageWork

REASONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        Case.Reason.CYCLE: ("Unsettled", "chains whose answers kept contradicting each other"),
        Case.Reason.COMMENT: ("Comments", "remarks of workers"),
        Case.Reason.CHUNK: ("Wrong chunks", "mentions that workers say are cut wrongly"),
        Case.Reason.FLAG: ("Flagged", "what a researcher wants to come back to"),
        Case.Reason.SAMPLE: ("Samples", "finished chains, drawn at random"),
        Case.Reason.CONTRADICTION: ("Contradictions", "chains whose links contradict each other"),
        Case.Reason.DISAGREEMENT: ("Disagreements", "chains where an aggregation differs from the rules"),
        Case.Reason.TRUST: ("Lost trust", "workers whose score fell below the minimum"),
        Case.Reason.PACE: ("Speed", "workers who answer too fast, always alike, or with one box everywhere"),
        Case.Reason.QUESTION: (
            "Questions",
            "verification questions that were retired or are running short",
        ),
        Case.Reason.PHOTOGRAPH: (
            "Photographs",
            "images that rest because workers say that their photographs are unusable",
        ),
        Case.Reason.UNSURE: (
            "Cannot tell",
            "chains and images with a question that two workers could not answer",
        ),
        Case.Reason.CAPTION: ("Captions", "captions of workers that the rules flag"),
    }
)
"""The name and the meaning of each reason for a case."""


STAGES: Mapping[str, str] = MappingProxyType(
    {
        Stage.LINK: "coreference link",
        Stage.VERIFICATION: "chain verification",
        Stage.REQUIREMENT: "box requirement",
        Stage.DRAWING: "box drawing",
        Stage.QUALITY: "box quality",
        Stage.COVERAGE: "box coverage",
        JointStage.BOXES: "joint drawing",
        JointStage.CHECK: "joint check",
        CampaignStage.WRITING: "caption writing",
        CampaignStage.CAPTION_CHECK: "caption check",
        CampaignStage.GRADING: "caption grading",
        CampaignStage.RELEVANCE: "caption relevance",
    }
)


STATES: Mapping[str, str] = MappingProxyType(
    {
        **{stage: f"waits for {name}" for stage, name in STAGES.items()},
        DONE: "done",
        NONVISUAL: "done, without a box",
        SPLIT: "split by head noun",
        REVIEW: "waits for a researcher",
        WITHDRAWN: "withdrawn",
        ImageWork.State.QUEUED: "not started",
        ImageWork.State.LINKING: "links in progress",
        ImageWork.State.BOXING: "chains in progress",
        ImageWork.State.ASKING: "questions in progress",
        ImageWork.State.RESTING: "rests: waits for a researcher",
    }
)
"""Labels of the states of chains and images."""


_YES_NO: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        Stage.LINK: ("same", "the same", "not the same"),
        Stage.VERIFICATION: ("same", "all the same", "not all the same"),
        Stage.QUALITY: ("good", "good", "bad"),
        Stage.COVERAGE: ("complete", "all boxes are here", "a box is missing"),
    }
)


_REQUIREMENT = {"box": "a box can be drawn", "scene": "a scene or place", "nobox": "no box can be drawn"}
_NO_BOXES: Mapping[str, str] = {
    NoBoxes.SCENE: "no box: a scene or place",
    NoBoxes.NOBOX: "no box: none can be drawn",
    NoBoxes.DONE: "no box: all are there",
}
_OF_BOX: Mapping[str, str] = {
    BoxJudgment.GOOD: "good",
    BoxJudgment.LOOSE: "loose",
    BoxJudgment.CUT: "cut off",
    BoxJudgment.WRONG: "around the wrong thing",
    BoxJudgment.DOUBLE: "a double",
}


_OF_CAPTION: Mapping[str, str] = {
    CaptionJudgment.RIGHT: "describes the image",
    CaptionJudgment.MINOR: "describes it with minor errors",
    CaptionJudgment.WRONG: "does not describe it",
}
_GRADES: Mapping[int, str] = {
    1: "unrelated to the image",
    2: "describes some aspects of it",
    3: "describes it with minor errors",
    4: "describes it without an error",
}


ABSTENTIONS = {
    AbstentionKind.UNUSABLE: "photograph unusable",
    AbstentionKind.UNSURE: "cannot tell",
}


def say_answer(stage: str, answer: Mapping[str, Any]) -> str:
    """Return a worker's answer object of a stage in words."""
    if (kind := abstention_of(answer)) is not None:
        return ABSTENTIONS[kind]
    if stage in _YES_NO:
        field, yes, no = _YES_NO[stage]
        return yes if answer.get(field) else no
    if stage == Stage.REQUIREMENT:
        return _REQUIREMENT.get(answer.get("requirement", ""), "?")
    if stage == JointStage.BOXES:
        return _say_drawn(answer)
    if stage == JointStage.CHECK:
        return _say_check(answer)
    if stage in tuple(CampaignStage):
        return _say_of_caption(stage, answer)
    return _say_drawing(answer)


def _say_of_caption(stage: str, answer: Mapping[str, Any]) -> str:
    match stage:
        case CampaignStage.WRITING:
            # The answer to a question of the language test has several captions: any of them is right.
            return " or ".join(f"“{text}”" for text in answer.get("captions") or [answer.get("caption", "?")])
        case CampaignStage.CAPTION_CHECK:
            return _OF_CAPTION.get(answer.get("caption", ""), "?")
        case CampaignStage.GRADING:
            grade = answer.get("grade", 0)
            return f"{grade}: {_GRADES.get(grade, '?')}"
    fits = [str(number) for number, one in enumerate(answer.get("describes") or [], start=1) if one]
    if not fits:
        return "no caption describes the image"
    return f"caption{'s' * (len(fits) > 1)} {', '.join(fits)}"


def _say_drawn(answer: Mapping[str, Any]) -> str:
    boxes = answer.get("boxes") or []
    if not boxes:
        return _NO_BOXES.get(answer.get("none", ""), "no box")
    if len(boxes) == 1:
        return _say_drawing(boxes[0])
    said = (f"{number}: {_say_drawing(box)}" for number, box in enumerate(boxes, start=1))
    return f"{len(boxes)} boxes. {'; '.join(said)}"


def _say_check(answer: Mapping[str, Any]) -> str:
    """Say what a joint check says. Good boxes are counted, and the others are named by their numbers."""
    said = [_OF_BOX.get(one, "?") for one in answer.get("boxes") or []]
    bad = [f"box {number} is {one}" for number, one in enumerate(said, start=1) if one != "good"]
    good = len(said) - len(bad)
    missing = "something is missing" if answer.get("missing") else "nothing is missing"
    if point := answer.get("point"):
        missing += f" at {point[0]}, {point[1]}"
    return "; ".join([*([f"{good} good box{'es' * (good != 1)}"] if good else []), *bad, missing])


def _say_drawing(answer: Mapping[str, Any]) -> str:
    said = say_box(answer.get("box"))
    return f"{said}, drawn at {answer['scale']:.0%} of its size" if "scale" in answer else said


def say_box(box: list[int] | None) -> str:
    """Return a box in words: its corners and its size, in pixels of the image."""
    if box is None:
        return "no further box"
    left, top, right, bottom = box
    return f"box {left}, {top} to {right}, {bottom} ({right - left} × {bottom - top})"


def say_state(state: str) -> str:
    return STATES.get(state, state)


def letter(place: int) -> str:
    """Return the letter of a chain on a page: A, B, … Z, AA, AB, …. `place` counts from 0."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name

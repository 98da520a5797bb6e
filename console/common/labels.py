"""Labels of stages, states, reasons, answers, rules, decisions and errors on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from annotation.domain.answers import (
    DRAWS_BOXES,
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
from annotation.models import Case, Decision, ImageWork, VerificationQuestion
from workflows.pipeline.domain import caption_rules
from workflows.pipeline.models import WrittenCaption

Look = tuple[str, str]
"""A word, and the class of its chip."""


class Action(NamedTuple):
    """An action's button, its heading, the message after it, and whether it takes something away."""

    button: str
    title: str
    done: str
    danger: bool = False


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
        Case.Reason.UNRELATED: (
            "Other photographs",
            "captions that workers say are about another photograph",
        ),
        Case.Reason.MODEL: ("Models", "models that judge and got worse: their answers do not count for now"),
        Case.Reason.SUGGESTIONS: (
            "Suggestions",
            "workers and batches that are shown no boxes of a model any more",
        ),
    }
)
"""The name and the meaning of each reason for a case."""


QUESTION_ROLES: Mapping[str, str] = MappingProxyType(
    {
        VerificationQuestion.Role.GOLD: "mixed into pages",
        VerificationQuestion.Role.TRAINING: "training",
        VerificationQuestion.Role.TEST: "qualification test",
    }
)
"""What verification questions are used for."""


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


HOURS = "as pages measured them, with answers to verification questions and with what could not be answered"
"""What hours of work are: of one worker, and of all of them by day."""

RULES: Mapping[str, str] = MappingProxyType(
    {
        "kept": "verified: one chain",
        "broken": "not verified: split by head noun",
        "box-required": "a box is required",
        "no-box-required": "no box is required",
        "box-drawn": "a box was drawn",
        "requirement-cycle": "a box is required, but again none could be drawn",
        "none-needed": "no box could be drawn: back to box requirement",
        "coverage-cycle": "coverage and drawing keep contradicting each other",
        "none-missing": "no further box",
        "boxes-drawn": "boxes were drawn",
        "no-box-left": "no box is good: draw again",
        "no-box-left-cycle": "too many boxes were rejected",
        "box-accepted": "the box is good",
        "rejection-cycle": "too many boxes were rejected",
        "box-rejected": "the box is bad: draw again",
        "box-missing": "a box is missing: draw again",
        "complete": "all boxes are there",
        "linked": "the links are settled: one chain",
        "split-off": "split off by head noun",
        "decided": "a researcher decided",
        "regrouped": "a researcher regrouped the image",
        "annotated": "a researcher annotated the image",
        "caption-changed": "a researcher changed a caption",
        "undone": "a decision was undone",
        "replayed": "recomputed from the judgments and decisions that count now",
        "withdrawn": "withdrawn, because what it came from no longer counts",
        "batch-resumed": "the batch resumed, because it has work again",
        "links-settled": "the links are settled",
        "chains-done": "all chains are done",
        "opened": "the image was opened",
        "no-questions": "there was nothing to ask about the image",
        "questions-done": "all questions about the image are answered",
        "photograph-unusable": "the image rests, because workers say that its photograph is unusable",
        "photograph-usable": "the image goes on, because what made it rest does not count any more",
        "cannot-tell": "workers could not tell the answer",
    }
)
"""The pipeline's rules and what else is logged; one that is not here is shown by its own name."""

DECIDED: Mapping[str, str] = MappingProxyType(
    {
        Decision.Kind.CHAIN: "A researcher decided",
        Decision.Kind.REGROUP: "A researcher regrouped the image",
        Decision.Kind.WITHDRAW: "The image was withdrawn",
        Decision.Kind.BRING_BACK: "The image was brought back",
        Decision.Kind.USABLE: "A researcher let the image go on",
        Decision.Kind.ANNOTATE: "A researcher annotated the image",
        Decision.Kind.CAPTION: "A researcher changed a caption",
        Decision.Kind.WRITTEN: "A researcher decided about a caption of a worker",
        Decision.Kind.CLOSE: "A case was closed without a change",
        Decision.Kind.SET_ASIDE: "Judgments were set aside",
        Decision.Kind.REINSTATE: "Judgments count again",
        Decision.Kind.REJECT: "Pages below the minimum were rejected",
        Decision.Kind.DISTRUST: "Answers of a model do not count any more",
        Decision.Kind.RESUME: "Suggestions are shown again",
        Decision.Kind.UNDO: "A decision was undone",
    }
)
"""Of what researchers decide about an image; a kind that is not here is shown by its own name."""

WRITTEN_STATES: Mapping[str, str] = MappingProxyType(
    {
        WrittenCaption.State.PROPOSED: "waits for a second worker",
        WrittenCaption.State.FLAGGED: "waits for you",
        WrittenCaption.State.ACCEPTED: "accepted",
        WrittenCaption.State.REFUSED: "refused",
        WrittenCaption.State.WITHDRAWN: "set aside",
    }
)
"""The states of captions that workers wrote."""
CAPTION_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        caption_rules.SHORT: f"has less than {caption_rules.MIN_WORDS} words",
        caption_rules.LANGUAGE: "is in another language",
        caption_rules.SPELLING: "has a misspelt word",
        caption_rules.NAME: "has a name",
        caption_rules.GUESS: "guesses what cannot be seen",
        caption_rules.IMAGE: "is about the photograph itself",
        caption_rules.REPEATS_OWN: "repeats an earlier caption of its worker",
        caption_rules.REPEATS_OTHER: "repeats another caption of the photograph",
    }
)
"""Why a caption is flagged; a rule that is not here is shown by its own name."""
FLAGS: Mapping[str, str] = MappingProxyType({"scene": "a scene or place", "nobndbox": "no box possible"})


_COMPLETE = frozenset(
    (
        *("withdrawn", "batch-resumed", "links-settled", "chains-done", "opened"),
        *("no-questions", "questions-done", "undone"),
    )
)


def say_caption_flags(flags: Iterable[str]) -> str:
    """Return why a caption is flagged, in words: *has a name, and guesses what cannot be seen*."""
    return ", and ".join(CAPTION_FLAGS.get(flag, flag) for flag in flags)


def say_right_answer(stage: str, answer: Mapping[str, Any]) -> str:
    """Return the known answer of a question in words.

    In drawing, any of several boxes can be right; in the joint stage, all of them are to be drawn.
    """
    boxes = answer.get("boxes") or []
    if stage not in DRAWS_BOXES or "none" in answer:
        return say_answer(stage, answer)
    if not boxes:
        return "no further box"
    which = "one of these boxes" if stage == Stage.DRAWING else "all of these boxes"
    return (f"{which}: " if len(boxes) > 1 else "") + "; ".join(say_box(box) for box in boxes)


def say_change(content: Mapping[str, Any]) -> str:
    """Return what a decision about a caption did, in words."""
    before, after = content["text"]
    name = f"Caption {content['caption'] + 1}"
    if content["action"] == "undo":
        return f"{name}: a change was undone"
    if not after:
        return f"{name} was withdrawn: “{before}”"
    if not before:
        return f"{name} was brought back: “{after}”"
    if before == after:
        return f"{name} has other phrases: “{after}”"
    return f"{name} was “{before}” and is “{after}”"


def say_rule(rule: str) -> str:
    return RULES.get(rule, rule.replace("-", " "))


def say_move(rule: str, target: str) -> str:
    """Return a move in words, with its target state unless the rule says it all."""
    return say_rule(rule) if rule in _COMPLETE else f"{say_rule(rule)} → {say_state(target)}"


_VERBS = ("is", "are", "has", "have", "must", "may", "reaches", "belongs")


def say_error(field: str, message: str) -> str:
    """Return a service's error as a sentence. A message without a subject gets its field's name.

    `field` is a path, as in boxes[2]; the third box is Box 3.
    """
    if message.split(" ", 1)[0] in _VERBS:
        name, place = re.findall(r"(\w+)(?:\[(\d+)\])?$", field)[0] if field else ("", "")
        singular = {"boxes": "Box", "mentions": "Mention", "chains": "Chain"}.get(name)
        subject = f"{singular} {int(place) + 1}" if singular and place else f"The {name or 'input'}"
        if singular and not place and message.startswith(("is ", "has ")):
            subject = f"The list of {name}"
        message = f"{subject.replace('_', ' ')} {message}"
    return message[:1].upper() + message[1:] + ("" if message.endswith((".", "!")) else ".")

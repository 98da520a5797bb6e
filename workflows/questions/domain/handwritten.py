"""Checks verification questions that were written by hand, before anybody is judged by them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from annotation.domain.answers import (
    DRAWS_BOXES,
    SHOWS_BOXES,
    AnswerError,
    BoxesAnswer,
    CampaignStage,
    JointStage,
    NoBoxes,
    Stage,
    parse_answer,
    to_json,
)
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention, admissible, reading_order
from annotation.domain.protocols import ENTITIES_STAGES
from workflows.questions.domain.caption_questions import CONTROL_CAPTIONS, MADE_STAGES, CaptionQuestion
from workflows.questions.domain.known_images import Question, QuestionError
from workflows.questions.domain.right_answers import MAX_ALTERNATIVES, alternatives
from workflows.questions.domain.supply import GOLD, IN_TESTS_ALONE, ROLES, TRAINING

MAX_MENTIONS, MAX_BOXES, MAX_EXPLANATION_LENGTH = 100, 50, 1000
"""Limits on one question: mentions, boxes, characters of the explanation."""
MAX_CORRECTIONS = 20
"""The most sentences that are right where a sentence is to be corrected."""
MAX_CAPTION_LENGTH = 1000
"""The most characters of a caption that is shown."""
CAPTION_STAGES = (CampaignStage.WRITING, *MADE_STAGES)
KIND = "written"


def check_question(
    *,
    stage: str,
    role: str,
    mentions: Sequence[Mention],
    boxes: object,
    box: object,
    answer: object,
    explanation: str,
    size: tuple[int, int],
    minimum_side: int,
    new_boxes: object = (),
) -> Question:
    """Return the checked question, with its mentions in reading order.

    `size` is (width, height) of the image and `minimum_side` the least side of a box, in pixels. Boxes are
    [left, top, right, bottom], edges in pixels. Raise QuestionError naming the field.
    """
    if stage not in ENTITIES_STAGES:
        raise QuestionError("stage", f"{stage!r} is not one of {', '.join(ENTITIES_STAGES)}")
    if role not in ROLES:
        raise QuestionError("role", f"{role!r} is not one of {', '.join(ROLES)}")
    check_explanation(explanation, role=role)
    ordered = reading_order(mentions)
    _check_mentions(stage, ordered)
    shown = _boxes(boxes, "boxes", size, minimum_side)
    if shown and stage not in SHOWS_BOXES:
        raise QuestionError("boxes", f"are not shown in {stage}: leave them out")
    if stage == Stage.COVERAGE and not shown:
        raise QuestionError("boxes", "are missing: coverage is asked only after a box was accepted")
    if (box is not None) != (stage == Stage.QUALITY):
        message = (
            "is missing: give the box that is to be judged" if box is None else f"is not part of {stage}"
        )
        raise QuestionError("box", message)
    candidate = _one(box, "box", size, minimum_side) if box is not None else None
    new = _boxes(new_boxes, "new_boxes", size, minimum_side)
    if new and stage != JointStage.CHECK:
        raise QuestionError("new_boxes", f"are not part of {stage}: leave them out")
    if stage == JointStage.CHECK and not (new or shown):
        raise QuestionError("new_boxes", "are missing: give the boxes that are to be checked")
    right = check_answer(
        stage=stage, answer=answer, shown=boxes, size=size, minimum_side=minimum_side, new_boxes=len(new)
    )
    ids = tuple(mention.id for mention in ordered)
    return Question(stage, KIND, 0, ids, right, explanation.strip(), shown, candidate, new)


def check_caption_question(
    *, stage: str, role: str, captions: Sequence[str], answer: object, explanation: str
) -> CaptionQuestion:
    """Return the checked question about whole captions, or with a sentence of a language test to correct.

    `relevance` shows CONTROL_CAPTIONS captions, as every page does, and other stages one. Raise QuestionError
    naming the field.
    """
    if stage not in CAPTION_STAGES:
        raise QuestionError("stage", f"{stage!r} is not one of {', '.join(CAPTION_STAGES)}")
    if role not in ROLES:
        raise QuestionError("role", f"{role!r} is not one of {', '.join(ROLES)}")
    if role == GOLD and stage in IN_TESTS_ALONE:
        raise QuestionError("role", "must be training or test: on a page, everybody would know the question")
    check_explanation(explanation, role=role)
    shown = tuple(one.strip() for one in captions)
    number = CONTROL_CAPTIONS if stage == CampaignStage.RELEVANCE else 1
    if len(set(shown)) != number or len(shown) != number:
        what = f"must be {number}, each another one" if number > 1 else "must be one"
        raise QuestionError("captions", what)
    if not all(shown) or any("\0" in one or len(one) > MAX_CAPTION_LENGTH for one in shown):
        raise QuestionError("captions", f"must have 1 to {MAX_CAPTION_LENGTH} characters each")
    right = check_answer(
        stage=stage, answer=answer, shown=(), size=(1, 1), minimum_side=1, captions=len(shown)
    )
    return CaptionQuestion(KIND, shown, right, explanation.strip())


def mixed(fitting: Sequence[str], others: Sequence[str]) -> tuple[list[str], list[bool]]:
    """Return captions in an order that gives none away, and which of them are `fitting`.

    The order depends on their texts alone, so that the same question is never written twice.
    """
    kinds = {**dict.fromkeys(others, False), **dict.fromkeys(fitting, True)}
    order = sorted(kinds, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    return order, [kinds[text] for text in order]


def check_explanation(explanation: str, *, role: str) -> None:
    """Raise QuestionError if the explanation is too long, or missing where workers are shown it."""
    if len(explanation) > MAX_EXPLANATION_LENGTH:
        raise QuestionError("explanation", f"is longer than {MAX_EXPLANATION_LENGTH} characters")
    if "\0" in explanation:
        raise QuestionError("explanation", "has a character that cannot be stored")
    if role == TRAINING and not explanation.strip():
        raise QuestionError("explanation", "is needed for training: say why the answer is right")


def check_answer(
    *,
    stage: str,
    answer: object,
    shown: object,
    size: tuple[int, int],
    minimum_side: int,
    new_boxes: int = 0,
    captions: int = 0,
) -> Mapping[str, Any]:
    """Return the right answer of a question of this stage, checked. `shown` are the accepted boxes.

    A joint check is about so many `new_boxes`, and `relevance` about so many `captions`. Raise QuestionError
    naming the field.
    """
    if stage == CampaignStage.WRITING:
        return _corrections(answer)
    none = stage == JointStage.BOXES and isinstance(answer, Mapping) and "none" in answer
    if stage not in DRAWS_BOXES or none:
        right = _choice(stage, answer, size, new_boxes, captions)
        if right == to_json(BoxesAnswer(none=NoBoxes.DONE)) and not shown:
            raise QuestionError("answer.none", "is done, but no box is shown")
        return right
    # Boxes that are shown come from the corpus or from workers: they may be smaller than a new box may be.
    drawn = _drawing(answer, _boxes(shown, "boxes", size, 1), size, minimum_side)
    if stage == JointStage.BOXES and not drawn["boxes"]:
        raise QuestionError("answer.boxes", 'has no box: say why there is none, as in {"none": "done"}')
    return drawn


def _check_mentions(stage: str, mentions: Sequence[Mention]) -> None:
    if len({mention.id for mention in mentions}) != len(mentions):
        raise QuestionError("mentions", "has a mention that is given twice")
    match stage:
        case Stage.LINK:
            if len(mentions) != 2:
                raise QuestionError("mentions", "must be two: a link is between two mentions")
            if not admissible(*mentions):
                raise QuestionError(
                    "mentions", "must be of two captions and have a common type: else no link is asked"
                )
        case Stage.VERIFICATION:
            if not 2 <= len(mentions) <= MAX_MENTIONS:
                raise QuestionError(
                    "mentions", f"must be 2 to {MAX_MENTIONS}, the mentions of the chain to verify"
                )
        case _:
            if len(mentions) != 1:
                raise QuestionError("mentions", f"must be one: {stage} is asked about one mention")


def _choice(
    stage: str, answer: object, size: tuple[int, int], new_boxes: int, captions: int
) -> Mapping[str, Any]:
    try:
        return to_json(parse_answer(stage, answer, size=size, new_boxes=new_boxes, captions=captions))
    except AnswerError as error:
        raise QuestionError(".".join(filter(None, ("answer", error.field))), str(error)) from error


def _corrections(answer: object) -> Mapping[str, Any]:
    """Return the corrections of a sentence, any of which is right."""
    given = answer.get("captions") if isinstance(answer, Mapping) else None
    if not isinstance(given, Sequence) or isinstance(given, str) or not 1 <= len(given) <= MAX_CORRECTIONS:
        raise QuestionError("answer", f"must have 1 to {MAX_CORRECTIONS} corrected sentences")
    try:
        texts = [parse_answer(CampaignStage.WRITING, {"caption": one}) for one in given]
    except AnswerError as error:
        raise QuestionError("answer", f"has a sentence that {error}") from error
    found = [to_json(one)["caption"] for one in texts]
    if any(sum(1 for _ in alternatives(one)) >= MAX_ALTERNATIVES for one in found):
        raise QuestionError(
            "answer", f"has a sentence that stands for {MAX_ALTERNATIVES} or more: write several"
        )
    return {"captions": found}


def _drawing(
    answer: object, shown: Sequence[Box], size: tuple[int, int], minimum_side: int
) -> Mapping[str, Any]:
    if not isinstance(answer, Mapping) or set(answer) != {"boxes"}:
        raise QuestionError(
            "answer", 'must be {"boxes": [[left, top, right, bottom], …]}; the list may be empty'
        )
    boxes = _boxes(answer["boxes"], "answer.boxes", size, minimum_side)
    if not set(boxes).isdisjoint(shown):
        raise QuestionError("answer.boxes", "has a box that is shown already: it cannot be drawn again")
    return {"boxes": [list(box.edges) for box in sorted(boxes)]}


def _boxes(given: object, field: str, size: tuple[int, int], minimum_side: int) -> tuple[Box, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > MAX_BOXES:
        raise QuestionError(field, f"must be a list of up to {MAX_BOXES} boxes")
    boxes = tuple(_one(one, field, size, minimum_side) for one in given)
    if any(a == b for a, b in combinations(boxes, 2)):
        raise QuestionError(field, "has a box that is given twice")
    return boxes


def _one(given: object, field: str, size: tuple[int, int], minimum_side: int) -> Box:
    edges = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else []
    if len(edges) != 4 or not all(type(edge) is int for edge in edges):
        raise QuestionError(field, "a box is four whole numbers: left, top, right, bottom")
    try:
        box = Box(*edges)
    except ValueError as error:
        raise QuestionError(field, str(error)) from error
    width, height = size
    if box.right > width or box.bottom > height:
        raise QuestionError(field, f"{edges} reaches beyond the image of {width} x {height} pixels")
    if min(box.width, box.height) < minimum_side:
        raise QuestionError(field, f"{edges} is smaller than {minimum_side} pixels a side")
    return box

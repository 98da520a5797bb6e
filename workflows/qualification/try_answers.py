"""Answers to questions whose right answer is known: read them, and measure them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.answers import Answer, AnswerError, parse_answer, to_json
from annotation.models import VerificationQuestion
from workflows.assignments.submit import SubmissionError
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.core.json_pointers import json_pointer
from workflows.questions.domain.right_answers import is_right


def parse(question: VerificationQuestion, answer: object, settings: BatchSettings) -> Answer:
    width, height = question.image.width, question.image.height
    size = (width, height) if width and height else None
    return parse_answer(question.stage, answer, size=size, minimum_side=settings.minimum_side)


def parse_all(
    questions: Sequence[VerificationQuestion],
    answers: Sequence[tuple[int, Mapping[str, Any]]],
    settings: BatchSettings,
) -> dict[int, Answer]:
    """By question id, an answer to each. Raises SubmissionError naming each bad field."""
    errors: list[tuple[str, str]] = []
    parsed: dict[int, Answer] = {}
    for place, (item, answer) in enumerate(answers):
        if not 1 <= item <= len(questions):
            errors.append(
                (json_pointer("answers", place, "item"), f"this test has the items 1 to {len(questions)}")
            )
            continue
        question = questions[item - 1]
        if question.pk in parsed:
            errors.append((json_pointer("answers", place, "item"), f"item {item} is answered twice"))
            continue
        try:
            parsed[question.pk] = parse(question, answer, settings)
        except AnswerError as error:
            errors.append((where(("answers", place, "answer"), error), str(error)))
    missing = [str(n) for n, question in enumerate(questions, start=1) if question.pk not in parsed]
    if missing and not errors:
        errors.append(("/answers", f"items without an answer: {', '.join(missing)}"))
    if errors:
        raise SubmissionError(errors)
    return parsed


def where(path: tuple[object, ...], error: AnswerError) -> str:
    return json_pointer(*path, *([error.field] if error.field else ()))


def scored(question: VerificationQuestion, answer: Answer, settings: BatchSettings) -> dict[str, Any]:
    """What is kept of an answer."""
    right = is_right(question.stage, question.answer, answer, box_iou=settings.control.box_iou)
    return {"answer": to_json(answer), "right": right}

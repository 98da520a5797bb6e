"""Whether two answers of a stage say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.answer_labels import label_of
from annotation.domain.answers import (
    DRAWS_BOXES,
    CampaignStage,
    CheckAnswer,
    JointStage,
    Stage,
    abstention_of,
    parse_answer,
)
from annotation.domain.geometry import Box, iou
from workflows.questions.domain.right_answers import leads_to

SAME = 0.7
"""The least IoU of two boxes of the same thing: the default of a batch's `control.box_iou`."""


def agrees(stage: str, vote: int, outcome: int) -> bool:
    """Return whether a vote agrees with the outcome.

    Box requirement asks whether a box is needed, so two reasons for no box agree with each other.
    """
    return (vote == 0) == (outcome == 0) if stage == Stage.REQUIREMENT else vote == outcome


def same_answer(stage: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool | None:
    """Return whether two stored answers say the same; None if they cannot be compared.

    Drawn boxes are the same if each has one of the other answer with an IoU of at least SAME. Joint checks
    are, if they lead to the same; and judgments of several captions, if the same ones are ticked. Captions
    that workers write are never compared, nor is *cannot tell* or *photograph unusable*.
    """
    if stage == CampaignStage.WRITING or abstention_of(one) or abstention_of(other):
        return None
    if stage == CampaignStage.RELEVANCE:
        return list(one["describes"]) == list(other["describes"])
    if stage == JointStage.CHECK:
        return _leads_to(one) == _leads_to(other)
    if not agrees(stage, label_of(stage, one), label_of(stage, other)):
        return False
    if stage not in DRAWS_BOXES:
        return True
    drawn, others = _boxes(one), _boxes(other)
    return len(drawn) == len(others) and _all_in(drawn, others) and _all_in(others, drawn)


def _leads_to(answer: Mapping[str, Any]) -> tuple[tuple[bool, ...], bool]:
    checked = parse_answer(JointStage.CHECK, answer)
    assert isinstance(checked, CheckAnswer)
    return leads_to(checked)


def _boxes(answer: Mapping[str, Any]) -> list[Box]:
    given = [one["box"] for one in answer["boxes"]] if "boxes" in answer else [answer.get("box")]
    return [Box(*edges) for edges in given if edges]


def _all_in(some: Sequence[Box], others: Sequence[Box]) -> bool:
    return all(any(iou(box, other) >= SAME for other in others) for box in some)

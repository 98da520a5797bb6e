"""The course of a chain through the rules, if answers have probabilities."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.answers import JointStage, Stage
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batches.domain.chain_course import Crowd, chain_course

PERFECT = Crowd(0, 0, 0, 0, 0, 0)


def _takes(boxes: int, opening: str, crowd: Crowd = PERFECT) -> dict[str, tuple[float, float]]:
    found = chain_course("flickr30k-entities", Limits(), crowd, boxes, opening)
    return {str(stage): (round(one.items, 6), round(one.judgments, 6)) for stage, one in found.items()}


def test_with_workers_who_never_err_it_is_the_shortest_way() -> None:
    assert _takes(2, Stage.DRAWING) == {"drawing": (2, 2), "quality": (2, 2), "coverage": (2, 3)}
    assert _takes(0, Stage.REQUIREMENT) == {"requirement": (1, 2)}
    assert _takes(0, Stage.DRAWING) == {"drawing": (1, 1), "requirement": (1, 1)}, (
        "no further box counts as a judgment of box requirement, too"
    )


def test_errors_cost() -> None:
    """If half of the boxes are rejected, two are drawn on average, up to the limit of five."""
    half = Crowd(0, 0, 0, 0.5, 0, 0)
    drawing, judged = _takes(1, Stage.DRAWING, half)["drawing"]
    assert drawing == judged == pytest.approx(sum(0.5**n for n in range(5)))


def test_a_crowd_is_never_more_often_wrong_than_right() -> None:
    assert Crowd().erring(100) == Crowd(0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
    assert Crowd().erring(0) == PERFECT


def _takes_jointly(boxes: int, opening: str, prior: float, crowd: Crowd = PERFECT) -> dict[str, Any]:
    found = chain_course("entities-fast", Limits(), crowd, boxes, opening, prior)
    return {str(stage): (round(one.items, 6), round(one.judgments, 6)) for stage, one in found.items()}


def test_all_boxes_of_a_chain_take_one_answer_and_one_check() -> None:
    assert _takes_jointly(2, JointStage.BOXES, 0.99) == {"boxes": (1, 1), "check": (1, 1)}
    assert _takes_jointly(0, Stage.REQUIREMENT, 0.4) == {"requirement": (1, 2)}


def test_what_a_prior_says_is_not_asked() -> None:
    """An answer *box* is enough where a box is likely, and a second worker is asked where it is not."""
    likely, unlikely = (_takes_jointly(1, Stage.REQUIREMENT, prior)["requirement"] for prior in (0.77, 0.4))
    assert (likely, unlikely) == ((1, 1), (1, 2))


def test_a_badly_drawn_box_is_drawn_and_checked_again() -> None:
    """A third of the boxes are loose. The others of the same answer are kept, and need no other check."""
    third = Crowd(0, 0, 0, 1 / 3, 0, 0)
    once, again = (_takes_jointly(boxes, JointStage.BOXES, 0.99, third)["boxes"][0] for boxes in (1, 2))
    assert once == pytest.approx(sum((1 / 3) ** n for n in range(5)), abs=1e-3)
    assert once < again < 2 * once

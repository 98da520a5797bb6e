"""What careless workers answer."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import parse_answer
from annotation.domain.geometry import Box, iou
from annotation.domain.protocols import ENTITIES_STAGES
from simulation.carelessness import always_yes, at_random, loose_box
from simulation.profiles import STAGES
from simulation.questions import Question

SIZE = (640, 480)
QUESTION = Question(7, ((0, 0, 5),), SIZE)


@pytest.mark.parametrize("stage", ENTITIES_STAGES)
@pytest.mark.parametrize("size", [SIZE, (3, 3), (12, 900), None])
def test_every_answer_is_one_the_api_takes(stage: str, size: tuple[int, int] | None) -> None:
    question = Question(7, ((0, 0, 5),), size, new_boxes=(Box(0, 0, 3, 3),) * 2)
    answers: list[dict[str, Any]] = [at_random(stage, question, random.Random(n)) for n in range(200)]
    for answer in [*answers, always_yes(stage, question)]:
        parse_answer(stage, answer, size=size, minimum_side=1, new_boxes=2)


@pytest.mark.parametrize(
    ("stage", "choices"),
    [("link", 2), ("verification", 2), ("requirement", 3), ("quality", 2), ("coverage", 2)],
)
def test_random_answers_are_equally_often_of_each_kind(stage: str, choices: int) -> None:
    rng = random.Random(1)
    counts = Counter(str(at_random(stage, QUESTION, rng)) for _ in range(3000))
    assert len(counts) == choices
    assert min(counts.values()) > 3000 / choices * 0.9


def test_always_yes_draws_the_same_box_everywhere() -> None:
    answers = [always_yes("drawing", Question(n, ((0, 0, 5),), SIZE)) for n in range(9)]
    assert answers == [answers[0]] * 9
    assert always_yes("boxes", QUESTION) == {"boxes": [answers[0]]}
    checked = Question(7, ((0, 0, 5),), SIZE, new_boxes=(Box(0, 0, 9, 9), Box(9, 0, 20, 9)))
    assert always_yes("check", checked) == {"boxes": ["good", "good"], "missing": False}
    assert [always_yes(stage, QUESTION) for stage in STAGES if stage != "drawing"] == [
        {"same": True},
        {"same": True},
        {"requirement": "box"},
        {"good": True},
        {"complete": True},
    ]


@given(
    left=st.integers(0, 600),
    top=st.integers(0, 440),
    width=st.integers(20, 640),
    height=st.integers(20, 480),
    seed=st.integers(0, 10_000),
)
def test_a_loose_box_never_meets_the_entity(left: int, top: int, width: int, height: int, seed: int) -> None:
    """Its IoU is below the 0.7 that docs/protocol.md asks of a box on a verification question.

    It is within the image.
    """
    box = Box(min(left, 620), min(top, 460), min(left + width, 640), min(top + height, 480))
    if box.width < 20 or box.height < 20:
        return
    loose = Box(*loose_box({"box": list(box.edges)}, QUESTION, random.Random(seed))["box"])
    assert loose.right <= 640
    assert loose.bottom <= 480
    assert 0 < iou(box, loose) < 0.7


@given(side=st.integers(3, 19), seed=st.integers(0, 1000))
def test_a_loose_box_of_a_few_pixels_still_is_a_box(side: int, seed: int) -> None:
    left, top, right, bottom = loose_box({"box": [0, 0, side, side]}, QUESTION, random.Random(seed))["box"]
    assert right - left >= 3
    assert bottom - top >= 3


def test_who_saw_that_no_box_is_missing_says_so_with_loose_boxes_too() -> None:
    assert loose_box({"box": None}, QUESTION, random.Random(1)) == {"box": None}
    assert loose_box({"none": "done"}, QUESTION, random.Random(1)) == {"none": "done"}


def test_each_of_several_boxes_is_loose() -> None:
    drawn = [Box(10, 10, 110, 210), Box(200, 20, 280, 190)]
    given = {"boxes": [{"box": list(box.edges)} for box in drawn]}
    loose = [Box(*one["box"]) for one in loose_box(given, QUESTION, random.Random(1))["boxes"]]
    assert [iou(*pair) < 0.7 for pair in zip(drawn, loose, strict=True)] == [True, True]

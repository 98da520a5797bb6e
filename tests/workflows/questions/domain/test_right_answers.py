from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    DrawingAnswer,
    LinkAnswer,
    QualityAnswer,
    parse_answer,
)
from annotation.domain.geometry import Box, iou
from workflows.questions.domain.right_answers import (
    SIDE_WHEN_DRAWN,
    drawn_score,
    is_right,
    screen_pixel,
    steady_iou,
)

LEFT, RIGHT = [0, 0, 100, 100], [200, 0, 300, 100]

CHOICES: dict[str, tuple[dict[str, Any], ...]] = {
    "link": ({"same": True}, {"same": False}),
    "verification": ({"same": True}, {"same": False}),
    "requirement": ({"requirement": "box"}, {"requirement": "scene"}, {"requirement": "nobox"}),
    "quality": ({"good": True}, {"good": False}),
    "coverage": ({"complete": True}, {"complete": False}),
}
COORDINATE = st.integers(0, 200)


def _right(stage: str, expected: dict[str, Any], answer: dict[str, Any], box_iou: float = 0.7) -> bool:
    return is_right(stage, expected, parse_answer(stage, answer), box_iou=box_iou)


@pytest.mark.parametrize("stage", CHOICES)
def test_a_choice_is_right_exactly_where_it_is_the_same(stage: str) -> None:
    for expected in CHOICES[stage]:
        for answer in CHOICES[stage]:
            assert _right(stage, expected, answer) == (answer == expected)


@pytest.mark.parametrize(
    ("left", "box", "right"),
    [
        ([LEFT, RIGHT], [0, 0, 100, 100], True),
        ([LEFT, RIGHT], [200, 0, 300, 100], True),  # any of the boxes that are not shown yet
        ([LEFT], [200, 0, 300, 100], False),  # the other box is shown already
        ([LEFT], [0, 0, 70, 100], True),  # IoU 0.7 exactly (protocol, "Quality control")
        ([LEFT], [0, 0, 69, 100], False),
        ([LEFT], None, False),
        ([], None, True),
        ([], [0, 0, 100, 100], False),  # no further box is needed
    ],
)
def test_a_drawn_box_meets_one_that_is_not_shown(
    left: list[list[int]], box: list[int] | None, right: bool
) -> None:
    assert _right("drawing", {"boxes": left}, {"box": box}) is right


def test_the_iou_of_a_drawn_box_is_a_setting() -> None:
    assert _right("drawing", {"boxes": [LEFT]}, {"box": [0, 0, 60, 100]}, box_iou=0.6)
    assert not _right("drawing", {"boxes": [LEFT]}, {"box": [0, 0, 60, 100]}, box_iou=0.61)


@pytest.mark.parametrize(
    ("stage", "expected", "answer"),
    [
        ("drawing", {"boxes": []}, LinkAnswer(True)),
        ("quality", {"good": True}, DrawingAnswer(None)),
        ("quality", {"good": True}, LinkAnswer(True)),
        ("boxes", {"none": "done"}, DrawingAnswer(None)),
        ("check", {"boxes": ["good"], "missing": False}, QualityAnswer(True)),
    ],
)
def test_an_answer_of_another_stage_is_a_mistake_of_ours(
    stage: str, expected: dict[str, Any], answer: Answer
) -> None:
    with pytest.raises(ValueError, match="does not answer"):
        is_right(stage, expected, answer, box_iou=0.7)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, top = draw(COORDINATE), draw(COORDINATE)
    return Box(left, top, left + draw(st.integers(1, 200)), top + draw(st.integers(1, 200)))


@given(st.lists(boxes(), max_size=4), boxes(), st.floats(0.01, 1))
def test_a_box_is_right_where_the_best_iou_reaches_the_mark(
    left: list[Box], drawn: Box, box_iou: float
) -> None:
    expected = {"boxes": [list(box.edges) for box in left]}
    best = max((iou(box, drawn) for box in left), default=0.0)
    assert is_right("drawing", expected, DrawingAnswer(drawn), box_iou=box_iou) == (best >= box_iou)


@given(st.lists(boxes(), min_size=1, max_size=4), st.floats(0, 1), st.randoms())
def test_every_box_that_is_left_is_right_and_none_is_not(left: list[Box], box_iou: float, rng: Any) -> None:
    expected = {"boxes": [list(box.edges) for box in left]}
    assert is_right("drawing", expected, DrawingAnswer(rng.choice(left)), box_iou=box_iou)
    assert not is_right("drawing", expected, DrawingAnswer(None), box_iou=box_iou)


def test_box_quality_is_a_choice() -> None:
    assert is_right("quality", {"good": False}, QualityAnswer(False), box_iou=0.7)


def test_a_hand_that_is_off_by_a_pixel_of_the_screen_is_right() -> None:
    """28 pixels on 12 megapixels, and each edge off by less than a pixel of the screen: the IoU is 0.62."""
    known, drawn = [1000, 1000, 1028, 1028], [1003, 1003, 1025, 1025]
    assert not _right("drawing", {"boxes": [known]}, {"box": drawn})
    assert _right("drawing", {"boxes": [known]}, {"box": drawn, "scale": 0.25})
    assert not _right("drawing", {"boxes": [known]}, {"box": drawn, "scale": 4})  # could have aimed better


@pytest.mark.parametrize(
    ("side", "scale", "most"),
    [(28, None, 0), (28, 1.0, 1), (28, 0.01, 28 / 24), (8, 16.0, 1 / 16), (2400, 0.2, 5), (24, 1e-300, 1)],
)
def test_an_edge_may_be_off_by_a_screen_pixel_but_never_by_much_of_the_side(
    side: int, scale: float | None, most: float
) -> None:
    assert screen_pixel(side, scale) == pytest.approx(most)


@given(boxes(), boxes(), st.floats(1e-9, 100))
def test_whatever_scale_is_sent_a_box_far_off_stays_wrong(known: Box, drawn: Box, scale: float) -> None:
    real = iou(known, drawn)
    assert real <= steady_iou(drawn, known, scale) + 1e-9
    if real < 0.55:
        assert steady_iou(drawn, known, scale) < 0.7


@given(boxes(), boxes())
def test_without_a_scale_the_iou_is_as_it_is(known: Box, drawn: Box) -> None:
    assert steady_iou(drawn, known, None) == pytest.approx(iou(known, drawn))


def test_the_pages_come_closer_until_a_box_is_as_large_as_the_rule_says() -> None:
    page = (Path(__file__).parents[4] / "frontend/src/geometry/box.ts").read_text()
    assert f"MIN_DRAWN = {SIDE_WHEN_DRAWN};" in page


def _drawn(*boxes: list[int], **more: Any) -> dict[str, Any]:
    return {"boxes": [{"box": box, **more} for box in boxes]}


MIDDLE, FAR = [100, 300, 200, 400], [400, 300, 500, 400]


@pytest.mark.parametrize(
    ("known", "answer", "score"),
    [
        ([LEFT, RIGHT], _drawn(RIGHT, LEFT), 1),
        ([LEFT, RIGHT], _drawn([0, 0, 70, 100], RIGHT), 1),  # an IoU of 0.7, as in box drawing
        ([LEFT, RIGHT], _drawn([0, 0, 69, 100], RIGHT), 1 / 2),
        ([LEFT, RIGHT], _drawn(LEFT), 2 / 3),
        ([LEFT], _drawn(LEFT, RIGHT), 2 / 3),
        ([LEFT], _drawn(LEFT, [0, 0, 99, 100]), 2 / 3),  # the same once more
        ([LEFT, RIGHT, MIDDLE], _drawn(LEFT, RIGHT), 4 / 5),
        ([LEFT, RIGHT, MIDDLE, FAR], _drawn(LEFT, RIGHT, MIDDLE, [0, 300, 90, 400]), 3 / 4),
        ([LEFT], {"none": "done"}, 0),
        (None, {"none": "done"}, 1),
        (None, {"none": "scene"}, 0),
        (None, _drawn(LEFT), 0),
    ],
)
def test_all_missing_boxes_are_scored_by_f1(
    known: list[list[int]] | None, answer: dict[str, Any], score: float
) -> None:
    expected = {"none": "done"} if known is None else {"boxes": known}
    given_answer = parse_answer("boxes", answer)
    assert isinstance(given_answer, BoxesAnswer)
    assert drawn_score(expected, given_answer, box_iou=0.7) == pytest.approx(score)
    assert _right("boxes", expected, answer) is (score >= 0.8)


def test_small_boxes_drawn_at_once_may_be_off_by_a_pixel_of_the_screen_too() -> None:
    known, drawn = [1000, 1000, 1028, 1028], [1003, 1003, 1025, 1025]
    assert not _right("boxes", {"boxes": [known]}, _drawn(drawn))
    assert _right("boxes", {"boxes": [known]}, _drawn(drawn, scale=0.25))


@given(st.lists(boxes(), min_size=1, max_size=5, unique=True), st.randoms())
def test_the_known_boxes_in_any_order_have_the_full_score(known: list[Box], rng: Any) -> None:
    answer = BoxesAnswer(tuple(rng.sample(known, len(known))))
    assert drawn_score({"boxes": [list(box.edges) for box in known]}, answer, box_iou=0.7) == 1


@pytest.mark.parametrize(
    ("boxes", "missing", "right"),
    [
        (["good", "loose"], False, True),
        (["good", "cut"], False, True),  # in which way it is bad may be a matter of opinion
        (["good", "loose"], True, True),  # another box is needed in either case
        (["good", "wrong"], True, True),
        (["good", "wrong"], False, False),  # but then the chain would count as complete
        (["good", "good"], False, False),
        (["good", "good"], True, False),
        (["loose", "good"], False, False),
        (["loose", "loose"], False, False),
    ],
)
def test_a_joint_check_is_right_if_it_leads_to_the_same(boxes: list[str], missing: bool, right: bool) -> None:
    expected = {"boxes": ["good", "loose"], "missing": False}
    assert _right("check", expected, {"boxes": boxes, "missing": missing}) is right


def test_whether_something_is_missing_counts_as_well() -> None:
    for missing in (False, True):
        expected = {"boxes": ["good"], "missing": missing}
        assert _right("check", expected, {"boxes": ["good"], "missing": missing})
        assert not _right("check", expected, {"boxes": ["good"], "missing": not missing})
    double = {"boxes": ["double"], "missing": False}
    assert _right("check", double, {"boxes": ["wrong"], "missing": False})
    assert not _right("check", double, {"boxes": ["cut"], "missing": False})

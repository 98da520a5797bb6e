from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import (
    Answer,
    AnswerError,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    CoverageAnswer,
    DrawingAnswer,
    JointStage,
    LinkAnswer,
    NoBoxes,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
    VerificationAnswer,
    parse_answer,
    to_json,
)
from annotation.domain.geometry import Box

GOOD: list[tuple[Stage, dict[str, Any], Answer]] = [
    (Stage.LINK, {"same": True}, LinkAnswer(True)),
    (Stage.LINK, {"same": False}, LinkAnswer(False)),
    (Stage.VERIFICATION, {"same": True}, VerificationAnswer(True)),
    (Stage.VERIFICATION, {"same": False}, VerificationAnswer(False)),
    (Stage.REQUIREMENT, {"requirement": "box"}, RequirementAnswer(Requirement.BOX)),
    (Stage.REQUIREMENT, {"requirement": "scene"}, RequirementAnswer(Requirement.SCENE)),
    (Stage.REQUIREMENT, {"requirement": "nobox"}, RequirementAnswer(Requirement.NOBOX)),
    (Stage.DRAWING, {"box": [1, 2, 30, 40]}, DrawingAnswer(Box(1, 2, 30, 40))),
    (Stage.DRAWING, {"box": None}, DrawingAnswer(None)),
    (Stage.QUALITY, {"good": True}, QualityAnswer(True)),
    (Stage.QUALITY, {"good": False}, QualityAnswer(False)),
    (Stage.COVERAGE, {"complete": True}, CoverageAnswer(True)),
    (Stage.COVERAGE, {"complete": False}, CoverageAnswer(False)),
]
FIELD = {
    Stage.LINK: "same",
    Stage.VERIFICATION: "same",
    Stage.REQUIREMENT: "requirement",
    Stage.DRAWING: "box",
    Stage.QUALITY: "good",
    Stage.COVERAGE: "complete",
}


def refusal(stage: str, data: object, **limits: Any) -> AnswerError:
    with pytest.raises(AnswerError) as caught:
        parse_answer(stage, data, **limits)
    return caught.value


@pytest.mark.parametrize(("stage", "data", "answer"), GOOD)
def test_every_answer_of_every_stage_is_read_and_written_back(
    stage: Stage, data: dict[str, Any], answer: Answer
) -> None:
    assert parse_answer(stage, data, size=(100, 100)) == answer
    assert parse_answer(str(stage), data) == answer
    assert to_json(answer) == data


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("data", [None, [], "yes", 1, True])
def test_an_answer_that_is_no_object_is_refused_with_an_example(stage: Stage, data: object) -> None:
    error = refusal(stage, data)
    assert error.field == ""
    assert f'"{FIELD[stage]}"' in str(error)


@pytest.mark.parametrize("stage", Stage)
def test_a_missing_field_is_named(stage: Stage) -> None:
    error = refusal(stage, {})
    assert (error.field, str(error)) == (FIELD[stage], "is missing")


@pytest.mark.parametrize(("stage", "data", "answer"), GOOD)
def test_a_field_too_many_is_named(stage: Stage, data: dict[str, Any], answer: Answer) -> None:
    assert refusal(stage, {**data, "gold": True}).field == "gold"
    assert refusal(stage, {**data, "x" * 500: 1}).field == "x" * 40, "a field as long as a page is cut"


@pytest.mark.parametrize("stage", [s for s in Stage if s not in (Stage.REQUIREMENT, Stage.DRAWING)])
@pytest.mark.parametrize("value", [None, 0, 1, "true", "yes", [], {}, [True]])
def test_yes_and_no_are_true_and_false_and_nothing_else(stage: Stage, value: object) -> None:
    error = refusal(stage, {FIELD[stage]: value})
    assert (error.field, str(error)) == (FIELD[stage], "must be true or false")


@pytest.mark.parametrize(
    "value", [None, True, 1, "", "BOX", "no box", "nobndbox", [], ["box"], {}, {"box": 1}]
)
def test_a_requirement_is_one_of_three_words(value: object) -> None:
    error = refusal(Stage.REQUIREMENT, {"requirement": value})
    assert error.field == "requirement"
    assert "box, scene, nobox" in str(error)


@pytest.mark.parametrize(
    "value",
    [
        True,
        0,
        "1,2,3,4",
        {},
        {"left": 1},
        [],
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        [[1, 2, 3, 4]],
        [None, 2, 3, 4],
        ["1", 2, 3, 4],
        [False, False, True, True],
        [0, 0, 10, float("nan")],
    ],
)
def test_a_box_is_null_or_four_numbers(value: object) -> None:
    error = refusal(Stage.DRAWING, {"box": value}, size=(100, 100))
    assert (error.field, str(error)) == ("box", "must be null or four numbers: left, top, right, bottom")


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), 1e300, 1_000_001, -1_000_001, 10**400])
def test_a_coordinate_beyond_any_image_is_refused(number: float) -> None:
    for place in range(4):
        box: list[float] = [0, 0, 10, 10]
        box[place] = number
        error = refusal(Stage.DRAWING, {"box": box}, size=(100, 100))
        assert (error.field, str(error)) == ("box", "has a coordinate beyond any image")


@pytest.mark.parametrize(
    "box", [[5, 5, 5, 9], [5, 5, 9, 5], [9, 5, 5, 9], [5, 9, 9, 5], [5, 5, 5.4, 9], [4.6, 5, 5.4, 9]]
)
def test_a_box_that_is_empty_after_rounding_is_refused(box: list[float]) -> None:
    error = refusal(Stage.DRAWING, {"box": box}, size=(100, 100))
    assert error.field == "box"
    assert "is empty" in str(error)


@pytest.mark.parametrize(
    ("drawn", "kept"),
    [
        ([0.4, 0.5, 10.49, 10.5], Box(0, 1, 10, 11)),  # halves go up, on every edge alike
        ([1.5, 2.5, 3.5, 4.5], Box(2, 3, 4, 5)),  # not to the even number, as round() does
        ([-0.5, -0.4, 5, 5], Box(0, 0, 5, 5)),
    ],
)
def test_coordinates_are_rounded_to_the_nearest_pixel_edge(drawn: list[float], kept: Box) -> None:
    assert parse_answer(Stage.DRAWING, {"box": drawn}, size=(100, 100)) == DrawingAnswer(kept)


@pytest.mark.parametrize(
    ("drawn", "kept"),
    [
        ([-7, -3, 20, 30], Box(0, 0, 20, 30)),
        ([70, 40, 130, 66], Box(70, 40, 100, 50)),
        ([-1, -1, 101, 51], Box(0, 0, 100, 50)),
        ([0, 0, 100, 50], Box(0, 0, 100, 50)),
    ],
)
def test_a_box_is_clipped_to_the_image(drawn: list[float], kept: Box) -> None:
    assert parse_answer(Stage.DRAWING, {"box": drawn}, size=(100, 50)) == DrawingAnswer(kept)


@pytest.mark.parametrize("box", [[100, 0, 110, 10], [-9, 0, 0, 9], [0, 50, 9, 60], [0, -9, 9, 0]])
def test_a_box_outside_the_image_is_refused(box: list[float]) -> None:
    assert str(refusal(Stage.DRAWING, {"box": box}, size=(100, 50))) == "lies outside the image"


def test_without_a_size_only_the_upper_left_is_clipped() -> None:
    assert parse_answer(Stage.DRAWING, {"box": [-5, -5, 9000, 9000]}) == DrawingAnswer(Box(0, 0, 9000, 9000))
    assert str(refusal(Stage.DRAWING, {"box": [-5, -5, 0, 4]})) == "lies outside the image"


@pytest.mark.parametrize("box", [[0, 0, 2, 9], [0, 0, 9, 2], [-7, 0, 2, 9], [98, 0, 120, 9]])
def test_a_box_below_the_minimum_side_is_refused_as_it_would_be_kept(box: list[float]) -> None:
    error = refusal(Stage.DRAWING, {"box": box}, size=(100, 50), minimum_side=3)
    assert (error.field, str(error)) == ("box", "is smaller than 3 pixels a side")


def test_a_box_of_exactly_the_minimum_side_is_kept() -> None:
    answer = parse_answer(Stage.DRAWING, {"box": [97, 47, 100, 50]}, size=(100, 50), minimum_side=3)
    assert answer == DrawingAnswer(Box(97, 47, 100, 50))


def test_no_box_is_an_answer_whatever_the_minimum_side() -> None:
    assert parse_answer(Stage.DRAWING, {"box": None}, size=(2, 2), minimum_side=50) == DrawingAnswer(None)


def test_an_unknown_stage_is_refused() -> None:
    assert "there is no stage 'guess'" in str(refusal("guess", {"same": True}))
    assert "object" in str(refusal("guess", None))


numbers = st.one_of(st.integers(-150, 250), st.floats(-150, 250))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(numbers, min_size=4, max_size=4), st.integers(1, 200), st.integers(1, 200), st.integers(1, 9))
def test_a_drawn_box_lies_in_the_image_or_is_refused(
    box: list[float], width: int, height: int, side: int
) -> None:
    try:
        answer = parse_answer(Stage.DRAWING, {"box": box}, size=(width, height), minimum_side=side)
    except AnswerError:
        return
    assert isinstance(answer, DrawingAnswer)
    kept = answer.box
    assert kept is not None
    assert kept.right <= width and kept.bottom <= height
    assert min(kept.width, kept.height) >= side
    stored = json.loads(json.dumps(to_json(answer)))
    assert parse_answer(Stage.DRAWING, stored, size=(width, height), minimum_side=side) == answer


@given(st.sampled_from(Stage), json_values, st.booleans())
def test_whatever_json_comes_is_an_answer_or_an_answer_error(stage: Stage, value: Any, wrapped: bool) -> None:
    data = {FIELD[stage]: value} if wrapped else value
    try:
        answer = parse_answer(stage, data, size=(100, 100))
    except AnswerError:
        return
    assert parse_answer(stage, to_json(answer), size=(100, 100)) == answer


def test_a_box_keeps_the_scale_at_which_it_was_drawn_and_is_the_same_answer_at_another() -> None:
    given = {"box": [1, 2, 30, 40], "scale": 0.25}
    answer = parse_answer(Stage.DRAWING, given, size=(4000, 3000))
    assert to_json(answer) == given
    assert answer == DrawingAnswer(Box(1, 2, 30, 40))


@pytest.mark.parametrize(
    ("sent", "kept"), [(1e-9, 0.05), (0.04, 0.05), (0.05, 0.05), (16, 16), (1e9, 100), (1, 1)]
)
def test_a_scale_that_no_screen_has_becomes_the_nearest_one(sent: float, kept: float) -> None:
    answer = parse_answer(Stage.DRAWING, {"box": [0, 0, 9, 9], "scale": sent}, size=(3000, 4000))
    assert isinstance(answer, DrawingAnswer)
    assert answer.scale == kept


@pytest.mark.parametrize("scale", [0, -1, True, "1", None, math.inf, -math.inf, math.nan, [1]])
def test_a_scale_is_a_number_above_0(scale: object) -> None:
    error = refusal(Stage.DRAWING, {"box": [0, 0, 9, 9], "scale": scale}, size=(100, 100))
    assert error.field == "scale"


def test_no_box_has_no_scale() -> None:
    assert refusal(Stage.DRAWING, {"box": None, "scale": 1}).field == "scale"


JOINT: list[tuple[JointStage, dict[str, Any], Answer]] = [
    (
        JointStage.BOXES,
        {"boxes": [{"box": [1, 2, 30, 40], "scale": 2.5}, {"box": [5, 6, 70, 80]}]},
        BoxesAnswer((Box(1, 2, 30, 40), Box(5, 6, 70, 80)), scales=(2.5, None)),
    ),
    *((JointStage.BOXES, {"none": reason.value}, BoxesAnswer(none=reason)) for reason in NoBoxes),
    (JointStage.CHECK, {"boxes": ["good"], "missing": False}, CheckAnswer((BoxJudgment.GOOD,), False)),
    (
        JointStage.CHECK,
        {"boxes": [one.value for one in BoxJudgment], "missing": True, "point": [7, 8]},
        CheckAnswer(tuple(BoxJudgment), True, (7, 8)),
    ),
    (JointStage.CHECK, {"boxes": [], "missing": True}, CheckAnswer((), True)),
]


@pytest.mark.parametrize(("stage", "data", "answer"), JOINT)
def test_answers_about_all_boxes_of_a_chain_are_read_and_written_back(
    stage: JointStage, data: dict[str, Any], answer: Answer
) -> None:
    found = parse_answer(stage, data, size=(100, 100))
    assert found == answer
    assert to_json(found) == to_json(answer) == data


@pytest.mark.parametrize(
    ("stage", "data", "field", "message"),
    [
        (JointStage.BOXES, {}, "boxes", "is missing"),
        (JointStage.BOXES, {"boxes": [1], "none": "done"}, "boxes", "is not part of this answer"),
        (JointStage.BOXES, {"boxes": []}, "boxes", "must have a box"),
        (JointStage.BOXES, {"boxes": {}}, "boxes", "must be a list"),
        (JointStage.BOXES, {"boxes": [{}] * 101}, "boxes", "has 101 boxes; an answer has at most 100"),
        (JointStage.BOXES, {"boxes": [3]}, "boxes[0]", "an answer is an object"),
        (JointStage.BOXES, {"boxes": [{"box": None}]}, "boxes[0].box", "must be four numbers"),
        (JointStage.BOXES, {"boxes": [{"box": [9, 9, 1, 1]}]}, "boxes[0].box", "is empty"),
        (JointStage.BOXES, {"boxes": [{"box": [0, 0, 2, 9]}]}, "boxes[0].box", "is smaller than 3 pixels"),
        (
            JointStage.BOXES,
            {"boxes": [{"box": [0, 0, 9, 9]}, {"box": [-4, -4, 9, 9]}]},
            "boxes[1].box",
            "is there twice",
        ),
        (JointStage.BOXES, {"boxes": [{"box": [0, 0, 9, 9], "scale": 0}]}, "boxes[0].scale", "above 0"),
        (JointStage.BOXES, {"none": "tired"}, "none", "must be one of scene, nobox, done"),
        (JointStage.BOXES, {"none": []}, "none", "must be one of scene, nobox, done"),
        (JointStage.CHECK, {}, "boxes", "is missing"),
        (JointStage.CHECK, {"boxes": ["good"]}, "missing", "must be true or false"),
        (JointStage.CHECK, {"boxes": ["good"], "missing": False, "x": 1}, "x", "is not part of this answer"),
        (
            JointStage.CHECK,
            {"boxes": ["good", "fine"], "missing": False},
            "boxes[1]",
            "must be one of good, loose",
        ),
        (JointStage.CHECK, {"boxes": [], "missing": False}, "boxes", "each of the 2 new boxes"),
        (JointStage.CHECK, {"boxes": ["good"] * 3, "missing": False}, "boxes", "each of the 2 new boxes"),
        (
            JointStage.CHECK,
            {"boxes": ["good", "cut"], "missing": False, "point": [1, 1]},
            "point",
            "nothing is",
        ),
        (JointStage.CHECK, {"boxes": ["good", "cut"], "missing": True, "point": [1]}, "point", "two numbers"),
        (
            JointStage.CHECK,
            {"boxes": ["good", "cut"], "missing": True, "point": [1e9, 1]},
            "point",
            "beyond any image",
        ),
    ],
)
def test_a_wrong_answer_about_all_boxes_is_refused_with_its_field(
    stage: JointStage, data: dict[str, Any], field: str, message: str
) -> None:
    new_boxes = 2 if len(data.get("boxes", ())) != 1 else 1
    error = refusal(stage, data, size=(100, 100), minimum_side=3, new_boxes=new_boxes)
    assert error.field == field
    assert message in str(error)


def test_a_point_beyond_the_edge_is_moved_to_the_edge() -> None:
    data = {"boxes": [], "missing": True, "point": [-3.5, 250]}
    found = parse_answer(JointStage.CHECK, data, size=(100, 80))
    assert isinstance(found, CheckAnswer)
    assert found.point == (0, 79)


def test_boxes_and_a_reason_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="boxes, or a reason"):
        BoxesAnswer()
    with pytest.raises(ValueError, match="boxes, or a reason"):
        BoxesAnswer((Box(0, 0, 9, 9),), NoBoxes.DONE)


@given(st.sampled_from(JointStage), json_values, st.sampled_from(["boxes", "none", "missing", "point"]))
def test_whatever_json_comes_to_a_joint_stage_is_an_answer_or_an_answer_error(
    stage: JointStage, value: Any, name: str
) -> None:
    sound = {"boxes": ["good"], "missing": True} if stage == JointStage.CHECK else {}
    for data in (value, {**sound, name: value}, {"boxes": [{"box": value}]}, {"boxes": [value]}):
        try:
            answer = parse_answer(stage, data, size=(100, 100))
        except AnswerError:
            continue
        assert parse_answer(stage, to_json(answer)) == answer


def test_boxes_may_say_which_suggestion_they_are_from() -> None:
    given = {"boxes": [{"box": [1, 2, 30, 40], "suggestion": 4}, {"box": [5, 6, 30, 40], "scale": 2.0}]}
    answer = parse_answer("boxes", given)
    assert isinstance(answer, BoxesAnswer) and answer.suggestions == (4, None)
    assert to_json(answer) == given and parse_answer("boxes", to_json(answer)) == answer
    drawn = parse_answer("boxes", {"boxes": [{"box": one["box"]} for one in given["boxes"]]})
    assert drawn == answer, "the same boxes are the same answer"
    assert to_json(BoxesAnswer(answer.boxes)) == {"boxes": [{"box": [1, 2, 30, 40]}, {"box": [5, 6, 30, 40]}]}


@pytest.mark.parametrize("suggestion", [-1, 100, 1.0, True, "1", None, [1], float("nan")])
def test_a_suggestion_is_named_by_its_place(suggestion: object) -> None:
    with pytest.raises(AnswerError, match="must be a whole number from 0 to 99") as caught:
        parse_answer("boxes", {"boxes": [{"box": [1, 2, 30, 40], "suggestion": suggestion}]})
    assert caught.value.field == "boxes[0].suggestion"


@pytest.mark.parametrize(
    ("shown", "said"), [(1, "a whole number from 0 to 0"), (0, "left out: none was shown")]
)
def test_only_a_suggestion_that_was_shown_can_be_named(shown: int, said: str) -> None:
    with pytest.raises(AnswerError, match=said):
        parse_answer("boxes", {"boxes": [{"box": [1, 2, 3, 4], "suggestion": 1}]}, suggestions=shown)


def test_two_boxes_are_not_from_one_suggestion() -> None:
    twice = [{"box": [1, 2, 30, 40], "suggestion": 1}, {"box": [2, 2, 30, 40], "suggestion": 1}]
    with pytest.raises(AnswerError, match="is that of another box, too"):
        parse_answer("boxes", {"boxes": twice}, suggestions=2)


def test_one_box_may_say_which_suggestion_it_is_from() -> None:
    given = {"box": [1, 2, 30, 40], "scale": 2.0, "suggestion": 4}
    answer = parse_answer("drawing", given)
    assert isinstance(answer, DrawingAnswer) and answer.suggestion == 4
    assert to_json(answer) == given
    assert answer == parse_answer("drawing", {"box": [1, 2, 30, 40]}), "the same box is the same answer"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"box": [1, 2, 3, 4], "suggestion": 2}, "must be a whole number from 0 to 1"),
        ({"box": [1, 2, 3, 4], "suggestion": "0"}, "must be a whole number from 0 to 1"),
        ({"box": None, "suggestion": 0}, "belongs to a box, and there is none"),
    ],
)
def test_one_box_names_a_suggestion_that_was_shown(data: dict[str, Any], said: str) -> None:
    with pytest.raises(AnswerError, match=said) as caught:
        parse_answer("drawing", data, suggestions=2)
    assert caught.value.field == "suggestion"


def test_other_stages_know_no_suggestions() -> None:
    with pytest.raises(AnswerError, match="is not part of this answer"):
        parse_answer("quality", {"good": True, "suggestion": 0}, suggestions=1)

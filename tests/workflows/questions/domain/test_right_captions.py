"""When answers of campaigns to verification questions are right."""

from __future__ import annotations

import pytest

from annotation.domain.answers import (
    CampaignStage,
    CaptionCheckAnswer,
    CaptionJudgment,
    GradingAnswer,
    RelevanceAnswer,
    WritingAnswer,
    to_json,
)
from workflows.questions.domain.right_answers import is_right

WRITING, CHECK, GRADING, RELEVANCE = CampaignStage
RIGHT, MINOR, WRONG = CaptionJudgment


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("A man rides a horse.", True),
        ("a  man rides a horse", True),
        ("A man is riding a horse .", True),
        ("A man rides a horse!", True),
        ("A man ride a horse.", False),
        ("A Man rides a horse.", False),
        ("", False),
    ],
)
def test_a_sentence_is_corrected_whatever_its_spaces_first_letter_and_final_mark(
    written: str, right: bool
) -> None:
    known = {"captions": ["A man rides a horse.", "A man is riding a horse."]}
    assert is_right(WRITING, known, WritingAnswer(written), box_iou=0.7) is right


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("Dogs run.", True),
        ("The dogs ran", True),
        ("the  dogs run.", True),
        ("A dogs run.", False),
        ("The dogs runran.", False),
        ("(|The) dogs (run|ran).", False),
    ],
)
def test_a_correction_may_have_alternatives(written: str, right: bool) -> None:
    known = {"captions": ["(|The) dogs (run|ran)."]}
    assert is_right(WRITING, known, WritingAnswer(written), box_iou=0.7) is right
    unbalanced = {"captions": ["He sat (on|in|."]}
    assert not is_right(WRITING, unbalanced, WritingAnswer("in"), box_iou=0.7), "no group, so it is literal"
    literal = {"captions": ["A man (left) rides."]}
    assert is_right(WRITING, literal, WritingAnswer("A man (left) rides."), box_iou=0.7)


def test_the_shape_of_an_apostrophe_is_of_no_matter() -> None:
    known = {"captions": ["The dog's ball, which is red, rolls."]}
    assert is_right(WRITING, known, WritingAnswer("The dog’s ball , which is red , rolls ."), box_iou=0.7)


def test_minor_errors_are_right_for_a_caption_without_errors_and_not_for_a_wrong_one() -> None:
    right = {
        (known, said): is_right(CHECK, {"caption": known}, CaptionCheckAnswer(said), box_iou=0.7)
        for known in (RIGHT, WRONG)
        for said in CaptionJudgment
    }
    assert [said for (known, said), fits in right.items() if known is RIGHT and fits] == [RIGHT, MINOR]
    assert [said for (known, said), fits in right.items() if known is WRONG and fits] == [WRONG]


@pytest.mark.parametrize(("known", "right"), [(1, {1, 2}), (2, {1, 2, 3}), (3, {2, 3, 4}), (4, {3, 4})])
def test_a_grade_may_be_one_off_and_cross_the_border_only_from_beside_it(known: int, right: set[int]) -> None:
    given = {n for n in range(1, 5) if is_right(GRADING, {"grade": known}, GradingAnswer(n), box_iou=0.7)}
    assert given == right


CONTROL = (True, True, *[False] * 8)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ((), True),
        ((0,), True),  # half of its own and none of the others: .75
        ((2, 3, 4, 5), True),  # all of its own and half of the others: .75
        ((2, 3, 4, 5, 6), False),
        ((0, 2), False),
        ((0, 1), False),
    ],
)
def test_the_balanced_accuracy_of_a_control_must_be_three_quarters(
    wrong: tuple[int, ...], right: bool
) -> None:
    given = tuple(one != (place in wrong) for place, one in enumerate(CONTROL))
    known = to_json(RelevanceAnswer(CONTROL))
    assert is_right(RELEVANCE, known, RelevanceAnswer(given), box_iou=0.7) is right


def test_one_answer_to_all_captions_is_wrong_unless_it_is_right_for_all() -> None:
    nothing, everything = (False,) * 10, (True,) * 10
    known = to_json(RelevanceAnswer(CONTROL))
    assert not is_right(RELEVANCE, known, RelevanceAnswer(nothing), box_iou=0.7), "80% of it is right"
    assert not is_right(RELEVANCE, known, RelevanceAnswer(everything), box_iou=0.7)
    assert is_right(RELEVANCE, to_json(RelevanceAnswer(nothing)), RelevanceAnswer(nothing), box_iou=0.7)
    assert is_right(RELEVANCE, to_json(RelevanceAnswer(everything)), RelevanceAnswer(everything), box_iou=0.7)


def test_an_answer_about_fewer_captions_is_wrong() -> None:
    assert not is_right(RELEVANCE, to_json(RelevanceAnswer(CONTROL)), RelevanceAnswer((True,)), box_iou=0.7)

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.geometry import Box
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.questions.domain.caption_questions import CaptionQuestion
from workflows.questions.domain.handwritten import check_caption_question, check_question, mixed
from workflows.questions.domain.known_images import QuestionError

MAN, BOY, GIRL, BALL = (
    mention(1, 0, "people", "a man"),
    mention(2, 1, "people", "a boy"),
    mention(3, 1, "people", "a girl"),
    mention(4, 2, "other", "a ball"),
)
BOX = [10, 10, 60, 90]
GOOD: dict[str, dict[str, Any]] = {
    "link": {"mentions": [BOY, MAN], "answer": {"same": True}},
    "verification": {"mentions": [GIRL, MAN, BOY], "answer": {"same": False}},
    "requirement": {"mentions": [MAN], "answer": {"requirement": "box"}},
    "drawing": {"mentions": [MAN], "boxes": [BOX], "answer": {"boxes": [[200, 10, 300, 90]]}},
    "quality": {"mentions": [MAN], "box": BOX, "answer": {"good": True}},
    "coverage": {"mentions": [MAN], "boxes": [BOX], "answer": {"complete": False}},
    "boxes": {"mentions": [MAN], "answer": {"boxes": [[10, 10, 60, 90], [200, 10, 300, 90]]}},
    "check": {"mentions": [MAN], "new_boxes": [BOX], "answer": {"boxes": ["loose"], "missing": True}},
}


def _check(stage: str, **changes: Any) -> Any:
    given = {"role": "gold", "boxes": [], "box": None, "explanation": "", **GOOD.get(stage, GOOD["link"])}
    return check_question(stage=stage, size=(640, 480), minimum_side=3, **{**given, **changes})


@pytest.mark.parametrize("stage", GOOD)
def test_a_good_question_of_a_stage_is_taken(stage: str) -> None:
    question = _check(stage)
    assert question.answer == GOOD[stage]["answer"]
    assert question.mentions == tuple(sorted(one.id for one in GOOD[stage]["mentions"]))
    assert question.boxes == tuple(Box(*edges) for edges in GOOD[stage].get("boxes", ()))
    assert question.new_boxes == tuple(Box(*edges) for edges in GOOD[stage].get("new_boxes", ()))


def test_no_further_box_is_an_answer() -> None:
    assert _check("drawing", answer={"boxes": []}).answer == {"boxes": []}
    assert _check("boxes", boxes=[BOX], answer={"none": "done"}).answer == {"none": "done"}
    assert _check("boxes", answer={"none": "scene"}).answer == {"none": "scene"}


def test_a_check_may_be_about_accepted_boxes_alone() -> None:
    answer = {"boxes": [], "missing": True}
    assert _check("check", new_boxes=[], boxes=[BOX], answer=answer).answer == answer


@pytest.mark.parametrize(
    ("stage", "changes", "field", "why"),
    [
        ("exam", {}, "stage", "is not one of link"),
        ("link", {"role": "exam"}, "role", "is not one of gold, test, training"),
        ("link", {"role": "training"}, "explanation", "is needed for training"),
        ("link", {"explanation": "x" * 1001}, "explanation", "longer than 1000"),
        ("link", {"mentions": [MAN]}, "mentions", "between two"),
        ("link", {"mentions": [MAN, MAN]}, "mentions", "given twice"),
        ("link", {"mentions": [BOY, GIRL]}, "mentions", "two captions"),
        ("link", {"mentions": [MAN, BALL]}, "mentions", "a common type"),
        ("verification", {"mentions": [MAN]}, "mentions", "must be 2 to 100"),
        ("requirement", {"mentions": [MAN, BOY]}, "mentions", "about one mention"),
        ("link", {"boxes": [BOX]}, "boxes", "are not shown in link"),
        ("coverage", {"boxes": []}, "boxes", "only after a box"),
        ("coverage", {"boxes": [BOX, BOX]}, "boxes", "given twice"),
        ("coverage", {"boxes": "all"}, "boxes", "must be a list"),
        ("coverage", {"boxes": [BOX] * 51}, "boxes", "up to 50"),
        ("coverage", {"boxes": [[0, 0, 5]]}, "boxes", "four whole numbers"),
        ("coverage", {"boxes": [[0, 0, 5.5, 5]]}, "boxes", "four whole numbers"),
        ("coverage", {"boxes": [[0, 0, True, 5]]}, "boxes", "four whole numbers"),
        ("coverage", {"boxes": [[-1, 0, 5, 5]]}, "boxes", "begins outside"),
        ("coverage", {"boxes": [[5, 0, 5, 5]]}, "boxes", "is empty"),
        ("coverage", {"boxes": [[0, 0, 641, 5]]}, "boxes", "beyond the image of 640 x 480"),
        ("coverage", {"boxes": [[0, 0, 2, 5]]}, "boxes", "smaller than 3 pixels"),
        ("quality", {"box": None}, "box", "is missing"),
        ("coverage", {"box": BOX}, "box", "is not part of coverage"),
        ("quality", {"box": [0, 0, 641, 5]}, "box", "beyond the image"),
        ("link", {"answer": {"same": "yes"}}, "answer.same", "must be true or false"),
        ("link", {"answer": {}}, "answer.same", "is missing"),
        ("link", {"answer": []}, "answer", "an answer is an object"),
        ("requirement", {"answer": {"requirement": "maybe"}}, "answer.requirement", "one of box, scene"),
        ("drawing", {"answer": {"box": None}}, "answer", "must be"),
        ("drawing", {"answer": {"boxes": None}}, "answer.boxes", "must be a list"),
        ("drawing", {"answer": {"boxes": [BOX]}}, "answer.boxes", "is shown already"),
        ("boxes", {"boxes": [BOX]}, "answer.boxes", "is shown already"),
        ("boxes", {"answer": {"boxes": []}}, "answer.boxes", "say why there is none"),
        ("boxes", {"answer": {"none": "tired"}}, "answer.none", "one of scene, nobox, done"),
        ("boxes", {"answer": {"none": "done"}}, "answer.none", "no box is shown"),
        ("boxes", {"new_boxes": [BOX]}, "new_boxes", "are not part of boxes"),
        ("check", {"new_boxes": []}, "new_boxes", "are missing"),
        ("check", {"new_boxes": [[0, 0, 641, 5]]}, "new_boxes", "beyond the image"),
        ("check", {"answer": {"boxes": [], "missing": False}}, "answer.boxes", "each of the 1 new boxes"),
        ("check", {"answer": {"boxes": ["fine"], "missing": False}}, "answer.boxes[0]", "one of good, loose"),
        ("check", {"answer": {"boxes": ["good"]}}, "answer.missing", "must be true or false"),
    ],
)
def test_what_is_wrong_is_named(stage: str, changes: dict[str, Any], field: str, why: str) -> None:
    with pytest.raises(QuestionError, match=why) as caught:
        _check(stage, **changes)
    assert caught.value.field == field


def caption(**changes: Any) -> CaptionQuestion:
    given: dict[str, Any] = {
        "stage": "caption_check",
        "role": "gold",
        "captions": [" A dog . "],
        "answer": {"caption": "right"},
        "explanation": "",
    }
    return check_caption_question(**(given | changes))


def test_a_caption_is_kept_without_spaces_around_it() -> None:
    assert (caption().captions, caption().answer) == (("A dog .",), {"caption": "right"})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"stage": "link"}, "stage"),
        ({"role": "exam"}, "role"),
        ({"role": "training"}, "explanation"),
        ({"captions": []}, "captions"),
        ({"captions": [" "]}, "captions"),
        ({"captions": ["A dog\0"]}, "captions"),
        ({"captions": ["A dog .", "A cat ."]}, "captions"),
        ({"answer": {"caption": "perhaps"}}, "answer.caption"),
        ({"stage": "writing", "answer": {"captions": ["A dog ."]}}, "role"),
        ({"stage": "relevance", "answer": {"describes": [True]}}, "captions"),
        ({"stage": "grading", "answer": {"grade": 5}}, "answer.grade"),
    ],
)
def test_a_caption_question_says_what_is_wrong_with_it(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(QuestionError) as caught:
        caption(**changes)
    assert caught.value.field == field


def test_mixed_captions_keep_their_order_and_their_answer() -> None:
    fitting, others = ["A dog .", "A cat ."], ["A bus .", "A car .", "A cow ."]
    order, fits = mixed(fitting, others)
    assert sorted(order) == sorted([*fitting, *others])
    assert {text for text, is_fitting in zip(order, fits, strict=True) if is_fitting} == set(fitting)
    assert mixed(fitting[::-1], others[::-1]) == (order, fits)

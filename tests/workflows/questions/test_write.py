from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Image, Mention, VerificationQuestion
from tests.factories import NOW, make_image, make_project
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.write import write_question

pytestmark = pytest.mark.django_db


def _image() -> tuple[Image, list[int]]:
    image = make_image(make_project(), [["man"], ["man", "dog"]])
    mentions = Mention.objects.filter(image=image).order_by("caption__index", "start")
    return image, list(mentions.values_list("pk", flat=True))


def _write(image: Image, **changes: Any) -> VerificationQuestion:
    given: dict[str, Any] = {
        "project_id": image.project_id,
        "image_id": image.pk,
        "stage": "drawing",
        "role": "gold",
        "boxes": [[10, 10, 60, 90]],
        "box": None,
        "answer": {"boxes": [[200, 10, 300, 90]]},
        "explanation": "There are two men.",
        "by": "ada",
        "now": NOW,
    }
    return write_question(**{**given, **changes})


def test_a_question_by_hand_is_kept_as_it_was_written() -> None:
    image, (man, *_) = _image()
    question = VerificationQuestion.objects.get(pk=_write(image, mentions=[man]).pk)
    assert (question.source, question.kind, question.role) == ("written", "written", "gold")
    assert (question.mentions, question.boxes, question.box) == ([man], [[10, 10, 60, 90]], None)
    assert question.answer == {"boxes": [[200, 10, 300, 90]]}
    assert question.explanation == "There are two men."


def test_a_joint_check_by_hand_is_kept_with_its_new_boxes() -> None:
    image, (man, *_) = _image()
    new = [[10, 10, 60, 90], [200, 10, 300, 90]]
    answer = {"boxes": ["good", "double"], "missing": True}
    asked: dict[str, Any] = {"stage": "check", "mentions": [man], "boxes": [], "answer": answer}
    question = VerificationQuestion.objects.get(pk=_write(image, new_boxes=new, **asked).pk)
    assert (question.new_boxes, question.boxes, question.box) == (new, [], None)
    assert question.answer == answer
    with pytest.raises(QuestionError, match="shows exactly this"):
        _write(image, new_boxes=new[::-1], **asked)


def test_mentions_come_in_reading_order() -> None:
    image, (first, second, _) = _image()
    question = _write(image, stage="link", mentions=[second, first], boxes=[], answer={"same": True})
    assert question.mentions == [first, second]


def test_what_is_shown_already_cannot_be_asked_with_another_answer() -> None:
    image, (man, *_) = _image()
    first = _write(image, mentions=[man])
    with pytest.raises(QuestionError, match=rf"question {first.pk} \(active\) shows exactly this"):
        _write(image, mentions=[man], answer={"boxes": []}, role="test")
    assert VerificationQuestion.objects.count() == 1


def test_images_and_mentions_of_elsewhere_are_refused() -> None:
    image, (man, *_) = _image()
    other, (stranger, *_) = _image()
    with pytest.raises(QuestionError, match=f"has no image {other.pk}"):
        _write(image, image_id=other.pk, mentions=[man])
    with pytest.raises(QuestionError, match=f"no mention {stranger}"):
        _write(image, mentions=[stranger])
    Mention.objects.filter(pk=man).update(annotatable=False)
    with pytest.raises(QuestionError, match=f"no mention {man}"):
        _write(image, mentions=[man])
    assert not VerificationQuestion.objects.exists()


def test_an_image_of_unknown_size_takes_no_question() -> None:
    image, (man, *_) = _image()
    Image.objects.update(height=None)
    with pytest.raises(QuestionError, match="import its picture"):
        _write(image, mentions=[man])


@pytest.mark.parametrize("state", ["active", "retired"])
def test_an_image_that_serves_one_role_is_refused_for_another(state: str) -> None:
    image, (man, *_) = _image()
    _write(image, mentions=[man], role="test")
    VerificationQuestion.objects.update(state=state)
    with pytest.raises(
        QuestionError, match=f"{image.name} has test questions: an image serves one role"
    ) as error:
        _write(image, mentions=[man], boxes=[], role="gold")
    assert error.value.field == "role"
    _write(image, mentions=[man], boxes=[], role="test")
    assert set(VerificationQuestion.objects.values_list("role", flat=True)) == {"test"}

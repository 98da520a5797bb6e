"""Verification questions are seen, retired, voided, promoted, and written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Chain, Decision, Image, Mention, VerificationQuestion
from tests.console.review.review_rows import SCRIPT, make_finished
from tests.factories import NOW, make_image, make_project, make_worker
from tests.workflows.qualification.tested_workers import make_tested, take

pytestmark = pytest.mark.django_db


def _image() -> Image:
    return make_image(make_project(), [["man", "dog"], ["man"]], name="street.jpg")


def _mention(text: str, caption: int = 0) -> int:
    return Mention.objects.get(text=text, caption__index=caption).pk


def _url(image: Image, stage: str) -> str:
    return f"{reverse('questions:write')}?project={image.project_id}&image={image.name}&stage={stage}"


def _write(client: Client, image: Image, stage: str, **typed: Any) -> Any:
    return client.post(_url(image, stage), {"role": "gold", "explanation": "", **typed})


def _errors(reply: Any) -> dict[str, list[str]]:
    assert reply.status_code == 200
    errors: dict[str, list[str]] = reply.context["form"].errors
    return errors


def _written(**more: Any) -> VerificationQuestion:
    image = _image()
    return VerificationQuestion.objects.create(
        project=image.project,
        image=image,
        stage="drawing",
        source="written",
        kind="written",
        mentions=[_mention("a man")],
        answer={"boxes": [[1, 2, 30, 40]]},
        content="x",
        created_at=NOW,
        **{"asked": 10, "right": 4, "good_asked": 4, "good_right": 3, "exposures": 12, **more},
    )


def test_the_list_shows_how_workers_fare(viewer: Client) -> None:
    _written()
    text = viewer.get(reverse("questions:list")).content.decode()
    assert "40.0%" in text
    assert "75.0%" in text
    assert "box 1, 2 to 30, 40 (29 × 38)" in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?stage=drawing", 1),
        ("?stage=link", 0),
        ("?state=retired", 0),
        ("?role=gold&state=active", 1),
        ("?stage=x", 1),
    ],
)
def test_questions_are_filtered(viewer: Client, query: str, found: int) -> None:
    _written()
    assert len(viewer.get(reverse("questions:list") + query).context["found"].rows) == found


def test_a_question_is_shown_with_its_picture_and_its_right_answer(viewer: Client) -> None:
    question = _written(explanation=SCRIPT)
    text = viewer.get(reverse("questions:question", args=[question.pk])).content.decode()
    assert 'class="shape right"' in text
    assert '<mark class="own">a man</mark>' in text
    assert SCRIPT not in text


def test_a_question_is_retired_with_a_reason(reviewer: Client) -> None:
    question = _written()
    reviewer.post(reverse("questions:question", args=[question.pk]), {"action": "retire", "note": "too easy"})
    question.refresh_from_db()
    assert (question.state, question.retired) == ("retired", "too easy")


@pytest.mark.parametrize("note", ["", "x" * 41, "void", "a\0b"])
def test_a_question_is_not_retired_without_a_fit_reason(reviewer: Client, note: str) -> None:
    question = _written()
    reviewer.post(reverse("questions:question", args=[question.pk]), {"action": "retire", "note": note})
    question.refresh_from_db()
    assert question.state == "active"


def test_a_wrong_question_is_voided_by_somebody_who_says_why(reviewer: Client) -> None:
    question = _written()
    url = reverse("questions:question", args=[question.pk])
    for note in ("", "  ", "x" * 2001, "a\0b"):
        reviewer.post(url, {"action": "void", "note": note})
    question.refresh_from_db()
    assert question.state == "active" and not Decision.objects.exists()
    text = reviewer.post(url, {"action": "void", "note": f"two men {SCRIPT}"}, follow=True).content.decode()
    question.refresh_from_db()
    assert question.retired == "void"
    decision = Decision.objects.get()
    assert decision.kind == "void" and decision.by
    assert "“two men" in text and SCRIPT not in text
    assert f"<small>{decision.by}</small>" in text


def test_a_written_question_tells_who_wrote_it_and_one_that_was_promoted_who_vouched(
    reviewer: Client, admin_client: Client
) -> None:
    chain = make_finished()
    reviewer.post(reverse("questions:make", args=[chain.pk]))
    made, later = VerificationQuestion.objects.order_by("pk")[:2]
    promoted = Decision.objects.get(kind="promote")
    assert {made.pk, later.pk} <= set(promoted.content["questions"])
    for question in (made, later):
        found = reviewer.get(reverse("questions:question", args=[question.pk])).context["found"]
        assert [(one.title, one.row) for one in found.decided] == [("Made of a finished chain", promoted)]
    reviewer.post(reverse("questions:question", args=[later.pk]), {"action": "retire", "note": "too easy"})
    found = reviewer.get(reverse("questions:question", args=[later.pk])).context["found"]
    assert [one.title for one in found.decided] == ["Retired", "Made of a finished chain"]
    made_first = promoted.content["questions"][0]
    listed = admin_client.get(reverse("admin:annotation_decision_changelist")).content.decode()
    assert f'/questions/{made_first}/">{made_first}</a>' in listed
    assert f"</a> and {len(promoted.content['questions']) - 1} more" in listed


def test_a_finished_chain_becomes_questions_once(reviewer: Client) -> None:
    chain = make_finished()
    url = reverse("questions:make", args=[chain.pk])
    first = reviewer.post(url, follow=True).content.decode()
    count = VerificationQuestion.objects.filter(source="promoted").count()
    assert count > 0
    assert "proposed of this chain" in first
    assert "had already been made" in reviewer.post(url, follow=True).content.decode()
    assert VerificationQuestion.objects.count() == count


def test_an_unfinished_chain_becomes_no_question(reviewer: Client) -> None:
    chain = make_finished()
    Chain.objects.update(state="coverage")
    text = reviewer.post(reverse("questions:make", args=[chain.pk]), follow=True).content.decode()
    assert "No question was made" in text
    assert not VerificationQuestion.objects.exists()


@pytest.mark.parametrize(
    ("stage", "typed", "answer"),
    [
        (
            "boxes",
            {"answer": "boxes", "right": "1 2 30 40\n50 2 90 40"},
            {"boxes": [[1, 2, 30, 40], [50, 2, 90, 40]]},
        ),
        ("boxes", {"answer": "done", "boxes": "1 2 30 40"}, {"none": "done"}),
        (
            "check",
            {"answer": "incomplete", "new_boxes": "1 2 30 40\n50 2 90 40", "said": "good\nLoose"},
            {"boxes": ["good", "loose"], "missing": True},
        ),
        ("requirement", {"answer": "scene"}, {"requirement": "scene"}),
        ("drawing", {"answer": "boxes", "right": "1 2 30 40"}, {"boxes": [[1, 2, 30, 40]]}),
        ("drawing", {"answer": "none", "right": "", "boxes": "1 2 30 40"}, {"boxes": []}),
        ("quality", {"answer": "bad", "box": "1 2 30 40"}, {"good": False}),
        ("coverage", {"answer": "incomplete", "boxes": "1 2 30 40"}, {"complete": False}),
    ],
)
def test_a_question_about_one_mention_is_written(
    reviewer: Client, stage: str, typed: dict[str, str], answer: dict[str, Any]
) -> None:
    reply = _write(reviewer, image := _image(), stage, mentions=[_mention("a man")], **typed)
    assert reply.status_code == 302
    question = VerificationQuestion.objects.get()
    assert (question.image, question.stage, question.answer) == (image, stage, answer)
    assert question.source == "written"


@pytest.mark.parametrize("stage", ["link", "verification"])
def test_a_question_about_two_mentions_is_written(reviewer: Client, stage: str) -> None:
    image = _image()
    pair = [_mention("a man", 1), _mention("a man")]
    assert _write(reviewer, image, stage, mentions=pair, answer="same").status_code == 302
    assert VerificationQuestion.objects.get().mentions == pair[::-1], "in reading order"


@pytest.mark.parametrize(
    ("stage", "typed", "field"),
    [
        ("requirement", {"mentions": [], "answer": "box"}, "mentions"),
        ("requirement", {"mentions": [999_999], "answer": "box"}, "mentions"),
        ("requirement", {"answer": ""}, "answer"),
        ("drawing", {"answer": "boxes", "right": "1 2 3"}, "right"),
        ("drawing", {"answer": "boxes", "right": "1 2 30 40", "boxes": "1 2 30 40"}, "right"),
        ("drawing", {"right": ""}, "answer"),
        ("drawing", {"right": "1 2 30 40"}, "answer"),
        ("drawing", {"answer": "boxes", "right": " "}, "right"),
        ("drawing", {"answer": "none", "right": "1 2 30 40"}, "answer"),
        ("quality", {"answer": "good"}, "box"),
        ("quality", {"answer": "good", "box": "1 2 30 40\n5 6 70 80"}, "box"),
        ("coverage", {"answer": "complete"}, "boxes"),
        ("coverage", {"answer": "complete", "boxes": "1 2 3000 40"}, "boxes"),
        ("boxes", {"answer": "boxes", "right": ""}, "right"),
        ("boxes", {"answer": "scene", "right": "1 2 30 40"}, "answer"),
        ("check", {"answer": "complete", "new_boxes": "", "said": ""}, "new_boxes"),
        ("check", {"answer": "complete", "new_boxes": "1 2 30 40", "said": "fine"}, "said"),
        ("check", {"answer": "complete", "new_boxes": "1 2 30 40", "said": "good good"}, "said"),
        ("drawing", {"answer": "none", "role": "training"}, "explanation"),
        ("drawing", {"explanation": "x" * 1001}, "explanation"),
        ("drawing", {"role": "x"}, "role"),
    ],
)
def test_what_is_no_question_is_said_at_its_field(
    reviewer: Client, stage: str, typed: dict[str, Any], field: str
) -> None:
    image = _image()
    assert field in _errors(_write(reviewer, image, stage, **{"mentions": [_mention("a man")], **typed}))
    assert not VerificationQuestion.objects.exists()


def test_the_same_question_is_not_written_twice(reviewer: Client) -> None:
    image = _image()
    asked = {"mentions": [_mention("a man")], "answer": "boxes", "right": "1 2 30 40"}
    assert _write(reviewer, image, "drawing", **asked).status_code == 302
    reply = _write(reviewer, image, "drawing", **asked)
    assert "shows exactly this already" in str(_errors(reply)["__all__"])


def test_an_unknown_image_is_said_at_its_field(reviewer: Client) -> None:
    image = _image()
    reply = reviewer.get(_url(image, "drawing").replace("street", "road"))
    assert reply.context["start"].errors["image"]


@pytest.mark.parametrize("role", ["training", "test"])
def test_answers_of_practice_and_tests_are_shown(viewer: Client, role: str) -> None:
    batch = make_tested()
    worker = make_worker(batch.project, name="ann")
    held = take(worker, right=2)
    asked = VerificationQuestion.objects.filter(pk__in=held.training if role == "training" else held.test)
    for row in asked:
        assert row.exposures == 1
        reply = viewer.get(reverse("questions:question", args=[row.pk]))
        ((given,), page) = reply.context["found"].answers, reply.content.decode()
        assert (given.worker, given.right) == (worker, held.answers[str(row.pk)]["right"])
        assert "Nobody has" not in page and "none has submitted" not in page
        assert ("not scored: it is practice" in page) == (role == "training")


def test_a_question_on_pages_that_are_not_submitted_says_so(viewer: Client) -> None:
    row = _written(exposures=6, asked=0, right=0, good_asked=0, good_right=0)
    page = viewer.get(reverse("questions:question", args=[row.pk])).content.decode()
    assert "6 workers got it on a page, and none has submitted that page." in page
    VerificationQuestion.objects.update(exposures=0)
    assert (
        "No worker has seen it yet."
        in viewer.get(reverse("questions:question", args=[row.pk])).content.decode()
    )


def test_what_is_said_of_new_boxes_is_shown_and_corrected(reviewer: Client) -> None:
    image = _image()
    typed = {"answer": "complete", "new_boxes": "1 2 30 40\n50 2 90 40", "said": "good\nwrong"}
    _write(reviewer, image, "check", mentions=[_mention("a man")], **typed)
    question = VerificationQuestion.objects.get()
    shown = reviewer.get(reverse("questions:question", args=[question.pk])).context["found"].picture.shapes
    assert [(shape.kind, shape.left) for shape in shown] == [("new", 1), ("new", 50)]
    url = reverse("questions:correct", args=[question.pk])
    assert reviewer.get(url).context["form"].fields["said"].initial == "good\nwrong"
    said = {"answer": "incomplete", "note": "a second look"}
    assert reviewer.post(url, {**said, "said": "good"}).status_code == 422
    reviewer.post(url, {**said, "said": "good\ncut"})
    question.refresh_from_db()
    assert question.answer == {"boxes": ["good", "cut"], "missing": True}


def test_a_caption_question_is_written_by_hand(manager: Client) -> None:
    """*Write some by hand* led from a campaign to a form that offered no stage of campaigns."""
    image = _image()
    start = manager.get(reverse("questions:write"), {"project": str(image.project_id), "of": "caption_check"})
    assert '<option value="caption_check" selected>' in start.content.decode()
    shown = manager.get(_url(image, "caption_check")).content.decode()
    assert "own captions" in shown and "a man a dog" in shown and "What is asked about" not in shown
    assert "must be one" not in shown
    made = _write(manager, image, "caption_check", caption="A red bus .", answer="wrong")
    question = VerificationQuestion.objects.get()
    assert made["Location"] == reverse("questions:question", args=[question.pk])
    assert (question.captions, question.answer) == (["A red bus ."], {"caption": "wrong"})
    assert question.source == "written"
    assert "A red bus ." in manager.get(made["Location"]).content.decode()
    again = _write(manager, image, "caption_check", caption="A red bus .", answer="right")
    assert "shows exactly this already" in str(_errors(again))


def test_a_grade_and_ticks_are_written_by_hand(manager: Client) -> None:
    image = _image()
    _write(manager, image, "grading", caption="A man and a dog .", answer="4")
    assert VerificationQuestion.objects.get().answer == {"grade": 4}
    fitting, others = ["A man .", "A dog ."], [f"A bus {number} ." for number in range(8)]
    few = _write(manager, image, "relevance", fitting="\n".join(fitting), others="A bus .")
    assert list(_errors(few)) == ["others"]
    _write(manager, image, "relevance", fitting="\n".join(fitting), others="\n".join(others))
    question = VerificationQuestion.objects.get(stage="relevance")
    assert sorted(question.captions) == sorted([*fitting, *others])
    right = [text in fitting for text in question.captions]
    assert question.answer == {"describes": right}


def test_a_sentence_of_a_language_test_is_written_by_hand(manager: Client) -> None:
    """A launch in a language without a test said to write its sentences by hand, and nobody could."""
    image = _image()
    page = manager.get(_url(image, "writing")).content.decode()
    assert "The sentence with a mistake" in page and "The corrected sentence" in page
    assert 'value="gold"' not in page, "on a page, everybody would know it"
    _write(manager, image, "writing", role="test", caption="Un chien cour .", answer="Un chien court .")
    question = VerificationQuestion.objects.get()
    assert (question.role, question.captions) == ("test", ["Un chien cour ."])
    assert question.answer == {"captions": ["Un chien court ."]}
    refused = _write(manager, image, "writing", role="test", caption="Un chat dorm .", answer="\n")
    assert list(_errors(refused)) == ["answer"]

"""The gallery shows proposed questions, the most doubtful first, and decides about many at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Decision, Judgment, VerificationQuestion, Worker
from tests.console.review.review_rows import make_finished
from tests.factories import NOW, make_project
from workflows.core.models import AuditEntry
from workflows.questions.make import promote_chains
from workflows.workers.enrolment import block_worker

pytestmark = pytest.mark.django_db


def proposed() -> list[VerificationQuestion]:
    promote_chains(chain_ids=[make_finished().pk], by="ada", now=NOW)
    return list(VerificationQuestion.objects.order_by("pk"))


def address(row: VerificationQuestion, query: str = "") -> str:
    return reverse("questions:gallery", args=[row.project_id]) + query


def test_it_approves_some_and_refuses_others(reviewer: Client, django_assert_max_num_queries: Any) -> None:
    first, second, *rest = proposed()
    with django_assert_max_num_queries(30):
        text = reviewer.get(address(first)).content.decode()
    assert text.count("data-proposal") == len(rest) + 2
    for key in (
        "<kbd>A</kbd>",
        "<kbd>R</kbd>",
        "<kbd>U</kbd>",
        "<kbd>J</kbd>",
        "<kbd>K</kbd>",
        "<kbd>S</kbd>",
    ):
        assert key in text
    reply = reviewer.post(
        address(first),
        {f"q-{first.pk}": "approve", f"q-{second.pk}": "refuse", "q-x": "approve"},
        follow=True,
    )
    assert "1 approved, 1 refused." in reply.content.decode()
    states = dict(VerificationQuestion.objects.values_list("pk", "state"))
    assert (states.pop(first.pk), states.pop(second.pk)) == ("active", "retired")
    assert set(states.values()) == {"proposed"}
    entry = AuditEntry.objects.get(action="questions.decide")
    assert (entry.by, entry.project) == ("rita", first.project)
    assert Decision.objects.get(kind="approve").by == "rita"


def test_nothing_marked_decides_nothing(reviewer: Client) -> None:
    first, *_ = proposed()
    text = reviewer.post(address(first), {f"q-{first.pk}": ""}, follow=True).content.decode()
    assert "Nothing was decided" in text and not Decision.objects.filter(kind="approve").exists()


def test_what_was_decided_meanwhile_is_told(reviewer: Client) -> None:
    first, *_ = proposed()
    reviewer.post(address(first), {f"q-{first.pk}": "approve"})
    text = reviewer.post(address(first), {f"q-{first.pk}": "approve"}, follow=True).content.decode()
    assert "0 approved, 0 refused." in text and "1 left as they were" in text


def test_the_most_doubtful_comes_first(reviewer: Client) -> None:
    first, *_ = proposed()
    before = {card.row.pk: card.suspicion for card in reviewer.get(address(first)).context["found"].cards}
    drawer = Judgment.objects.get(item__stage="drawing", boxes__isnull=False).worker
    block_worker(worker_id=drawer.pk, by="ada", note="", now=NOW)
    cards = reviewer.get(address(first)).context["found"].cards
    assert [card.suspicion for card in cards] == sorted((card.suspicion for card in cards), reverse=True)
    of_boxes = [card for card in cards if card.row.stage in ("drawing", "quality", "coverage")]
    assert of_boxes and all(card.suspicion > before[card.row.pk] for card in of_boxes)
    assert Worker.objects.filter(blocked=True).get() == drawer


def test_a_stage_and_a_role_can_be_chosen(reviewer: Client) -> None:
    first, *_ = proposed()
    cards = reviewer.get(address(first, "?stage=drawing")).context["found"].cards
    assert {card.row.stage for card in cards} == {"drawing"}
    assert not reviewer.get(address(first, "?role=test")).context["found"].cards


def test_an_empty_gallery_says_what_to_do(viewer: Client) -> None:
    text = viewer.get(reverse("questions:gallery", args=[make_project().pk])).content.decode()
    assert "No question waits for you" in text and "Make verification questions" in text


def test_a_viewer_looks_and_decides_nothing(viewer: Client) -> None:
    first, *_ = proposed()
    assert 'type="radio"' not in viewer.get(address(first)).content.decode()
    assert viewer.post(address(first), {f"q-{first.pk}": "approve"}).status_code == 403


def test_an_answer_is_corrected(reviewer: Client) -> None:
    first = next(row for row in proposed() if row.stage == "coverage")
    url = reverse("questions:correct", args=[first.pk])
    assert "The answer so far" in reviewer.get(url).content.decode()
    assert reviewer.post(url, {"answer": "incomplete", "note": ""}).status_code == 422
    same = "complete" if first.answer == {"complete": True} else "incomplete"
    assert "already" in reviewer.post(url, {"answer": same, "note": "no"}).content.decode()
    other = "incomplete" if same == "complete" else "complete"
    reply = reviewer.post(url, {"answer": other, "note": "a dog is missing"}, follow=True)
    assert "The answer is corrected" in reply.content.decode()
    assert reply.context["found"].decided[0].title == "Answer corrected"
    first.refresh_from_db()
    assert first.answer == {"complete": other == "complete"}
    assert AuditEntry.objects.get(action="questions.correct").by == "rita"


def test_boxes_of_an_answer_are_corrected(reviewer: Client) -> None:
    first = next(row for row in proposed() if row.stage == "drawing")
    url = reverse("questions:correct", args=[first.pk])
    reply = reviewer.post(url, {"answer": "boxes", "right": "", "note": "wrong"})
    assert reply.status_code == 422 and "Draw a box that is right" in reply.content.decode()
    reviewer.post(url, {"answer": "boxes", "right": "300 200 400 300", "note": "wrong"})
    first.refresh_from_db()
    assert first.answer == {"boxes": [[300, 200, 400, 300]]}

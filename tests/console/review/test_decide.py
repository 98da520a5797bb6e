"""Deciding about a chain by its form: boxes, flag, where it goes on, and what is impossible."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Box, Case, Chain, Decision, Item
from tests.console.review.review_rows import make_finished, make_flagged
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from workflows.pipeline.advance import advance_pending
from workflows.review.decide import version_of

pytestmark = pytest.mark.django_db


def _decide(client: Client, chain: Chain, query: str = "", **typed: Any) -> Any:
    data = {
        "boxes": "10 20 110 220",
        "state": "done",
        "flag": "",
        "note": "seen",
        "version": version_of(chain.work),
        **typed,
    }
    return client.post(reverse("review:chain", args=[chain.pk]) + query, data)


def _boxes(chain: Chain) -> list[tuple[int, int, int, int]]:
    accepted = Box.objects.filter(chain=chain, state="accepted").order_by("pk")
    return [box.rectangle.edges for box in accepted]


def _errors(reply: Any) -> dict[str, list[str]]:
    assert reply.status_code == 422
    errors: dict[str, list[str]] = reply.context["decide"].errors
    return errors


def test_a_corrected_box_takes_the_place_of_the_old_one(reviewer: Client) -> None:
    chain = make_finished()
    reply = _decide(reviewer, chain, boxes="12 24 100 200")
    assert reply.status_code == 302
    assert _boxes(chain) == [(12, 24, 100, 200)]
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == ("chain", "rita", "seen")


def test_a_chain_is_sent_back_to_be_asked_again(reviewer: Client) -> None:
    chain = make_finished()
    _decide(reviewer, chain, state="drawing")
    chain.refresh_from_db()
    assert chain.state == "drawing"
    assert Item.objects.filter(chain=chain, stage="drawing", state="open").exists()


def test_a_chain_without_a_box_is_done_with_a_reason(reviewer: Client) -> None:
    chain = make_finished()
    _decide(reviewer, chain, boxes="", state="nonvisual", flag="scene")
    chain.refresh_from_db()
    assert (chain.state, chain.flag, _boxes(chain)) == ("nonvisual", "scene", [])


def test_deciding_closes_the_cases_of_the_chain_by_the_decision(reviewer: Client) -> None:
    chain, case = make_flagged()
    _decide(reviewer, chain, close="on")
    case.refresh_from_db()
    assert case.decision == Decision.objects.get()
    assert case.closed_at is not None


def test_deciding_can_leave_the_case_open(reviewer: Client) -> None:
    chain, case = make_flagged()
    _decide(reviewer, chain)
    case.refresh_from_db()
    assert case.closed_at is None


def test_deciding_goes_on_to_the_next_case(reviewer: Client) -> None:
    chain, case = make_flagged()
    other = Case.objects.create(
        project=case.project, reason="sample", chain=chain, work=chain.work, opened_at=NOW
    )
    reply = _decide(reviewer, chain, f"?case={case.pk}", next="1")
    assert reply["Location"].endswith(f"case={other.pk}")


def test_the_decision_is_seen_in_the_history(reviewer: Client) -> None:
    chain = make_finished()
    _decide(reviewer, chain, boxes="12 24 100 200", note="cut off at the feet")
    text = reviewer.get(reverse("review:chain", args=[chain.pk])).content.decode()
    assert "A researcher decided" in text
    assert "cut off at the feet" in text
    assert "1 box, done" in text


def test_a_decision_on_what_has_changed_is_not_taken_and_keeps_what_was_typed(reviewer: Client) -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    seen = version_of(chain.work)
    for _ in range(2):
        answer_page(make_worker(batch.project), stage="coverage")
        advance_pending(now=NOW)
    reply = _decide(reviewer, chain, boxes="1 2 30 40", note="typed with care", version=seen)
    assert reply.status_code == 409
    text = reply.content.decode()
    assert "has changed since you opened this page" in text
    assert "all boxes are there → done" in text, "what changed is said"
    assert "1 2 30 40" in text
    assert "typed with care" in text
    assert not Decision.objects.exists()
    again = reply.context["decide"]["version"].value()
    assert _decide(reviewer, chain, boxes="1 2 30 40", version=again).status_code == 302


@pytest.mark.parametrize(
    ("boxes", "message"),
    [
        ("1 2 3", "Line 1: give left, top, right and bottom"),
        ("1 2 30 40\n5 5 5 9", "Line 2: the box is empty"),
        ("1 2 3000 40", "leaves the image of 640 × 480"),
        ("1 2 30 40\n1 2 30 40", "given twice"),
        ("-1 2 30 40", "Line 1"),
        ("1 2 2 3", "smaller than 3 pixels"),
        ("\n".join(f"{n} 0 {n + 9} 9" for n in range(101)), "Give at most 100 boxes"),
    ],
)
def test_boxes_that_are_none_are_refused_at_their_field(reviewer: Client, boxes: str, message: str) -> None:
    chain = make_finished()
    reply = _decide(reviewer, chain, boxes=boxes)
    assert message in str(_errors(reply)["boxes"])
    assert boxes.split("\n")[0] in reply.content.decode(), "what was typed is kept"
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"boxes": ""}, "state"),
        ({"state": "nonvisual"}, "flag"),
        ({"state": "nonvisual", "flag": "scene"}, "state"),
        ({"flag": "scene"}, "flag"),
        ({"state": "quality"}, "state"),
        ({"state": "requirement"}, "state"),
        ({"state": "verification"}, "state"),
        ({"flag": "other"}, "flag"),
        ({"note": "x" * 2001}, "note"),
        ({"version": ""}, "version"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field(reviewer: Client, typed: dict[str, str], field: str) -> None:
    chain = make_finished()
    assert field in _errors(_decide(reviewer, chain, **typed))
    assert not Decision.objects.exists()


def test_a_chain_that_was_split_is_not_decided_about(reviewer: Client) -> None:
    batch = make_at_stage("verification")
    chain = Chain.objects.get()
    answer_page(make_worker(batch.project), answering=lambda *_: {"same": False})
    advance_pending(now=NOW)
    text = reviewer.get(reverse("review:chain", args=[chain.pk])).content.decode()
    assert "no longer in use" in text
    assert _decide(reviewer, chain).status_code == 422
    assert not Decision.objects.exists()


def test_a_chain_left_with_the_researchers_stays_in_the_queue(reviewer: Client) -> None:
    chain, case = make_flagged()
    _decide(reviewer, chain, state="review", close="on")
    case.refresh_from_db()
    assert case.closed_at is None
    reply = reviewer.post(reverse("review:close", args=[case.pk]), {"note": ""}, follow=True)
    assert "decide where the chain continues" in reply.content.decode()
    case.refresh_from_db()
    assert case.closed_at is None

"""A worker on one page, and what is decided about them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Case, Decision, Judgment, Standing, VerificationQuestion, Worker
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from tests.workflows.review.making import SCRIPT, make_finished
from workflows.services.cases import open_case

pytestmark = pytest.mark.django_db


def _worker() -> Worker:
    """Who drew the box of a finished chain, lost trust in drawing, and is in the queue for it."""
    chain = make_finished()
    worker = Judgment.objects.get(item__stage="drawing").worker
    Standing.objects.create(
        worker=worker,
        stage="drawing",
        state="lost",
        asked=30,
        right=18,
        recent_asked=30,
        recent_right=18,
        changed_at=NOW,
    )
    open_case(
        project_id=chain.work.batch.project_id,
        reason="trust",
        now=NOW,
        worker_id=worker.pk,
        stage="drawing",
        detail={"asked": 30, "right": 18},
    )
    return worker


def _url(worker: Worker, query: str = "") -> str:
    return reverse("review:worker", args=[worker.pk]) + query


def test_the_page_says_how_a_worker_stands(viewer: Client) -> None:
    text = viewer.get(_url(_worker())).content.decode()
    assert "60.0%" in text
    assert "18 of 30" in text
    assert "70%" in text, "the minimum of the batch they last drew in"
    assert "Lost trust" in text


def test_answers_to_verification_questions_are_shown_beside_the_right_ones(viewer: Client) -> None:
    worker = _worker()
    drawn = Judgment.objects.get(item__stage="drawing")
    question = VerificationQuestion.objects.create(
        project=worker.project,
        image=drawn.item.work.image,  # type: ignore[union-attr]  # it has an item
        stage="drawing",
        source="written",
        kind="written",
        mentions=[],
        answer={"boxes": [[1, 2, 30, 40]]},
        content="x",
        created_at=NOW,
    )
    Judgment.objects.create(
        question=question,
        worker=worker,
        assignment=drawn.assignment,
        answer={"box": None},
        correct=False,
        comment=SCRIPT,
        created_at=NOW,
    )
    text = viewer.get(_url(worker)).content.decode()
    assert "no further box" in text
    assert "box 1, 2 to 30, 40 (29 × 38)" in text
    asked = viewer.get(reverse("review:question", args=[question.pk])).content.decode()
    assert SCRIPT not in asked
    assert worker.external_id in asked


def test_the_page_costs_the_same_for_everybody(
    reviewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    batch = make_at_stage("requirement", images=12, items_a_page={"requirement": 2})
    worker = make_worker(batch.project)
    for _ in range(6):
        answer_page(worker, stage="requirement")
    with django_assert_max_num_queries(16):  # type: ignore[operator]  # pytest-django's fixture has no type
        assert reviewer.get(_url(worker)).status_code == 200


def test_a_worker_is_blocked_once_and_unblocked(reviewer: Client) -> None:
    worker = _worker()
    for _ in range(2):
        reviewer.post(_url(worker), {"action": "block", "note": "a script"})
    worker.refresh_from_db()
    assert worker.blocked
    assert Decision.objects.get().note == "a script"
    reviewer.post(_url(worker), {"action": "unblock", "note": ""})
    worker.refresh_from_db()
    assert not worker.blocked
    assert list(Decision.objects.order_by("pk").values_list("kind", flat=True)) == ["block", "unblock"]


def test_a_worker_who_lost_trust_may_begin_anew(reviewer: Client) -> None:
    worker = _worker()
    reviewer.post(_url(worker), {"action": "restore", "stage": "drawing", "note": "they wrote to me"})
    assert Standing.objects.get().state == "entering"
    assert Decision.objects.get().kind == "restore"


@pytest.mark.parametrize(
    "data",
    [{"action": "promote"}, {}, {"action": "restore", "stage": "x"}, {"action": "block", "note": "x" * 2001}],
)
def test_what_is_no_action_changes_nothing(reviewer: Client, data: dict[str, str]) -> None:
    worker = _worker()
    assert reviewer.post(_url(worker), data).status_code == 302
    assert not Decision.objects.exists()


def _aside(worker: Worker, query: str) -> str:
    return reverse("review:set-aside", args=[worker.pk]) + query


def test_the_preview_tells_and_changes_nothing(reviewer: Client) -> None:
    worker = _worker()
    reply = reviewer.get(_aside(worker, "?stage=drawing&every=1"))
    assert reply.context["preview"].judgments == 1
    assert "Set 1 judgment aside" in reply.content.decode()
    assert not Decision.objects.exists()


def test_judgments_are_set_aside_and_close_the_case_they_came_from(reviewer: Client) -> None:
    worker = _worker()
    case = Case.objects.get()
    url = _aside(worker, f"?stage=drawing&every=1&case={case.pk}")
    for _ in range(2):
        assert reviewer.post(url, {"note": "careless"}).status_code == 302
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == ("set-aside", "rita", "careless")
    assert Judgment.objects.get(set_aside=decision).worker == worker
    case.refresh_from_db()
    assert case.decision == decision


def test_judgments_that_were_set_aside_count_again(reviewer: Client) -> None:
    worker = _worker()
    reviewer.post(_aside(worker, "?stage=drawing&every=1"), {"note": ""})
    decision = Decision.objects.get()
    assert "Let them count again" in reviewer.get(_url(worker)).content.decode()
    reviewer.post(reverse("review:let-count", args=[worker.pk, decision.pk]), {"note": "a mistake"})
    assert not Judgment.objects.filter(set_aside__isnull=False).exists()
    assert "Let them count again" not in reviewer.get(_url(worker)).content.decode()


@pytest.mark.parametrize("query", ["", "?stage=x", "?stage=link&batch=999"])
def test_a_preview_of_nothing_there_is_not_found(reviewer: Client, query: str) -> None:
    assert reviewer.get(_aside(_worker(), query)).status_code == 404


def test_workers_are_found_by_how_their_name_begins(viewer: Client) -> None:
    project = make_worker(_worker().project, "amt-1").project
    text = viewer.get(reverse("review:workers") + f"?name=amt&project={project.pk}").content.decode()
    assert "amt-1" in text
    assert text.count('scope="row"') == 1

"""A worker on one page, and decisions about them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import (
    Decision,
    Judgment,
    QualificationTry,
    Standing,
    VerificationQuestion,
    Worker,
)
from console.workers import worker_page
from tests.console.review.review_rows import SCRIPT
from tests.console.workers.distrusted import make_distrusted, page_of
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from tests.workflows.http import Api, check_problem
from tests.workflows.qualification.tested_workers import make_tested, take
from workflows.api.authentication import make_link_token, make_token

pytestmark = pytest.mark.django_db


def test_the_minimum_of_a_stage_is_shown_however_long_ago_the_worker_took_work_of_it(
    viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker who lost trust in a stage goes on with others, and their newest pages are of those stages."""
    monkeypatch.setattr(worker_page, "PAGES", 0)
    (score,) = viewer.get(page_of(make_distrusted())).context["found"].scores
    assert score.minimum == "70%"


def test_the_page_says_how_a_worker_stands(viewer: Client) -> None:
    text = viewer.get(page_of(make_distrusted())).content.decode()
    assert "60.0%" in text
    assert "18 of 30" in text
    assert "70%" in text, "the minimum of the batch they last drew in"
    assert "Lost trust" in text


def test_answers_to_verification_questions_are_shown_beside_the_right_ones(viewer: Client) -> None:
    worker = make_distrusted()
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
    text = viewer.get(page_of(worker)).content.decode()
    assert "Newest answers" in text and "Newest judgments" not in text, "they are of both kinds"
    assert "no further box" in text
    assert "box 1, 2 to 30, 40 (29 × 38)" in text
    asked = viewer.get(reverse("questions:question", args=[question.pk])).content.decode()
    assert SCRIPT not in asked
    assert worker.external_id in asked


def test_the_page_costs_the_same_for_everybody(
    reviewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    batch = make_at_stage("requirement", images=12, items_a_page={"requirement": 2})
    worker = make_worker(batch.project)
    for _ in range(6):
        answer_page(worker, stage="requirement")
    with django_assert_max_num_queries(23):  # type: ignore[operator]  # pytest-django's fixture has no type
        assert reviewer.get(page_of(worker)).status_code == 200


def test_a_worker_is_blocked_once_and_unblocked(reviewer: Client) -> None:
    worker = make_distrusted()
    for _ in range(2):
        reviewer.post(page_of(worker), {"action": "block", "note": "a script"})
    worker.refresh_from_db()
    assert worker.blocked
    assert Decision.objects.get().note == "a script"
    reviewer.post(page_of(worker), {"action": "unblock", "note": ""})
    worker.refresh_from_db()
    assert not worker.blocked
    assert list(Decision.objects.order_by("pk").values_list("kind", flat=True)) == ["block", "unblock"]


def test_a_reviewer_ends_the_sign_ins_of_a_worker(reviewer: Client) -> None:
    worker = make_distrusted()
    token, link = make_token(worker), make_link_token(worker)
    assert "signs them out everywhere and ends their links" in reviewer.get(page_of(worker)).content.decode()
    said = reviewer.post(page_of(worker), {"action": "end-sign-ins", "note": "a lost phone"}, follow=True)
    assert "sign-ins and links have ended" in said.content.decode()
    for one in (token, link):
        check_problem(Api(None, one).get("stages"), 401)
    worker.refresh_from_db()
    assert Api(worker).get("stages").status_code == 200
    assert not worker.blocked and not Decision.objects.exists()


def test_a_worker_from_a_platform_has_no_sign_ins_to_end(reviewer: Client) -> None:
    """Their tokens are for one page each, and end with it."""
    worker = make_distrusted()
    Worker.objects.update(provider="mturk")
    assert "Sign-ins</h2>" not in reviewer.get(page_of(worker)).content.decode()
    said = reviewer.post(page_of(worker), {"action": "end-sign-ins", "note": ""}, follow=True)
    assert "There is no such action" in said.content.decode()
    worker.refresh_from_db()
    assert worker.generation == 0


def test_nobody_who_may_only_look_ends_sign_ins(viewer: Client) -> None:
    worker = make_distrusted()
    assert viewer.post(page_of(worker), {"action": "end-sign-ins", "note": ""}).status_code == 403
    worker.refresh_from_db()
    assert worker.generation == 0


def test_a_worker_who_lost_trust_may_begin_anew(reviewer: Client) -> None:
    worker = make_distrusted()
    reviewer.post(page_of(worker), {"action": "restore", "stage": "drawing", "note": "they wrote to me"})
    assert Standing.objects.get().state == "entering"
    assert Decision.objects.get().kind == "restore"
    said = reviewer.post(page_of(worker), {"action": "restore", "stage": "drawing"}, follow=True)
    assert "There is nothing to restore in drawing" in said.content.decode()
    assert Decision.objects.count() == 1


@pytest.mark.parametrize(
    "data",
    [{"action": "promote"}, {}, {"action": "restore", "stage": "x"}, {"action": "block", "note": "x" * 2001}],
)
def test_what_is_no_action_changes_nothing(reviewer: Client, data: dict[str, str]) -> None:
    worker = make_distrusted()
    assert reviewer.post(page_of(worker), data).status_code == 302
    assert not Decision.objects.exists()


@pytest.mark.parametrize("note", ["a\0b", "x" * 2001])
def test_a_note_that_cannot_be_kept_is_refused(reviewer: Client, note: str) -> None:
    worker = make_distrusted()
    said = reviewer.post(page_of(worker), {"action": "block", "note": note}, follow=True).content.decode()
    assert "Nothing was changed: Why:" in said
    assert not Decision.objects.exists()


def test_a_name_with_a_character_that_no_name_has_is_a_bad_request(viewer: Client) -> None:
    """PostgreSQL cannot store NUL in a text, and SQLite finds nothing by it."""
    assert viewer.get(reverse("workers:list") + "?name=%00").status_code == 400


def test_workers_are_found_by_how_their_name_begins(viewer: Client) -> None:
    project = make_worker(make_distrusted().project, "amt-1").project
    text = viewer.get(reverse("workers:list") + f"?name=amt&project={project.pk}").content.decode()
    assert "amt-1" in text
    assert text.count('scope="row"') == 1


def test_the_platforms_figures_are_kept_and_taken_back(reviewer: Client) -> None:
    worker = make_distrusted()
    for completed, approval in ((812, 0.97), (None, None)):
        data = {"action": "figures", "completed": completed or "", "approval": approval or ""}
        assert reviewer.post(page_of(worker), data).status_code == 302
        worker.refresh_from_db()
        assert (worker.completed, worker.approval) == (completed, approval)
    Worker.objects.update(completed=812, approval=0.97)
    text = reviewer.get(page_of(worker)).content.decode()
    assert "812 tasks on the platform" in text
    assert 'value="0.97"' in text


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("approval", "97", "Share approved: Ensure this value is less than or equal to 1."),
        ("approval", "nan", "Share approved: Enter a number."),
        ("completed", "-1", "Tasks finished: Ensure this value is greater than or equal to 0."),
        ("completed", "9" * 12, "Tasks finished: Ensure this value is less than or equal to"),
    ],
)
def test_figures_that_are_none_are_refused_by_name(
    reviewer: Client, field: str, value: str, says: str
) -> None:
    worker = make_distrusted()
    reply = reviewer.post(page_of(worker), {"action": "figures", field: value}, follow=True)
    assert says in reply.content.decode()
    worker.refresh_from_db()
    assert (worker.completed, worker.approval) == (None, None)


def test_who_may_only_look_sets_no_figures(viewer: Client) -> None:
    worker = make_distrusted()
    assert "The platform’s figures" not in viewer.get(page_of(worker)).content.decode()
    assert viewer.post(page_of(worker), {"action": "figures", "completed": "3"}).status_code == 403


def test_a_failed_test_is_shown_and_its_tries_are_given_back(reviewer: Client) -> None:
    batch = make_tested(tries=1)
    worker = make_worker(batch.project)
    assert take(worker, right=0).state == QualificationTry.State.FAILED
    text = reviewer.get(page_of(worker)).content.decode()
    assert "Qualification tests" in text
    assert "Give their tries back" in text

    reviewer.post(page_of(worker), {"action": "restore", "stage": "link", "note": "the link was broken"})

    assert Decision.objects.get(worker=worker).kind == Decision.Kind.RESTORE
    assert take(worker, right=4).number == 2

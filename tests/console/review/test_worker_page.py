"""A worker on one page, and what is decided about them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import (
    Case,
    Decision,
    Judgment,
    QualificationTry,
    Standing,
    VerificationQuestion,
    Worker,
)
from console.review import workers
from tests.console.review.making import SCRIPT, make_finished
from tests.factories import NOW, answer_page, make_at_stage, make_batch, make_image, make_worker
from tests.workflows.tested import make_tested, take
from workflows.services import setting_aside
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


def test_the_minimum_of_a_stage_is_shown_however_long_ago_the_worker_took_work_of_it(
    viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who lost trust in a stage goes on with others, of which the newest pages are."""
    monkeypatch.setattr(workers, "PAGES", 0)
    (score,) = viewer.get(_url(_worker())).context["found"].scores
    assert (score.minimum_says, score.below) == ("70%", True)


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
    with django_assert_max_num_queries(22):  # type: ignore[operator]  # pytest-django's fixture has no type
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
    said = reviewer.post(_url(worker), {"action": "restore", "stage": "drawing"}, follow=True)
    assert "There is nothing to restore in drawing" in said.content.decode()
    assert Decision.objects.count() == 1


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


def _shown(client: Client, url: str, note: str = "") -> dict[str, Any]:
    """What the preview's form sends back."""
    found = client.get(url).context["preview"]
    return {"note": note, "judgments": found.judgments, "newest": found.newest}


def test_judgments_are_set_aside_and_close_the_case_they_came_from(reviewer: Client) -> None:
    worker = _worker()
    case = Case.objects.get()
    url = _aside(worker, f"?stage=drawing&every=1&case={case.pk}")
    typed = _shown(reviewer, url, "careless")
    for _ in range(2):
        assert reviewer.post(url, typed).status_code == 302
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == ("set-aside", "rita", "careless")
    assert Judgment.objects.get(set_aside=decision).worker == worker
    case.refresh_from_db()
    assert case.decision == decision


def test_what_was_not_shown_is_not_set_aside(reviewer: Client) -> None:
    worker = _worker()
    url = _aside(worker, "?stage=drawing&every=1")
    typed = _shown(reviewer, url, "careless")
    batch = Judgment.objects.earliest("pk").assignment.batch
    make_image(batch.project, [["man"]])
    make_batch(batch.project, name="second")
    answer_page(worker, stage="drawing")
    reply = reviewer.post(url, typed)
    assert reply.status_code == 409
    text = reply.content.decode()
    assert "More was answered since" in text
    assert "careless" in text, "what was typed is kept"
    assert "Set 2 judgments aside" in text
    assert not Decision.objects.exists()
    assert reviewer.post(url, _sent(reply)).status_code == 302
    assert Judgment.objects.filter(set_aside=Decision.objects.get()).count() == 2


def _sent(reply: Any) -> dict[str, Any]:
    """What a browser sends of the form in the reply."""
    form = reply.context["form"]
    return {name: form[name].value() for name in form.fields}


@pytest.mark.parametrize("typed", [{"note": ""}, {"note": "", "judgments": "x", "newest": "1"}])
def test_what_does_not_say_what_was_shown_sets_nothing_aside(reviewer: Client, typed: dict[str, str]) -> None:
    url = _aside(_worker(), "?stage=drawing&every=1")
    assert reviewer.post(url, typed).status_code == 422
    assert not Decision.objects.exists()


def test_a_preview_of_many_images_says_that_it_estimates(
    reviewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = _aside(_worker(), "?stage=drawing&every=1")
    assert "about" not in reviewer.get(url).content.decode().split("What it would touch")[1]
    monkeypatch.setattr(setting_aside, "FOLDED", 0)
    text = reviewer.get(url).content.decode()
    assert "about 0" in text
    assert "estimates, from 0 of the images" in text


def test_judgments_that_were_set_aside_count_again(reviewer: Client) -> None:
    worker = _worker()
    url = _aside(worker, "?stage=drawing&every=1")
    reviewer.post(url, _shown(reviewer, url))
    decision = Decision.objects.get()
    assert "Let them count again" in reviewer.get(_url(worker)).content.decode()
    reviewer.post(reverse("review:let-count", args=[worker.pk, decision.pk]), {"note": "a mistake"})
    assert not Judgment.objects.filter(set_aside__isnull=False).exists()
    assert "Let them count again" not in reviewer.get(_url(worker)).content.decode()


def test_judgments_of_another_worker_are_not_let_count_by_this_address(reviewer: Client) -> None:
    worker = _worker()
    decision = Decision.objects.create(
        project=worker.project, kind="set-aside", by="ada", worker=worker, stage="drawing", created_at=NOW
    )
    other = make_worker(worker.project)
    url = reverse("review:let-count", args=[other.pk, decision.pk])
    assert reviewer.post(url, {"note": "a mistake"}).status_code == 404
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("note", ["a\0b", "x" * 2001])
def test_a_note_that_cannot_be_kept_is_refused(reviewer: Client, note: str) -> None:
    worker = _worker()
    said = reviewer.post(_url(worker), {"action": "block", "note": note}, follow=True).content.decode()
    assert "Nothing was changed: Why:" in said
    assert not Decision.objects.exists()


def test_a_name_with_a_character_that_no_name_has_is_a_bad_request(viewer: Client) -> None:
    """PostgreSQL keeps no NUL in a text, and SQLite finds nothing by it."""
    assert viewer.get(reverse("review:workers") + "?name=%00").status_code == 400


@pytest.mark.parametrize("query", ["", "?stage=x", "?stage=link&batch=999"])
def test_a_preview_of_nothing_there_is_not_found(reviewer: Client, query: str) -> None:
    assert reviewer.get(_aside(_worker(), query)).status_code == 404


def test_workers_are_found_by_how_their_name_begins(viewer: Client) -> None:
    project = make_worker(_worker().project, "amt-1").project
    text = viewer.get(reverse("review:workers") + f"?name=amt&project={project.pk}").content.decode()
    assert "amt-1" in text
    assert text.count('scope="row"') == 1


def test_the_platforms_figures_are_kept_and_taken_back(reviewer: Client) -> None:
    worker = _worker()
    for completed, approval in ((812, 0.97), (None, None)):
        data = {"action": "figures", "completed": completed or "", "approval": approval or ""}
        assert reviewer.post(_url(worker), data).status_code == 302
        worker.refresh_from_db()
        assert (worker.completed, worker.approval) == (completed, approval)
    Worker.objects.update(completed=812, approval=0.97)
    text = reviewer.get(_url(worker)).content.decode()
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
    worker = _worker()
    reply = reviewer.post(_url(worker), {"action": "figures", field: value}, follow=True)
    assert says in reply.content.decode()
    worker.refresh_from_db()
    assert (worker.completed, worker.approval) == (None, None)


def test_who_may_only_look_sets_no_figures(viewer: Client) -> None:
    worker = _worker()
    assert "The platform’s figures" not in viewer.get(_url(worker)).content.decode()
    assert viewer.post(_url(worker), {"action": "figures", "completed": "3"}).status_code == 403


def test_a_failed_test_is_shown_and_its_tries_are_given_back(reviewer: Client) -> None:
    batch = make_tested(tries=1)
    worker = make_worker(batch.project)
    assert take(worker, right=0).state == QualificationTry.State.FAILED
    text = reviewer.get(_url(worker)).content.decode()
    assert "Qualification tests" in text
    assert "Give their tries back" in text

    reviewer.post(_url(worker), {"action": "restore", "stage": "link", "note": "the link was broken"})

    assert Decision.objects.get(worker=worker).kind == Decision.Kind.RESTORE
    assert take(worker, right=4).number == 2

"""Sessions of workers who come from a platform: what they may do, and what they may not."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Assignment, Item, Judgment, Worker
from tests.factories import make_batch, make_image, make_running
from tests.workflows.crowd_made import (
    ACCOUNT,
    ORIGIN,
    ask,
    body_of,
    enter,
    hand_in,
    make_publication,
    page_of,
)
from tests.workflows.http import Api, check_problem
from tests.workflows.qualification.tested_workers import make_tested
from tests.workflows.threads import at_once
from workflows.crowd.models import Publication
from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.prolific.completion_codes import completion_code
from workflows.platforms.provider import Environment
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]


@pytest.fixture(autouse=True)
def account(settings: Any) -> None:
    settings.MTURK = ACCOUNT


def test_a_session_says_what_there_is_to_do_and_how_it_ends() -> None:
    batch = make_running(LINK)
    batch.project.contact = "a@example.org"
    batch.project.save()
    publication = make_publication(batch)
    said = ask(body_of(publication)).json()
    assert said == {
        "token": said["token"],
        "stage": "link",
        "key": "A1",
        "state": "working",
        "pages": 1,
        "pages_done": 0,
        "pays_failed_test": False,
        "finish": {
            "kind": "form",
            "action": f"{ORIGIN}/mturk/externalSubmit",
            "fields": {"assignmentId": "A1", "page": publication.token},
        },
        "contact": "a@example.org",
    }
    held = Participation.objects.get()
    assert (held.worker.provider, held.worker.external_id, held.confirmed) == ("mturk", "AW1", False)
    assert (held.state, held.submit_to) == ("opened", ORIGIN)


def test_a_preview_is_no_assignment() -> None:
    """All previews have the same name, so they would all get the same page."""
    publication = make_publication(make_running(LINK))
    said = ask({**body_of(publication), "assignment": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    check_problem(said, 400)
    assert [one["pointer"] for one in said.json()["errors"]] == ["/assignment"]
    assert not Participation.objects.exists()


def test_a_reload_gives_the_same_session_and_page() -> None:
    publication = make_publication(make_running(LINK))
    first = enter(publication).claim("link").json()
    again = enter(publication).claim("link", key="A1")
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert Participation.objects.get().assignment_id is not None


def test_a_page_of_a_place_pays_what_was_published_and_waits_to_be_confirmed() -> None:
    publication = make_publication(make_running(LINK), reward=7)
    page = enter(publication).claim("link").json()
    assert page["reward"] == {"amount": 7, "currency": "USD"}
    held = Assignment.objects.get()
    assert (held.confirmed, held.key, str(held.pk)) == (False, "A1", page["id"])


def test_a_page_comes_from_the_batch_that_was_published() -> None:
    first = make_running(LINK, images=12)
    make_image(first.project, LINK)
    publication = make_publication(make_batch(first.project, name="second"))
    enter(publication).claim("link")
    assert Assignment.objects.get().batch_id == publication.batch_id


@pytest.mark.parametrize(
    "submit_to",
    [
        "",
        "https://evil.example.org",
        f"{ORIGIN}.evil.org",
        f"{ORIGIN}@evil.org",
        f"{ORIGIN}:8443",
        f"{ORIGIN}/x",
        "http://workersandbox.example.org",
        "https://[evil",
    ],
)
def test_another_address_to_report_to_is_refused_before_anything_is_written(submit_to: str) -> None:
    publication = make_publication(make_running(LINK))
    problem = check_problem(ask({**body_of(publication), "submit_to": submit_to}), 400)
    assert [error["pointer"] for error in problem["errors"]] == ["/submit_to"]
    assert not Participation.objects.exists() and not Worker.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("assignment", ""),
        ("assignment", "A" * 129),
        ("worker", "AW1\x00"),
        ("worker", "<b>"),
        ("stage", "nonsense"),
        ("publication", "../x"),
        ("submit_to", "x" * 201),
        ("more", "x"),
    ],
)
def test_what_no_platform_says_is_refused(field: str, value: str) -> None:
    publication = make_publication(make_running(LINK))
    problem = check_problem(ask({**body_of(publication), field: value}), 400)
    assert {error["pointer"] for error in problem["errors"]} == {f"/{field}"}


def test_what_is_not_published_or_over_is_not_there() -> None:
    publication = make_publication(make_running(LINK))
    check_problem(ask({**body_of(publication), "publication": "ffffffff"}), 404)
    check_problem(ask({**body_of(publication), "stage": "drawing"}), 404)
    Publication.objects.update(state="settled")
    check_problem(ask(body_of(publication)), 404)
    Publication.objects.update(state="planned")
    reply = ask(body_of(publication))
    check_problem(reply, 503)
    assert reply.headers["Retry-After"] == "2"
    Publication.objects.update(state="closed")
    assert ask(body_of(publication)).status_code == 200


def test_no_more_come_than_places_explain() -> None:
    publication = make_publication(make_running(LINK))
    for number in range(25):
        enter(publication, f"AW{number}", f"A{number}")
    check_problem(ask(body_of(publication, "AW99", "A99")), 409)
    assert Worker.objects.count() == 25
    assert ask(body_of(publication, "AW0", "A0")).status_code == 200, "who was there before comes in"


def test_an_assignment_that_was_given_back_is_another_workers_then() -> None:
    publication = make_publication(make_running(LINK, images=30), places=2)
    first, second = (enter(publication, worker, "A1").claim("link") for worker in ("AW1", "AW2"))
    assert first.status_code == second.status_code == 201
    assert Participation.objects.values_list("external_id", flat=True).distinct().get() == "A1"


def test_a_token_opens_its_page_and_nothing_else() -> None:
    batch = make_running(LINK, images=25)
    publication = make_publication(batch)
    other = make_publication(batch)
    api = enter(publication)
    mine = api.claim(key="A1").json()["id"]
    others = enter(other, "AW1", "A2").claim().json()["id"]
    assert mine != others
    assert api.get(f"assignments/{mine}").status_code == 200
    assert api.post(f"assignments/{mine}/renewal").status_code == 200
    check_problem(api.get(f"assignments/{others}"), 404)
    for verb in ("renewal", "return"):
        check_problem(api.post(f"assignments/{others}/{verb}"), 404)
    check_problem(api.post(f"assignments/{others}/submission", {"answers": [{"item": 1, "answer": {}}]}), 404)
    check_problem(api.get("me"), 403)
    check_problem(api.get("stages"), 403)
    check_problem(api.post("token"), 403)
    check_problem(api.claim("drawing"), 409)
    check_problem(api.claim("link", key="A2"), 409)
    assert api.post(f"assignments/{mine}/return").status_code == 204
    assert api.claim().status_code == 204, "one page a place"


def test_a_token_takes_the_test_of_its_stage_only() -> None:
    api = enter(make_publication(make_tested("link")))
    assert api.claim().json()["standing"] == "test"
    assert api.get("qualifications/link").json()["state"] == "none"
    assert api.post("qualifications/link/tries").status_code == 201
    check_problem(api.get("qualifications/drawing"), 403)


def test_answers_are_held_and_a_session_goes_straight_to_reporting() -> None:
    """psiTurk #390: work was submitted here, but not on the platform."""
    publication = make_publication(make_running(LINK))
    api = enter(publication)
    page = api.claim().json()
    check_problem(api.submit(page, {"nonsense": 1}), 400)
    first = api.submit(page, {"same": True})
    again = api.submit(page, {"same": True}, next=True)
    assert (first.status_code, again.status_code) == (201, 200)
    check_problem(api.submit(page, {"same": False}), 409)
    assert first.json() | {"next": None} == again.json(), "a place is for one page"
    assert (first.json()["accepted"], first.json()["reward"]["amount"]) == (1, 5)
    assert not Judgment.objects.exists() and Item.objects.get().leased == 1
    said = ask(body_of(publication)).json()
    assert said["state"] == "submitted" and said["finish"]["fields"]["assignmentId"] == "A1"
    assert api.get(f"assignments/{page['id']}").json()["state"] == "submitted"
    check_problem(api.claim(), 409)
    check_problem(api.post(f"assignments/{page['id']}/renewal"), 409)
    assert api.post(f"assignments/{page['id']}/return").status_code == 204
    assert Assignment.objects.get().state == "live", "what was handed in is not given back"


def test_a_completion_code_is_told_to_who_has_finished(settings: Any) -> None:
    settings.PROLIFIC = ProlificAccount(
        endpoint="http://127.0.0.1:1",
        environment=Environment.EMULATOR,
        token="t",
        site="https://p.example.org",
    )
    publication = make_publication(make_running(LINK), provider="prolific")
    body = {**body_of(publication), "submit_to": ""}
    said = ask(body).json()
    assert said["finish"] is None
    api = Api(None, said["token"])
    api.submit(api.claim().json(), {"same": True})
    said = ask(body).json()["finish"]
    assert said["kind"] == "link"
    assert (
        said["href"] == f"https://p.example.org/submissions/complete?cc={completion_code(publication.token)}"
    )


def test_a_session_is_over_once_the_platform_knows() -> None:
    publication = make_publication(make_running(LINK))
    hand_in(publication)
    Participation.objects.update(state="submitted")
    said = ask(body_of(publication)).json()
    assert (said["state"], said["finish"]) == ("over", None)


def test_who_gave_a_place_back_and_has_it_again_goes_on() -> None:
    publication = make_publication(make_running(LINK))
    enter(publication).claim()
    Participation.objects.update(state="returned")
    assert ask(body_of(publication)).json()["state"] == "working"
    assert Participation.objects.get().state == "opened"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_make_one_session_and_one_page() -> None:
    publication = make_publication(make_running(LINK, images=30))

    def come() -> str:
        reply = enter(publication).claim()
        assert reply.status_code in (200, 201), reply.content
        return str(reply.json()["id"])

    assert len(set(at_once([come] * 6))) == 1
    held = Participation.objects.get()
    assert str(page_of(held).pk) == str(held.assignment_id)
    assert Item.objects.filter(leased=1).count() == 10

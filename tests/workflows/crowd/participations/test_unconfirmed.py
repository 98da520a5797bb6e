"""Anybody can write a name into an address: what is done under it does not change anything for its owner."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Exposure, QualificationTry, VerificationQuestion, Worker
from tests.factories import make_controlled, make_running
from tests.workflows.crowd_made import (
    ACCOUNT,
    ELSEWHERE,
    HERE,
    ask,
    body_of,
    enter,
    hand_in,
    make_publication,
    page_of,
)
from tests.workflows.http import Api, check_problem
from tests.workflows.platforms.fake import FakeProvider
from tests.workflows.qualification.tested_workers import GIVEN, WRONG, make_tested, take
from workflows.assignments.claim import PAGES_AT_ONCE, claim
from workflows.crowd.models import Publication
from workflows.crowd.participations.departures import drop_returned
from workflows.crowd.participations.held_answers import confirm_pages
from workflows.crowd.participations.sessions import begin
from workflows.crowd.participations.strangers import CrowdedError
from workflows.crowd.publications.domain import Supply
from workflows.crowd.publications.plan import supply
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]


@pytest.fixture(autouse=True)
def account(settings: Any) -> None:
    settings.MTURK = ACCOUNT


def at_a_test() -> Publication:
    """The stage's test has no training, and may be tried once."""
    return make_publication(make_tested("link", tries=1, training_items=0, test_items=4))


def do_test(api: Api, answer: dict[str, Any]) -> str:
    made = api.post("qualifications/link/tries")
    assert made.status_code in (200, 201), made.content
    held = made.json()
    answers = [{"item": one["item"], "answer": answer} for one in held["items"]]
    reply = api.post(f"qualifications/link/tries/{held['number']}/submission", {"answers": answers})
    assert reply.status_code == 201, reply.content
    return str(api.get("qualifications/link").json()["state"])


def test_a_failed_try_under_a_name_takes_nothing_from_whose_name_it_is() -> None:
    publication = at_a_test()
    assert do_test(enter(publication), WRONG["link"]) == "failed"
    worker = Worker.objects.get(external_id="AW1")
    assert not Exposure.objects.exists()
    assert not VerificationQuestion.objects.filter(asked__gt=0).exists()
    other = enter(publication, "AW1", "A2", address=ELSEWHERE).get("qualifications/link").json()
    assert (other["state"], other["tries_left"]) == ("none", 1)
    assert take(worker).state == "passed"


def test_a_passed_try_lets_nobody_in_elsewhere() -> None:
    publication = at_a_test()
    api = enter(publication)
    assert do_test(api, GIVEN["link"]) == "passed"
    other = enter(publication, "AW1", "A2", address=ELSEWHERE)
    assert other.claim("link").json()["standing"] == "test"
    assert api.claim("link").status_code == 204, "let in, though there is nothing to do"


def test_a_try_counts_once_the_platform_confirms_the_worker() -> None:
    publication = at_a_test()
    api = enter(publication)
    do_test(api, WRONG["link"])
    held = Participation.objects.get()
    for _ in range(2):
        confirm_pages(participation_id=held.pk, now=timezone.now())
    made = QualificationTry.objects.get()
    assert (made.place, made.number, made.state) == (None, 1, "failed")
    assert Exposure.objects.filter(worker=held.worker).count() == 4
    assert VerificationQuestion.objects.filter(asked=1, exposures=1).count() == 4
    assert enter(publication, "AW1", "A2").claim("link").json()["standing"] == "closed"
    assert api.get("qualifications/link").json()["state"] == "failed"


def test_tries_of_several_places_are_numbered_as_they_are_confirmed() -> None:
    publication = at_a_test()
    for place, address in (("A1", HERE), ("A2", ELSEWHERE)):
        do_test(enter(publication, "AW1", place, address=address), GIVEN["link"])
    for held in Participation.objects.order_by("-pk"):
        confirm_pages(participation_id=held.pk, now=timezone.now())
    assert list(QualificationTry.objects.order_by("number").values_list("number", "place")) == [
        (1, None),
        (2, None),
    ]


def test_who_gives_places_back_is_asked_other_questions_while_there_are_some() -> None:
    publication = at_a_test()
    for number, place in enumerate(("A1", "A2", "A3")):
        do_test(enter(publication, "AW1", place, address=f"192.0.2.{number}"), WRONG["link"])
    first, second, _ = QualificationTry.objects.order_by("pk")
    assert not set(first.test) & set(second.test), "the third had to ask again"


@pytest.mark.parametrize("where", ["participation", "publication"])
def test_a_token_ends_with_its_place(where: str) -> None:
    publication = make_publication(make_tested("link"))
    api = enter(publication)
    open_page = make_publication(make_running(LINK))
    other = enter(open_page)
    page = other.claim().json()
    if where == "participation":
        Participation.objects.update(state="returned")
    else:
        Publication.objects.update(state="settled")
    check_problem(api.post("qualifications/link/tries"), 403)
    check_problem(api.get("qualifications/link"), 403)
    assert not QualificationTry.objects.exists()
    check_problem(other.get(f"assignments/{page['id']}"), 404)
    check_problem(other.post(f"assignments/{page['id']}/renewal"), 404)
    assert other.claim().status_code == 204
    if where == "participation":
        check_problem(other.submit(page, {"same": True}), 404)


def test_what_was_handed_in_is_answered_again_after_the_place_is_over() -> None:
    api = enter(make_publication(make_running(LINK)))
    page = api.claim().json()
    first = api.submit(page, {"same": True})
    Participation.objects.update(state="returned")
    again = api.submit(page, {"same": True})
    assert (again.status_code, again.json()) == (200, first.json())


def test_pages_under_a_name_leave_the_worker_their_own() -> None:
    batch = make_running(LINK, images=100)
    for number in range(PAGES_AT_ONCE):
        assert enter(make_publication(batch), "AW1", f"A{number}").claim().status_code == 201
    worker = Worker.objects.get()
    assert claim(worker_id=worker.pk, stage="link", now=timezone.now()) is not None
    assert enter(make_publication(batch), "AW1", "A9").claim().status_code == 201


def test_an_entrance_page_under_a_name_leaves_the_worker_theirs() -> None:
    batch = make_controlled("link", "trusted", images=40, control={"entrance": 10})
    assert enter(make_publication(batch)).claim().status_code == 201
    page = claim(worker_id=Worker.objects.get().pk, stage="link", now=timezone.now())
    assert page is not None and page.created and page.assignment.checks


def test_an_entrance_is_not_asked_again_before_the_platform_confirms_it() -> None:
    """ "The first 30 items a screened worker gets are all verification questions", and no more than these."""
    batch = make_controlled("link", "trusted", images=40, control={"entrance": 10})
    publication = make_publication(batch, places=3)
    api = enter(publication, "AW1", "A1")
    page = api.claim().json()
    assert len(page["items"]) == 10
    assert api.submit(page, {"same": True}).status_code == 201
    again = enter(publication, "AW1", "A2")
    assert again.claim().status_code == 204, "the first page tells whether the worker gets in"
    confirm_pages(participation_id=Participation.objects.get(external_id="A1").pk, now=timezone.now())
    assert again.claim().status_code == 201
    assert page_of(Participation.objects.get(external_id="A2")).items
    elsewhere = enter(publication, "AW1", "A3", address=ELSEWHERE)
    assert elsewhere.claim().status_code == 201


def test_an_entrance_from_elsewhere_keeps_nobody_from_theirs() -> None:
    batch = make_controlled("link", "trusted", images=40, control={"entrance": 10})
    publication = make_publication(batch, places=3)
    stranger = enter(publication, "AW1", "A1", address=ELSEWHERE)
    assert stranger.submit(stranger.claim().json(), {"same": True}).status_code == 201
    assert len(enter(publication, "AW1", "A2").claim().json()["items"]) == 10


def test_questions_of_a_page_that_nobody_confirms_may_be_asked_again() -> None:
    batch = make_controlled("link", "verification", images=30)
    publication = make_publication(batch)
    enter(publication).claim()
    held = Participation.objects.get()
    asked = len(page_of(held).checks)
    assert asked and Exposure.objects.filter(worker=held.worker).count() == asked
    drop_returned(participation_id=held.pk, now=timezone.now())
    assert not Exposure.objects.exists()
    assert not VerificationQuestion.objects.filter(exposures__gt=0).exists()
    confirm_pages(participation_id=held.pk, now=timezone.now())
    assert Exposure.objects.filter(worker=held.worker).count() == asked
    assert VerificationQuestion.objects.filter(exposures=1).count() == asked


def come(publication: Publication, number: int, now: datetime) -> Participation:
    return begin(
        token=publication.token,
        stage=publication.stage,
        external_id=f"A{number}",
        worker=f"AW{number}",
        confirmed=False,
        submit_to="",
        now=now,
    ).participation


@pytest.mark.parametrize("gone", ["returned", "confirmed", "long ago"])
def test_who_is_at_work_no_more_keeps_nobody_out(gone: str) -> None:
    publication, now = make_publication(make_running(LINK)), timezone.now()
    for number in range(25):
        come(publication, number, now)
    with pytest.raises(CrowdedError):
        come(publication, 99, now)
    if gone == "returned":
        Participation.objects.update(state="returned")
    elif gone == "confirmed":
        Participation.objects.update(confirmed=True)
    else:
        now += timedelta(hours=3)
    assert come(publication, 99, now).state == "opened"


def test_a_place_that_was_given_back_has_to_be_confirmed_anew() -> None:
    publication = make_publication(make_running(LINK))
    api = enter(publication)
    page = api.claim().json()
    held = Participation.objects.get()
    confirm_pages(participation_id=held.pk, now=timezone.now())
    drop_returned(participation_id=held.pk, now=timezone.now())
    again = Api(None, ask(body_of(publication)).json()["token"])
    assert again.submit(page, {"same": True}).status_code == 201
    held.refresh_from_db()
    kept = page_of(held)
    assert not held.confirmed and not kept.confirmed
    assert kept.held and kept.state != Assignment.State.SUBMITTED


def test_who_takes_a_place_again_has_the_whole_time_again() -> None:
    publication, before = make_publication(make_running(LINK)), timezone.now() - timedelta(hours=2)
    held = come(publication, 1, before)
    drop_returned(participation_id=held.pk, now=before)
    now = timezone.now()
    assert come(publication, 1, now).opened_at == now
    assert Participation.objects.get().opened_at == now


def test_a_page_took_until_it_was_answered_not_until_it_was_confirmed() -> None:
    held = hand_in(make_publication(make_running(LINK)))
    answered = timezone.now()
    confirm_pages(participation_id=held.pk, now=answered + timedelta(hours=5))
    page = page_of(held)
    assert page.state == "submitted" and page.submitted_at is not None
    assert page.submitted_at <= answered


def test_sessions_under_invented_names_are_no_supply() -> None:
    publication = make_publication(make_running(LINK), provider="mturk", free=0, places=1)
    fake = FakeProvider(name="mturk")
    now = publication.created_at

    def there() -> Supply:
        return supply(fake, publication.batch_id, "link", now)

    assert there() == Supply(free=0, pages=1), "somebody took the place, and has no page so far"
    for number in range(5):
        come(publication, number, now)
    assert there() == Supply(free=0, pages=1)
    Publication.objects.update(free=1)
    assert there() == Supply(free=1, pages=1)
    Participation.objects.filter(worker__external_id="AW0").update(confirmed=True)
    Publication.objects.update(free=0)
    assert there() == Supply(free=0, pages=1)

"""Sessions under made-up names, opened by the API: how many, from where, and under which ids."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Exposure, Item, QualificationTry, Worker
from tests.factories import make_running
from tests.workflows.crowd.participations.test_unconfirmed import at_a_test, do_test
from tests.workflows.crowd_made import ACCOUNT, ELSEWHERE, ask, body_of, enter, make_publication
from tests.workflows.http import check_problem
from tests.workflows.qualification.tested_workers import GIVEN, WRONG, make_tested
from tests.workflows.threads import at_once
from workflows.crowd.invitations.rate_limits import KEPT, forget_attempts
from workflows.crowd.models import Publication
from workflows.crowd.participations import sessions
from workflows.crowd.participations.departures import drop_returned
from workflows.crowd.participations.held_answers import confirm_pages
from workflows.crowd.participations.strangers import NoRoomError
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]


@pytest.fixture(autouse=True)
def account(settings: Any) -> None:
    settings.MTURK = ACCOUNT
    settings.SESSIONS_PER_ADDRESS = 3


def opened(publication: Publication, number: int, address: str = ELSEWHERE) -> int:
    return ask(body_of(publication, f"AX{number}", f"X{number}"), address).status_code


def test_an_address_opens_no_more_sessions_an_hour_than_are_confirmed() -> None:
    batch = make_running(LINK, images=30)
    said = [opened(make_publication(batch), number) for number in range(5)]
    assert said == [200, 200, 200, 429, 429]
    assert Worker.objects.count() == Participation.objects.count() == 3
    publication = Publication.objects.order_by("pk")[0]
    assert opened(publication, 0) == 200, "who was there before comes in"
    assert opened(publication, 9, "192.0.2.5") == 200
    confirm_pages(participation_id=Participation.objects.order_by("pk")[0].pk, now=timezone.now())
    assert [opened(publication, number) for number in (6, 7)] == [200, 429]


def test_who_is_refused_is_told_when_to_come_again() -> None:
    publication = make_publication(make_running(LINK))
    for number in range(3):
        opened(publication, number)
    ago = timezone.now() - timedelta(minutes=50)
    Participation.objects.filter(external_id="X0").update(opened_at=ago)
    reply = ask(body_of(publication, "AX9", "X9"), ELSEWHERE)
    check_problem(reply, 429)
    assert 540 < int(reply.headers["Retry-After"]) <= 600
    Participation.objects.filter(external_id="X0").update(opened_at=ago - timedelta(minutes=10))
    assert opened(publication, 9) == 200


def test_behind_proxies_the_clients_address_counts(settings: Any) -> None:
    settings.GROUNDCREW_PROXIES = 1
    publication = make_publication(make_running(LINK))
    for number in range(3):
        assert opened(publication, number, "10.0.0.1") == 200
    assert opened(publication, 3, "10.0.0.1") == 429, "nobody was forwarded"


def test_no_address_is_kept_of_who_is_confirmed_nor_of_anybody_for_long() -> None:
    publication = make_publication(make_running(LINK))
    for number in range(2):
        opened(publication, number)
    first, second = Participation.objects.order_by("pk")
    assert first.origin == second.origin and ELSEWHERE not in first.origin
    confirm_pages(participation_id=first.pk, now=timezone.now())
    forget_attempts(now=timezone.now())
    assert list(Participation.objects.order_by("pk").values_list("origin", flat=True)) == ["", second.origin]
    forget_attempts(now=timezone.now() + KEPT)
    assert not Participation.objects.exclude(origin="").exists()


@pytest.mark.parametrize(
    ("field", "value"), [("worker", "W1"), ("worker", "a1"), ("assignment", "a-1"), ("assignment", "A" * 65)]
)
def test_ids_that_the_platform_would_not_give_are_refused(field: str, value: str) -> None:
    publication = make_publication(make_running(LINK))
    problem = check_problem(ask({**body_of(publication), field: value}), 400)
    assert [error["pointer"] for error in problem["errors"]] == [f"/{field}"]
    assert not Worker.objects.exists()


def test_who_gives_a_place_back_after_a_bad_try_does_not_begin_anew() -> None:
    publication = at_a_test()
    do_test(enter(publication), WRONG["link"])
    held = Participation.objects.get()
    drop_returned(participation_id=held.pk, now=timezone.now())
    again = enter(publication, "AW1", "A2")
    assert again.get("qualifications/link").json()["state"] == "failed"
    check_problem(again.post("qualifications/link/tries"), 409)
    assert again.claim("link").json()["standing"] == "closed"
    assert QualificationTry.objects.count() == 1


def test_a_try_that_was_left_is_gone_on_with() -> None:
    """Workers who gave the task back, whose browser broke, or who have two tasks open have not failed."""
    publication = at_a_test()
    first = enter(publication)
    begun = first.post("qualifications/link/tries").json()
    second = enter(publication, "AW1", "A2")
    said = second.get("qualifications/link").json()
    assert (said["state"], said["try"]["number"]) == ("testing", begun["number"])
    again = second.post("qualifications/link/tries")
    assert (again.status_code, again.json()["items"]) == (200, begun["items"])
    assert do_test(second, GIVEN["link"]) == "passed"
    assert first.get("qualifications/link").json()["state"] == "passed"
    assert QualificationTry.objects.count() == 1


def test_who_passed_is_not_tested_again_in_the_next_task_before_the_platform_has_told() -> None:
    publication = at_a_test()
    assert do_test(enter(publication), GIVEN["link"]) == "passed"
    following = enter(publication, "AW1", "A2")
    assert following.get("qualifications/link").json()["state"] == "passed"
    assert following.claim("link").status_code == 204, "let in, though there is nothing to do"
    held = Participation.objects.get(external_id="A2")
    confirm_pages(participation_id=held.pk, now=timezone.now())
    assert QualificationTry.objects.get().place is None


def test_tries_whose_address_was_forgotten_do_not_count_and_give_no_number_twice() -> None:
    publication = make_publication(make_tested("link", tries=3, training_items=0, test_items=4))
    make = {"worker_id": 0, "stage": "link", "state": "failed", "pass_mark": 0.5}
    enter(publication), enter(publication, "AW1", "A2")
    long_ago = timezone.now() - timedelta(days=3)
    for number, held in enumerate(Participation.objects.order_by("pk"), start=1):
        make |= {"worker_id": held.worker_id, "place": held.pk, "number": number}
        QualificationTry.objects.create(**make, started_at=long_ago, ended_at=long_ago)
    Participation.objects.filter(external_id="A1").update(origin="")
    begun = enter(publication, "AW1", "A2").post("qualifications/link/tries")
    assert (begun.status_code, begun.json()["number"]) == (201, 3)


def test_bad_tries_nearby_count_for_good_once_the_worker_is_confirmed() -> None:
    publication = at_a_test()
    do_test(enter(publication), WRONG["link"])
    other = make_publication(publication.batch, "drawing")
    enter(other, "AW1", "A2")
    confirm_pages(participation_id=Participation.objects.get(publication=other).pk, now=timezone.now())
    made = QualificationTry.objects.get()
    assert (made.place, made.number, made.state) == (None, 1, "failed")
    assert Exposure.objects.count() == 4
    third = enter(publication, "AW1", "A3", address=ELSEWHERE)
    assert third.get("qualifications/link").json()["state"] == "failed"


def test_a_stranger_elsewhere_burns_no_try_of_whose_name_it_is() -> None:
    publication = at_a_test()
    do_test(enter(publication, address=ELSEWHERE), WRONG["link"])
    mine = enter(publication, "AW1", "A2")
    assert do_test(mine, GIVEN["link"]) == "passed"
    confirm_pages(participation_id=Participation.objects.get(external_id="A2").pk, now=timezone.now())
    assert QualificationTry.objects.filter(place=None).count() == 1


@pytest.mark.django_db(transaction=True)
def test_sessions_at_once_do_not_pass_the_limit_of_their_address() -> None:
    batch = make_running(LINK, images=30)
    several = [make_publication(batch) for _ in range(8)]
    calls = [partial(opened, one, number) for number, one in enumerate(several)]
    assert Counter(at_once(calls)) == {200: 3, 429: 5}
    assert Participation.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_strangers_at_once_hold_no_more_pages_than_there_are_places() -> None:
    publication = make_publication(make_running(LINK, images=40), places=2)
    doors = [
        enter(publication, f"AX{number}", f"X{number}", address=f"192.0.2.{number}") for number in range(8)
    ]
    said = [reply.status_code for reply in at_once([api.claim for api in doors])]
    assert set(said) <= {201, 204} and said.count(201) >= 2
    live = Assignment.objects.filter(state="live")
    assert live.count() == 2, "whoever makes room takes it, or finds that somebody has"
    assert Item.objects.filter(leased__gt=0).count() == sum(len(page.items) for page in live)


def test_nobody_loses_a_page_for_one_that_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other workers come in between each time that somebody makes room."""
    said: list[str] = []

    def no_room(*_: object) -> None:
        said.append("asked")
        raise NoRoomError([7])

    monkeypatch.setattr(sessions, "_claim_place", no_room)
    monkeypatch.setattr(sessions, "end_lease", lambda participation_id: said.append("put down"))
    claimed = sessions.claim_place(participation_id=1, stage=None, key="", now=timezone.now())
    assert claimed is None and said == [*["asked", "put down"] * (sessions.ROUNDS - 1), "asked"]

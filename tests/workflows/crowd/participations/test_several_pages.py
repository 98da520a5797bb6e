"""Places with several pages: one after the other, paid as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, Batch, Item, Judgment
from tests.factories import make_controlled, make_running, replies
from tests.workflows.crowd.scene import (
    REWARD,
    Scene,
    budget,
    check_money,
    check_settled,
    make_crowd_batch,
    participation,
)
from tests.workflows.crowd_made import ACCOUNT, ask, body_of, enter, make_publication
from tests.workflows.http import Api
from tests.workflows.pipeline.invariants import check_promises
from tests.workflows.threads import at_once
from workflows.assignments.claim import Claim
from workflows.assignments.leases import return_page
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import move_batch
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.participations.departures import drop_returned, drop_stranger, end_lease
from workflows.crowd.participations.held_answers import confirm_pages
from workflows.crowd.participations.selectors import pages_of
from workflows.crowd.participations.sessions import begin, claim_place
from workflows.crowd.publications.domain import pages_a_place
from workflows.crowd.publications.plan import supply
from workflows.crowd.rounds.reconcile import reconcile
from workflows.workers.enrolment import block_worker
from workflows.workers.models import Participation

LINK = [["man"], ["man"]]
PAGES = 3


@pytest.fixture(autouse=True)
def account(settings: Any) -> None:
    settings.MTURK = ACCOUNT


def make_batch(images: int) -> Batch:
    """Make a running batch whose pages have one link each."""
    batch = make_running(LINK, images=images)
    batch.settings = parse_settings(batch.settings | {"items_a_page": {"link": 1}}).to_json()
    batch.save()
    return batch


def make_place(images: int = PAGES, *, pages: int = PAGES) -> Publication:
    return make_publication(make_batch(images), pages=pages, reward=pages * REWARD)


def answer(api: Api, page: Any = None) -> Any:
    """Answer a page, or the one that is claimed now; return the page that comes with the receipt."""
    page = page or api.claim("link").json()
    reply = api.submit(page, {"same": True}, next=True)
    assert reply.status_code == 201, reply.content
    return reply.json()["next"]


def state_of(publication: Publication) -> tuple[str, int]:
    said = ask(body_of(publication)).json()
    return said["state"], said["pages_done"]


def answer_all(publication: Publication) -> Participation:
    api, page = enter(publication), None
    for _ in range(publication.pages):
        page = answer(api, page)
    assert page is None
    return Participation.objects.get()


@pytest.mark.django_db
def test_pages_come_one_after_the_other_until_the_last() -> None:
    publication = make_place(images=5)
    api = enter(publication)
    said = ask(body_of(publication)).json()
    assert (said["state"], said["pages"], said["pages_done"]) == ("working", PAGES, 0)
    first = api.claim("link").json()
    assert api.claim("link").json()["id"] == first["id"], "claiming again gives the same page"
    second = answer(api, first)
    assert second["id"] != first["id"] and state_of(publication) == ("working", 1)
    assert api.claim("link").json()["id"] == second["id"]
    third = answer(api, second)
    assert answer(api, third) is None
    assert state_of(publication) == ("submitted", PAGES)
    refused = api.claim("link")
    assert refused.status_code == 409 and "All answers are here" in refused.json()["detail"]
    one = Participation.objects.get()
    assert [str(page.pk) for page in pages_of(one)] == [first["id"], second["id"], third["id"]]
    assert {page.reward for page in pages_of(one)} == {REWARD}, "a page pays its part"
    assert Assignment.objects.count() == PAGES and not one.ended_early


@pytest.mark.django_db
def test_answers_of_a_page_may_be_sent_again_when_the_next_one_is_in_hand() -> None:
    publication = make_place()
    api = enter(publication)
    first = api.claim("link").json()
    second = answer(api, first)
    again = api.submit(first, {"same": True}, next=True)
    assert again.status_code == 200 and again.json()["next"]["id"] == second["id"]
    assert api.get(f"assignments/{first['id']}").status_code == 404, "it is not in hand any more"
    other = make_place()
    assert enter(other, "AW2", "A2").submit(first, {"same": True}).status_code == 404


@pytest.mark.django_db
def test_a_place_ends_early_if_there_is_no_further_page() -> None:
    publication = make_place(images=2)
    api = enter(publication)
    assert answer(api, answer(api)) is None
    assert state_of(publication) == ("submitted", 2)
    one = Participation.objects.get()
    assert one.ended_early and confirm_pages(participation_id=one.pk, now=timezone.now())
    assert Judgment.objects.count() == 2


@pytest.mark.django_db
def test_a_place_without_any_page_does_not_end_early() -> None:
    publication = make_place(images=1)
    Item.objects.update(state="done")
    assert enter(publication).claim("link").status_code == 204
    assert state_of(publication) == ("working", 0)


@pytest.mark.django_db
def test_a_page_given_back_ends_no_place() -> None:
    publication = make_place()
    api = enter(publication)
    page = answer(api)
    assert api.post(f"assignments/{page['id']}/return").status_code == 204
    assert api.claim("link").status_code == 204
    assert state_of(publication) == ("working", 1), "the worker has to give the place back"


@pytest.mark.django_db
def test_a_blocked_worker_who_has_done_nothing_ends_no_place() -> None:
    publication = make_place()
    api = enter(publication)
    block_worker(worker_id=Participation.objects.get().worker_id, by="ada", note="", now=timezone.now())
    assert api.claim("link").status_code == 403
    assert state_of(publication) == ("working", 0)


@pytest.mark.django_db
def test_a_worker_who_is_blocked_between_two_pages_can_hand_the_place_in() -> None:
    publication = make_place()
    api = enter(publication)
    page = api.claim("link").json()
    assert api.submit(page, {"same": True}).status_code == 201
    block_worker(worker_id=Participation.objects.get().worker_id, by="ada", note="", now=timezone.now())
    assert api.claim("link").status_code == 204
    assert state_of(publication) == ("submitted", 1)


@pytest.mark.django_db
def test_answers_count_only_for_whom_the_platform_confirms_all_at_once() -> None:
    one = answer_all(make_place())
    assert not Judgment.objects.exists()
    assert Item.objects.filter(leased=1).count() == PAGES, "nobody else gets them meanwhile"
    for _ in range(2):
        assert confirm_pages(participation_id=one.pk, now=timezone.now())
    assert Judgment.objects.count() == PAGES
    assert Item.objects.filter(judged=1, leased=0).count() == PAGES
    assert {(page.state, page.held) for page in pages_of(one)} == {("submitted", None)}
    check_promises(one.worker.project)


@pytest.mark.django_db
def test_pages_count_at_once_after_the_platform_has_confirmed_the_worker() -> None:
    publication = make_place()
    api = enter(publication)
    second = answer(api)
    one = Participation.objects.get()
    assert not confirm_pages(participation_id=one.pk, now=timezone.now()), "not all answers are in"
    assert Judgment.objects.count() == 1
    answer(api, answer(api, second))
    assert Judgment.objects.count() == PAGES
    assert confirm_pages(participation_id=one.pk, now=timezone.now())
    check_promises(one.worker.project)


@pytest.mark.parametrize("drop", [drop_returned, drop_stranger])
@pytest.mark.django_db
def test_whoever_leaves_gives_all_pages_back_and_counts_nothing(drop: Callable[..., bool]) -> None:
    publication = make_place()
    api = enter(publication)
    answer(api, answer(api))
    one = Participation.objects.get()
    assert drop(participation_id=one.pk, now=timezone.now())
    assert not drop(participation_id=one.pk, now=timezone.now())
    assert not Item.objects.filter(leased=1).exists() and not Judgment.objects.exists()
    assert [page.state for page in pages_of(one)] == ["returned", "returned", "expired"]
    assert state_of(publication)[0] == "over", "whoever answered and left does not have it again"
    check_promises(one.worker.project)


@pytest.mark.django_db
def test_a_stranger_who_has_to_make_room_loses_the_leases_of_all_pages() -> None:
    publication = make_place()
    api = enter(publication)
    answer(api)
    one = Participation.objects.get()
    assert end_lease(participation_id=one.pk) and not end_lease(participation_id=one.pk)
    assert not Item.objects.filter(leased=1).exists()
    answer(api, answer(api))
    assert confirm_pages(participation_id=one.pk, now=timezone.now()), "the answers were kept"
    assert Judgment.objects.count() == PAGES - 1, "the first item was free, and came again"
    check_promises(one.worker.project)


@pytest.mark.django_db
def test_a_place_is_published_and_paid_whole(scene: Scene) -> None:
    batch = make_crowd_batch(images=2 * PAGES, crowd={"pages": PAGES})
    scene.round()
    assert [(one.pages, one.reward) for one in scene.open()] == [(PAGES, PAGES * REWARD)] * 2
    reserved = 2 * (PAGES * REWARD + scene.open()[0].fee)
    assert budget(batch).reserved == reserved
    order = scene.fake.publications[scene.open()[0].external_id].order
    assert order.description.endswith(f"{PAGES} pages of 1 questions each.")
    for number, publication in enumerate(scene.open()):
        place = scene.fake.accept(publication.external_id, f"W{number}")
        for _ in range(PAGES):
            scene.open_page(publication, place, f"W{number}")
        scene.fake.submit(place)
    scene.settle()
    check_settled(scene)
    assert Judgment.objects.count() == 2 * PAGES
    assert (budget(batch).spent, budget(batch).reserved) == (reserved, 0)
    assert Payment.objects.count() == 2
    assert not Problem.objects.exists()


@pytest.mark.django_db
def test_pages_that_fill_no_place_wait_a_while_for_more(scene: Scene) -> None:
    make_crowd_batch(images=PAGES + 1, crowd={"pages": PAGES})
    scene.round()
    assert [one.pages for one in scene.open()] == [PAGES]
    scene.settle()
    assert len(scene.open()) == 1
    scene.wait(minutes=10)
    scene.round()
    assert [(one.pages, one.reward) for one in scene.open()] == [(PAGES, PAGES * REWARD), (1, REWARD)]


@pytest.mark.django_db
def test_a_small_batch_is_published_at_once(scene: Scene) -> None:
    make_crowd_batch(images=2, crowd={"pages": PAGES})
    scene.round()
    assert [(one.pages, one.places) for one in scene.open()] == [(2, 1)]


@pytest.mark.django_db
def test_pages_to_come_of_workers_are_not_published_again(scene: Scene) -> None:
    make_crowd_batch(images=PAGES, crowd={"pages": PAGES})
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    for _ in range(PAGES):
        scene.open_page(publication, place, "W1")
        scene.wait(minutes=11)
        assert not scene.round().planned
    scene.fake.submit(place)
    scene.settle()
    check_settled(scene)


@pytest.mark.django_db
def test_what_is_submitted_with_too_few_pages_is_not_paid_by_itself(scene: Scene) -> None:
    batch = make_crowd_batch(images=PAGES, crowd={"pages": PAGES})
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    scene.open_page(publication, place, "W1")
    scene.fake.submit(place)
    scene.wait(hours=2)
    scene.round()
    report = reconcile(provider=scene.fake, now=scene.now)
    assert not report.clean and participation(place).state == "submitted"
    assert f"only 1 of {PAGES} pages came here" in Problem.objects.get(kind="lost").detail
    assert Judgment.objects.count() == 1, "what came counts"
    assert budget(batch).spent == 0
    check_money(scene)


@pytest.mark.django_db
def test_a_place_given_back_after_a_page_is_said(scene: Scene) -> None:
    make_crowd_batch(images=PAGES, crowd={"pages": PAGES})
    scene.fake.tells_all = True
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    scene.open_page(publication, place, "W1")
    scene.round()
    scene.open_page(publication, place, "W1", answer=False)
    scene.fake.give_back(place)
    scene.round()
    assert Judgment.objects.count() == 1
    assert "answered pages of" in Problem.objects.get().detail
    assert not Item.objects.filter(leased=1).exists()


@pytest.mark.django_db
def test_a_batch_that_pauses_lets_workers_hand_in_what_they_have(scene: Scene) -> None:
    batch = make_crowd_batch(images=PAGES, crowd={"pages": PAGES})
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    one = scene.open_page(publication, place, "W1")
    move_batch(batch=batch, action="pause")
    assert claim_place(participation_id=one.pk, stage=None, key="", now=scene.now) is None
    scene.fake.submit(place)
    scene.settle()
    check_settled(scene)
    assert budget(batch).spent == PAGES * REWARD + publication.fee, "the place was promised whole"


@pytest.mark.django_db
def test_a_top_up_counts_all_pages_of_a_place(scene: Scene) -> None:
    batch = make_crowd_batch(images=PAGES, crowd={"pages": PAGES, "hourly_wage": 4800})
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    for _ in range(PAGES):
        scene.open_page(publication, place, "W1")
    scene.fake.submit(place)
    scene.round()
    batch.state = "finished"
    batch.save()
    scene.settle()
    several = Payment.objects.get(kind="top-up").amount
    assert several > 0 and (several + PAGES * REWARD) % PAGES == 0
    check_settled(scene)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_claims_at_once_give_one_next_page() -> None:
    publication = make_place(images=5)
    api = enter(publication)
    page = api.claim("link").json()
    assert api.submit(page, {"same": True}).status_code == 201
    one, now = Participation.objects.get(), timezone.now()

    def claimed() -> Claim | None:
        return claim_place(participation_id=one.pk, stage=None, key="", now=now)

    found = at_once([claimed] * 4)
    assert len({each.assignment.pk for each in found if each}) == 1 and None not in found
    one.refresh_from_db()
    assert (one.page_number, pages_of(one).count()) == (2, 2)
    assert Item.objects.filter(leased=1).count() == 2
    check_promises(one.worker.project)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_confirming_and_submitting_the_last_page_at_once_loses_nothing() -> None:
    publication = make_place()
    api = enter(publication)
    last = answer(api, answer(api))
    one, now = Participation.objects.get(), timezone.now()
    at_once(
        [
            lambda: api.submit(last, {"same": True}).status_code == 201,
            lambda: confirm_pages(participation_id=one.pk, now=now),
            lambda: confirm_pages(participation_id=one.pk, now=now),
        ]
    )
    assert confirm_pages(participation_id=one.pk, now=now + timedelta(minutes=1))
    assert Judgment.objects.count() == PAGES
    check_promises(one.worker.project)


def come(
    scene: Scene, publication: Publication, place: str, worker: str, address: str = "192.0.2.7"
) -> Participation:
    """Open a session under any name, as anybody may."""
    return begin(
        token=publication.token,
        stage="link",
        external_id=place,
        worker=worker,
        confirmed=False,
        submit_to="",
        now=scene.now,
        address=address,
    ).participation


def do_page(scene: Scene, one: Participation) -> bool:
    """Answer the next page of a place; return whether there was one."""
    found = claim_place(participation_id=one.pk, stage=None, key="", now=scene.now)
    if found is None:
        return False
    page = found.assignment
    submit(worker_id=one.worker_id, assignment_id=page.pk, replies=replies(page), now=scene.now)
    return True


@pytest.mark.django_db
def test_a_place_that_was_begun_is_gone_on_with_past_the_limit_of_a_day(scene: Scene) -> None:
    """Otherwise a worker would be paid a whole place for each page that the limit leaves."""
    batch = make_crowd_batch(images=20, crowd={"pages": 3, "pages_a_day": 1, "cap": 10_000})
    scene.round()
    (publication, *_) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    one = come(scene, publication, place, "W1")
    assert [do_page(scene, one) for _ in range(3)] == [True] * 3
    scene.fake.submit(place)
    scene.settle()
    assert budget(batch).spent == 3 * REWARD + publication.fee and Judgment.objects.count() == 3


@pytest.mark.django_db
def test_where_newcomers_have_an_entrance_a_place_has_one_page(scene: Scene) -> None:
    batch = make_controlled("link", "trusted", images=20, control={"entrance": 10})
    settings = settings_of(batch)
    several = replace(settings, crowd=replace(settings.crowd, pages=5))
    assert pages_a_place(several, "link") == 1
    without = replace(several, control=replace(several.control, entrance=0))
    assert pages_a_place(without, "link") == 5


@pytest.mark.django_db
def test_a_worker_whose_place_ended_early_gets_no_other_one_soon(scene: Scene) -> None:
    batch = make_crowd_batch(images=4, crowd={"pages": 3, "cap": 10_000})
    Item.objects.update(needed=2)
    scene.round()
    for _ in range(3):
        publication = next(
            one for one in scene.open() if scene.fake.publications[one.external_id].free(scene.now)
        )
        place = scene.fake.accept(publication.external_id, "W1")
        one = come(scene, publication, place, "W1")
        for _ in range(publication.pages):
            if not do_page(scene, one):
                break
        one = Participation.objects.get(pk=one.pk)
        if one.assignment_id is None:
            scene.fake.give_back(place)
        else:
            scene.fake.submit(place)
        scene.round()
    assert Judgment.objects.count() == 4
    fee = Publication.objects.filter(pages=3).values_list("fee", flat=True)[0]
    assert budget(batch).spent == 2 * (3 * REWARD + fee), "the third place was not begun"


@pytest.mark.django_db
def test_a_worker_between_two_pages_is_not_sent_away_by_strangers(scene: Scene) -> None:
    make_crowd_batch(images=40, crowd={"pages": 3, "open_pages": 1})
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "REAL")
    real = come(scene, publication, place, "REAL", "198.51.100.1")
    assert do_page(scene, real)
    scene.wait(minutes=1)
    stranger = come(scene, publication, "X1", "S1")
    claim_place(participation_id=stranger.pk, stage=None, key="", now=scene.now)
    assert do_page(scene, real) and do_page(scene, real)
    scene.fake.submit(place)
    scene.settle()
    assert Judgment.objects.filter(worker__external_id="REAL").count() == 3


@pytest.mark.django_db
def test_pages_whose_answers_are_held_count_as_held(scene: Scene) -> None:
    make_crowd_batch(images=40, crowd={"pages": 3, "open_pages": 1})
    scene.round()
    (publication,) = scene.open()
    for number in range(8):
        one = come(scene, publication, f"X{number}", f"S{number}")
        if not (do_page(scene, one) and do_page(scene, one)):
            continue
        found = claim_place(participation_id=one.pk, stage=None, key="", now=scene.now)
        if found is not None:
            return_page(worker_id=one.worker_id, assignment_id=found.assignment.pk)
    for _ in range(3):
        scene.wait(minutes=13)
        scene.round()
    assert (Item.objects.aggregate(leased=Sum("leased"))["leased"] or 0) <= 3


@pytest.mark.django_db
def test_names_beyond_the_places_suppress_no_publishing(scene: Scene) -> None:
    batch = make_crowd_batch(images=100, crowd={"pages": 10, "open_pages": 1, "cap": 100_000})
    scene.round()
    (publication,) = scene.open()
    scene.fake.accept(publication.external_id, "REAL")
    for number in range(6):
        one = come(scene, publication, f"X{number}", f"S{number}", f"10.0.0.{number}")
        claim_place(participation_id=one.pk, stage=None, key="", now=scene.now)
        scene.wait(seconds=1)
    Publication.objects.update(free=0)
    assert supply(scene.fake, batch.pk, "link", scene.now).pages <= 10


@pytest.mark.django_db
def test_pages_to_come_leave_the_open_places_to_others(scene: Scene) -> None:
    make_crowd_batch(images=100, crowd={"pages": 5, "open_pages": 2, "cap": 100_000})
    for number in range(3):
        scene.round()
        for publication in scene.open():
            if scene.fake.publications[publication.external_id].free(scene.now):
                worker = f"W{number}-{publication.pk}"
                scene.open_page(publication, scene.fake.accept(publication.external_id, worker), worker)
    scene.round()
    assert sum(one.free(scene.now) for one in scene.fake.publications.values()) == 2


@pytest.mark.django_db
def test_pages_are_confirmed_in_the_order_of_locks(settings: Any) -> None:
    """Works, items, questions: a claim locks them in this order, too."""
    batch = make_controlled("link", "verification", images=60)
    api = enter(make_publication(batch, pages=PAGES, reward=PAGES * REWARD))
    page = api.claim("link").json()
    for _ in range(PAGES):
        page = answer(api, page)
    with CaptureQueriesContext(connection) as queries:
        confirm_pages(participation_id=Participation.objects.get().pk, now=timezone.now())
    first = {
        name: next(
            place
            for place, query in enumerate(queries.captured_queries)
            if f'FROM "annotation_{name}"' in query["sql"] and "IN (" in query["sql"]
        )
        for name in ("item", "verificationquestion")
    }
    writes = [
        place
        for place, query in enumerate(queries.captured_queries)
        if query["sql"].startswith(('UPDATE "annotation_item"', 'UPDATE "annotation_verificationquestion"'))
    ]
    assert first["item"] < first["verificationquestion"] < min(writes)

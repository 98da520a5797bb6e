"""Answers of pages whose worker a platform has not confirmed yet."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Item, Judgment, Standing
from tests.factories import make_controlled, make_running
from tests.workflows.crowd_made import ACCOUNT, ask, body_of, enter, hand_in, make_publication, page_of
from tests.workflows.pipeline.invariants import check_promises
from tests.workflows.threads import at_once
from workflows.assignments.claim import claim
from workflows.assignments.leases import expire_leases
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.crowd.models import Publication
from workflows.crowd.participations.departures import drop_returned, drop_stranger
from workflows.crowd.participations.held_answers import confirm_pages
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def account(settings: Any) -> None:
    settings.MTURK = ACCOUNT


def counted(page: Assignment) -> tuple[int, int]:
    """Return how many answers the receipt says are accepted, and how many came too late."""
    assert page.receipt is not None
    return page.receipt["accepted"], page.receipt["acknowledged"]


def test_confirmed_answers_count_once() -> None:
    publication = make_publication(make_running(LINK, images=3))
    held = hand_in(publication)
    for _ in range(2):
        assert confirm_pages(participation_id=held.pk, now=timezone.now())
    assert Judgment.objects.count() == 3
    assert Item.objects.filter(judged=1, leased=0, unread=True).count() == 3
    page = page_of(held)
    assert (page.state, page.confirmed, page.held) == ("submitted", True, None)
    assert counted(page) == (3, 0)
    check_promises(held.worker.project)


def test_a_held_page_is_nobody_elses_for_a_day_and_counts_late_where_it_is_needed() -> None:
    batch = make_running(LINK, images=2)
    held = hand_in(make_publication(batch))
    now = timezone.now()
    assert expire_leases(now=now + DAY - timedelta(minutes=1)) == 0
    assert expire_leases(now=now + DAY + timedelta(minutes=1)) == 1
    Item.objects.filter(pk=page_of(held).items[0]).update(needed=0, state="done")
    assert confirm_pages(participation_id=held.pk, now=now + 2 * DAY)
    page = page_of(held)
    assert Judgment.objects.count() == 1 and page.late and len(page.late) == 1
    assert counted(page) == (2, 0), "what was told is not taken back"


def test_late_answers_do_not_meet_the_same_workers_own_page() -> None:
    batch = make_running(LINK, images=2)
    held = hand_in(make_publication(batch))
    now = timezone.now() + 2 * DAY
    expire_leases(now=now)
    Item.objects.update(needed=2)
    again = claim(worker_id=held.worker_id, stage="link", now=now)
    assert again and again.created
    assert confirm_pages(participation_id=held.pk, now=now)
    answers = [Reply(item=item, answer={"same": True}) for item in range(1, len(again.assignment.items) + 1)]
    submit(worker_id=held.worker_id, assignment_id=again.assignment.pk, replies=answers, now=now)
    assert Judgment.objects.count() == 2
    check_promises(batch.project)


def test_what_counts_of_nobody_is_found() -> None:
    batch = make_running(LINK)
    held = hand_in(make_publication(batch))
    confirm_pages(participation_id=held.pk, now=timezone.now())
    advance_pending(now=timezone.now())
    works = list(batch.works.values_list("pk", flat=True))
    assert verify(works) == []
    Assignment.objects.update(confirmed=False)
    assert [line for line in verify(works) if "is not confirmed" in line]


def test_a_stranger_s_page_is_free_and_their_answers_are_kept() -> None:
    publication = make_publication(make_running(LINK))
    held = hand_in(publication)
    assert drop_stranger(participation_id=held.pk, now=timezone.now())
    assert not drop_stranger(participation_id=held.pk, now=timezone.now())
    page = page_of(held)
    assert page.state == "returned" and page.held and not Judgment.objects.exists()
    assert Item.objects.get().leased == 0
    assert ask(body_of(publication)).json()["state"] == "over"
    check_promises(held.worker.project)


def test_a_place_given_back_frees_its_page_which_can_be_gone_on_with() -> None:
    publication = make_publication(make_running(LINK))
    page = enter(publication).claim().json()
    held = Participation.objects.get()
    assert drop_returned(participation_id=held.pk, now=timezone.now())
    assert Item.objects.get().leased == 0
    api = enter(publication)
    again = api.claim().json()
    assert (again["id"], again["state"]) == (page["id"], "expired")
    assert api.submit(again, {"same": True}).status_code == 201
    assert confirm_pages(participation_id=held.pk, now=timezone.now())
    assert Judgment.objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("needed", [True, False], ids=["needed", "answered by others"])
def test_who_seemed_to_have_left_hands_in_all_the_same(needed: bool) -> None:
    """They came while the clock was two hours behind, so their time seemed to be over when it came right."""
    publication = make_publication(make_running(LINK))
    api = enter(publication)
    page = api.claim().json()
    held = Participation.objects.get()
    assert drop_returned(participation_id=held.pk, now=timezone.now() + timedelta(hours=2))
    if not needed:
        Item.objects.update(needed=0, state="done")
    assert api.get(f"assignments/{page['id']}").json()["state"] == "expired"
    assert "Submit it" in api.post(f"assignments/{page['id']}/renewal").json()["detail"]
    assert api.submit(page, {"same": True}).status_code == 201
    assert ask(body_of(publication)).json()["state"] == "submitted", "they can report it to the platform"
    assert confirm_pages(participation_id=held.pk, now=timezone.now())
    assert Judgment.objects.count() == int(needed)
    assert page_of(held).late is None or not needed
    check_promises(held.worker.project)


@pytest.mark.parametrize("why", ["settled", "another's name"])
def test_a_place_that_is_over_takes_no_new_answers(why: str) -> None:
    publication = make_publication(make_running(LINK))
    api = enter(publication)
    page = api.claim().json()
    held = Participation.objects.get()
    drop_returned(participation_id=held.pk, now=timezone.now())
    if why == "settled":
        Publication.objects.update(state="settled")
    else:
        Participation.objects.update(assignment=None)
    assert api.submit(page, {"same": True}).status_code == 404
    assert Participation.objects.get().state == "returned"


def test_who_is_confirmed_before_they_answer_is_like_everybody() -> None:
    publication = make_publication(make_running(LINK))
    api = enter(publication)
    page = api.claim().json()
    held = Participation.objects.get()
    assert not confirm_pages(participation_id=held.pk, now=timezone.now())
    assert api.submit(page, {"same": True}).status_code == 201
    assert Judgment.objects.count() == 1
    assert confirm_pages(participation_id=held.pk, now=timezone.now())


def test_a_higher_minimum_side_since_then_does_not_refuse_what_was_taken() -> None:
    held = hand_in(make_publication(make_running(LINK)))
    batch = page_of(held).batch
    batch.settings["minimum_side"] = 50
    batch.save()
    assert confirm_pages(participation_id=held.pk, now=timezone.now())


def test_verification_questions_are_scored_once_confirmed() -> None:
    batch = make_controlled("link", "verification", images=30, control={"set_questions": 2})
    held = hand_in(make_publication(batch))
    assert not Standing.objects.filter(asked__gt=0).exists()
    confirm_pages(participation_id=held.pk, now=timezone.now())
    assert Standing.objects.get(worker=held.worker).asked == 2
    assert page_of(held).asked == 2


def test_held_pages_do_not_count_toward_pages_at_once() -> None:
    batch = make_running(LINK, images=100)
    for number in range(6):
        hand_in(make_publication(batch), assignment=f"A{number}")
    assert enter(make_publication(batch), assignment="A7").claim().status_code == 201
    assert Assignment.objects.filter(state="live").count() == 7


@pytest.mark.django_db(transaction=True)
def test_answers_and_confirmation_at_once_count_once() -> None:
    publication = make_publication(make_running(LINK, images=5))
    api = enter(publication)
    page = api.claim().json()
    held = Participation.objects.get()

    def hand() -> object:
        return api.submit(page, {"same": True}).status_code

    def confirm() -> object:
        return confirm_pages(participation_id=held.pk, now=timezone.now())

    said = at_once([hand, confirm, hand, confirm])
    assert {said[0], said[2]} == {200, 201}
    assert confirm_pages(participation_id=held.pk, now=timezone.now())
    assert Judgment.objects.count() == 5
    assert Item.objects.filter(judged=1, leased=0).count() == 5

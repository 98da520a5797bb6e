"""Who gives pages back, or lets them run out, learns nothing of which items are verification questions."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from annotation.models import Assignment, Batch, Item, Judgment, Worker
from tests.factories import (
    NOW,
    claim_maybe,
    claim_page,
    forget_page,
    make_controlled,
    make_worker,
    submit_page,
)
from tests.workflows.assignments.test_mixed_pages import enter
from tests.workflows.pipeline.invariants import check_promises
from workflows.assignments.claim import Place, claim
from workflows.assignments.leases import expire_leases, return_page
from workflows.assignments.unanswered_pages import take_up_again, unanswered_pages
from workflows.batch_settings.selectors import settings_of
from workflows.quality.standings import begin_anew

STATES = Assignment.State


def shown(page: Assignment) -> tuple[list[int], list[list[int]], list[int]]:
    return page.items, page.checks, page.images


def leave(page: Assignment, how: str) -> None:
    if how == STATES.RETURNED:
        return_page(worker_id=page.worker_id, assignment_id=page.pk)
    else:
        Assignment.objects.filter(pk=page.pk).update(expires_at=NOW - timedelta(seconds=1))
        expire_leases(now=NOW)
        Assignment.objects.filter(pk=page.pk).update(expires_at=page.expires_at)


@pytest.mark.django_db
@pytest.mark.parametrize("how", [STATES.RETURNED, STATES.EXPIRED])
@pytest.mark.parametrize("regime", ["verification", "trusted"])
@pytest.mark.parametrize("page", ["mixed", "visit"])
def test_page_after_page_shows_the_same(page: str, regime: str, how: str) -> None:
    batch = make_controlled("link", regime, images=40, questions=40, page=page)
    worker = make_worker(batch.project)
    seen = []
    for _ in range(12):
        held = claim_page(worker, stage="link")
        seen.append(shown(held))
        leave(held, how)
        check_promises(batch.project)
    assert [one for one in seen if one != seen[0]] == []


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["mixed", "visit"])
def test_if_others_take_an_item_none_of_the_page_comes_again(page: str) -> None:
    """Those that are missing would tell that they are no questions."""
    batch = make_controlled("link", "verification", images=60, questions=40, page=page)
    worker = make_worker(batch.project)
    seen: list[tuple[str, int]] = []
    while (found := claim_maybe(worker, stage="link")) is not None:
        held = found.assignment
        seen += [("item", item) for item in held.items]
        seen += [("question", question) for _, question in held.checks]
        return_page(worker_id=worker.pk, assignment_id=held.pk)
        if held.items:
            Item.objects.filter(pk=held.items[0]).update(leased=1)  # somebody else holds it
    assert len(seen) > 60 and len(seen) == len(set(seen))


@pytest.mark.django_db
def test_in_a_small_team_the_items_come_again_after_its_hours() -> None:
    batch = make_controlled("link", "verification", images=10, author_after_hours=2)
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    Item.objects.filter(pk=held.items[0]).update(leased=1)
    Item.objects.exclude(pk__in=held.items).update(leased=1)
    assert claim_maybe(worker, stage="link") is None
    later = held.expires_at + timedelta(hours=2, seconds=1)
    assert set(claim_page(worker, stage="link", now=later).items) <= set(held.items[1:])


@pytest.mark.django_db
def test_a_page_that_came_again_is_answered_and_others_follow() -> None:
    batch = make_controlled("link", "verification", images=40)
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    submit_page(claim_page(worker, stage="link"))
    held.refresh_from_db()
    assert held.state == STATES.SUBMITTED
    assert set(claim_page(worker, stage="link").items).isdisjoint(held.items)
    check_promises(batch.project)


@pytest.mark.django_db
def test_where_no_page_has_questions_others_come_at_once() -> None:
    batch = make_controlled("link", "open", images=40)
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    assert claim_page(worker, stage="link").pk != held.pk


def at_place(batch: Batch, worker: Worker) -> Assignment | None:
    place = Place(batch.pk, reward=5, currency="USD", confirmed=True, participation_id=1)
    found = claim(worker_id=worker.pk, stage="link", now=NOW, key=str(uuid4()), at=place)
    return found.assignment if found else None


@pytest.mark.django_db
def test_at_another_place_of_a_platform_items_do_not_come_again_as_questions_do_not() -> None:
    batch = make_controlled("link", "verification", images=30, questions=20)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    seen: list[tuple[str, int]] = []
    while (held := at_place(batch, worker)) is not None:
        seen += [("item", item) for item in held.items]
        seen += [("question", question) for _, question in held.checks]
        return_page(worker_id=worker.pk, assignment_id=held.pk)
    assert len(seen) > 30 and len(seen) == len(set(seen))
    assert at_place(batch, other), "they are for others"


@pytest.mark.django_db
def test_the_lease_is_a_full_term_from_now() -> None:
    batch = make_controlled("link", "verification", images=20)
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    later = NOW + timedelta(minutes=1)
    found = claim_maybe(worker, stage="link", now=later)
    assert found is not None and found.created
    term = timedelta(seconds=settings_of(batch).lease_seconds)
    assert found.assignment.expires_at == later + term


@pytest.mark.django_db
def test_the_time_that_a_page_takes_begins_anew() -> None:
    batch = make_controlled("link", "verification", images=20)
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    later = NOW + timedelta(hours=3)
    assert claim_page(worker, stage="link", now=later).created_at == later


@pytest.mark.django_db
def test_where_money_is_bound_no_page_comes_again() -> None:
    """It may have been let go when the page was given back."""
    batch = make_controlled("link", "verification", images=40, reward={"link": 5}, crowd={"cap": 500})
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    assert held.bound
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    other = claim_page(worker, stage="link")
    assert other.bound and set(other.items).isdisjoint(held.items)


@pytest.mark.django_db
def test_whoever_has_to_enter_again_gets_no_page_with_items() -> None:
    batch = make_controlled("link", "trusted", images=40, questions=80)
    worker = make_worker(batch.project)
    enter(worker)
    held = claim_page(worker, stage="link")
    assert held.items
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    begin_anew(worker_id=worker.pk, stage="link", now=NOW)
    assert not claim_page(worker, stage="link").items


@pytest.mark.django_db
def test_a_page_with_an_item_that_the_worker_has_answered_since_does_not_come_again() -> None:
    batch = make_controlled("link", "verification", images=40)
    worker = make_worker(batch.project)
    held = claim_page(worker, stage="link")
    return_page(worker_id=worker.pk, assignment_id=held.pk)
    forget_page(held)
    submit_page(claim_page(worker, stage="link"))
    answered = Judgment.objects.filter(item__isnull=False).latest("pk").item_id
    assert answered is not None
    Item.objects.filter(pk=answered).update(needed=3, state=Item.State.OPEN)
    Assignment.objects.filter(pk=held.pk).update(key="", items=[*held.items[:3], answered])
    pages = unanswered_pages(worker_id=worker.pk, batch=batch, stage="link", since=None)
    assert [page.pk for page in pages] == [held.pk]
    assert take_up_again(pages, worker_id=worker.pk, now=NOW, lease_seconds=60) is None

"""Batches that give one worker only so many pages, within 24 hours or in all."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Batch, Worker
from tests.factories import make_running, make_worker, replies
from tests.workflows.http import Api
from tests.workflows.threads import at_once
from workflows.assignments.claim import Claim, NotAdmittedError, claim
from workflows.assignments.leases import return_page
from workflows.assignments.submit import submit
from workflows.assignments.worker_account import account_of
from workflows.batch_settings.domain.settings import parse_settings

LINK = [["man"], ["man"]]
HOUR = timedelta(hours=1)


def make_batch(images: int = 9, **crowd: Any) -> Batch:
    """Make a running batch for invited people whose pages have one link each."""
    batch = make_running(LINK, images=images)
    settings = batch.settings | {"items_a_page": {"link": 1}, "crowd": crowd}
    batch.settings = parse_settings(settings).to_json()
    batch.save()
    return batch


def do_page(worker: Worker, now: datetime) -> Assignment:
    found = claim(worker_id=worker.pk, stage="link", now=now)
    assert found is not None and found.created
    page = found.assignment
    submit(worker_id=worker.pk, assignment_id=page.pk, replies=replies(page), now=now)
    return page


def refusal(worker: Worker, now: datetime) -> tuple[str, float | None]:
    with pytest.raises(NotAdmittedError) as caught:
        claim(worker_id=worker.pk, stage="link", now=now)
    return caught.value.standing, caught.value.retry_in


@pytest.mark.django_db
def test_a_worker_gets_no_more_than_a_batch_gives_one_person() -> None:
    batch, now = make_batch(pages_a_worker=2), timezone.now()
    worker, other = make_worker(batch.project), make_worker(batch.project)
    for _ in range(2):
        do_page(worker, now)
    assert refusal(worker, now) == ("enough", None)
    assert refusal(worker, now + timedelta(days=9)) == ("enough", None)
    assert claim(worker_id=worker.pk, stage=None, now=now) is None
    do_page(other, now)


@pytest.mark.django_db
def test_a_day_s_pages_come_back_one_after_the_other() -> None:
    batch, now = make_batch(pages_a_day=2), timezone.now()
    worker = make_worker(batch.project)
    do_page(worker, now)
    do_page(worker, now + HOUR)
    assert refusal(worker, now + 2 * HOUR) == ("enough", 22 * 3600)
    do_page(worker, now + 24 * HOUR)
    assert refusal(worker, now + 24 * HOUR) == ("enough", 3600)


@pytest.mark.django_db
def test_a_page_in_hand_counts_and_can_be_gone_on_with() -> None:
    batch, now = make_batch(pages_a_worker=1), timezone.now()
    worker = make_worker(batch.project)
    first, again = (claim(worker_id=worker.pk, stage="link", now=now) for _ in range(2))
    assert first is not None and again is not None and again.assignment == first.assignment
    assert return_page(worker_id=worker.pk, assignment_id=first.assignment.pk)
    assert claim(worker_id=worker.pk, stage="link", now=now) is not None, "a page given back does not count"


@pytest.mark.django_db
def test_pages_of_another_batch_do_not_count() -> None:
    batch, now = make_batch(pages_a_worker=1), timezone.now()
    worker = make_worker(batch.project)
    do_page(worker, now)
    Assignment.objects.update(batch=make_batch())
    do_page(worker, now)


@pytest.mark.django_db
def test_the_worker_is_told_when_there_is_more() -> None:
    batch = make_batch(pages_a_day=1)
    worker = make_worker(batch.project)
    do_page(worker, timezone.now())
    refused = Api(worker).claim("link")
    assert refused.status_code == 403
    assert refused.json()["standing"] == "enough" and "as one worker gets" in refused.json()["detail"]
    assert 0 < refused.json()["retry_in"] <= 24 * 3600
    said = account_of(worker_id=worker.pk, now=timezone.now())
    assert said is not None
    (stage,) = [one for one in said["stages"] if one["stage"] == "link"]
    assert stage["standing"] == "enough" and not stage["waiting"]
    assert 23 * 3600 < stage["retry_in"] <= 24 * 3600


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_claims_at_once_pass_no_limit() -> None:
    batch, now = make_batch(pages_a_worker=3), timezone.now()
    worker = make_worker(batch.project)

    def claimed(key: str) -> Claim | None:
        try:
            return claim(worker_id=worker.pk, stage="link", key=key, now=now)
        except NotAdmittedError:
            return None

    found = at_once([lambda key=key: claimed(key) for key in "abcdef"])  # type: ignore[misc]
    assert len([one for one in found if one is not None]) == 3
    assert Assignment.objects.count() == 3

"""What a worker is told about a stage while no batch of the project runs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Batch, Standing, Worker
from tests.factories import NOW, make_batch, make_image, make_worker
from tests.workflows.http import Api
from tests.workflows.qualification.tested_workers import in_the_test, make_tested, take
from workflows.batch_settings.domain.settings import parse_settings

pytestmark = pytest.mark.django_db

RESTING = [Batch.State.PAUSED, Batch.State.FINISHED]


def told(worker: Worker, stage: str = "link") -> str:
    (row,) = (row for row in Api(worker).get("me").json()["stages"] if row["stage"] == stage)
    return str(row["standing"])


def lose(worker: Worker, batch: Batch | None = None) -> None:
    Standing.objects.create(worker=worker, stage="link", batch=batch, state="lost", asked=30, changed_at=NOW)


def rest(batch: Batch, state: str) -> None:
    Batch.objects.filter(pk=batch.pk).update(state=state)


@pytest.mark.parametrize("state", RESTING)
def test_who_lost_trust_is_told_so_and_gets_no_empty_answer(state: str) -> None:
    batch = make_tested(test=4, tries=1)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    for one in (worker, other):
        take(one)
    lose(worker)
    rest(batch, state)
    assert (told(worker), told(worker, "quality"), told(other)) == ("closed", "open", "open")
    refused = Api(worker).claim("link")
    assert (refused.status_code, refused.json()["standing"]) == (403, "closed")
    assert Api(worker).claim("quality").status_code == 204
    assert Api(worker).claim().status_code == Api(other).claim("link").status_code == 204


@pytest.mark.parametrize("state", RESTING)
def test_who_has_not_passed_the_test_is_told_of_it_and_has_nothing_to_do(state: str) -> None:
    batch = make_tested()
    worker, begun = make_worker(batch.project), make_worker(batch.project)
    in_the_test(begun)
    rest(batch, state)
    assert told(worker) == told(begun) == "test"
    assert Api(worker).claim("link").status_code == 204
    assert Api(worker).get("qualifications/link").json()["state"] == "none"
    assert Api(worker).post("qualifications/link/tries").status_code == 409
    assert Api(begun).get("qualifications/link").json()["state"] == "testing"


def test_who_has_no_tries_left_is_closed_out_and_who_waits_waits() -> None:
    batch = make_tested(test=8, tries=2, wait_seconds=3600)
    out, waits = make_worker(batch.project), make_worker(batch.project)
    now = timezone.now()
    take(out, right=0, now=now - timedelta(days=1))
    for one in (out, waits):
        take(one, right=0, now=now)
    rest(batch, Batch.State.FINISHED)
    assert (told(out), told(waits)) == ("closed", "waiting")
    assert Api(out).get("qualifications/link").json()["state"] == "failed"
    assert Api(out).claim("link").status_code == 403
    assert Api(waits).claim("link").status_code == 204


def test_the_newest_batch_that_ran_says_what_is_asked() -> None:
    batch = make_tested()
    worker = make_worker(batch.project)
    rest(batch, Batch.State.PAUSED)
    make_image(batch.project, [["man"], ["man"]])
    newer = make_batch(batch.project, name="newer")
    assert told(worker) == "open", "one runs, where everybody's judgments count"
    rest(newer, Batch.State.FINISHED)
    assert told(worker) == "test", "a paused one goes before one that is finished"
    rest(newer, Batch.State.PAUSED)
    assert told(worker) == "open"
    rest(newer, Batch.State.CANCELLED)
    assert told(worker) == "test"


def test_a_loss_in_one_batch_is_told_while_that_batch_rests() -> None:
    batch = make_tested()
    worker = make_worker(batch.project)
    lose(worker, batch)
    batch.settings = parse_settings({"regime": "verification", "screening": {"test": False}}).to_json()
    batch.save()
    rest(batch, Batch.State.PAUSED)
    assert (told(worker), told(make_worker(batch.project))) == ("closed", "open")
    rest(batch, Batch.State.CANCELLED)
    assert told(worker) == "open", "nothing of the project asks for anything"

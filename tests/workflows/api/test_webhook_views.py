"""Events of the emulated Prolific arrive here: as hints, each once, and from nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from simulation.emulators.prolific.faults import Kind
from tests.factories import make_running, make_worker
from tests.workflows.crowd_made import make_publication
from tests.workflows.platforms.orders import make_order
from tests.workflows.platforms.prolific.stage import ProlificStage, account_at, prolific_stage
from workflows.crowd.models import Notice, Publication
from workflows.platforms.prolific.webhooks import subscribe
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db
URL = "/api/v1/crowd/prolific/webhook"


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    given = {name: value for name, value in headers.items() if name != "Content-Type"}
    return Client().post(url, body, content_type="application/json", headers=given).status_code


@pytest.fixture
def stage(db: None, settings: Any) -> Iterator[ProlificStage]:
    with prolific_stage() as stage:
        hooks = stage.emulator.hooks
        hooks.post = post
        secret = stage.provider.webhooks.make_secret()
        settings.PROLIFIC = account_at(stage.emulator, webhook_secret=secret)
        subscribe(stage.provider.webhooks, url=f"http://127.0.0.1{URL}")
        for one in hooks.subscriptions.values():
            one.target_url = URL
        yield stage


def known(stage: ProlificStage) -> Publication:
    """Publish a study that we know, after its own first events were handled."""
    one = stage.provider.publish(make_order("GBP"))
    made = make_publication(
        make_running([["man"], ["man"]]), provider="prolific", external_id=one.external_id, currency="GBP"
    )
    stage.emulator.hooks.deliver()
    Publication.objects.update(hinted=False)
    return made


def hinted(publication: Publication) -> bool:
    publication.refresh_from_db()
    return publication.hinted


def test_a_study_that_changes_is_looked_at(stage: ProlificStage) -> None:
    publication = known(stage)
    stage.provider.expire(publication.external_id)
    assert stage.emulator.hooks.deliver() == 1
    assert hinted(publication)


def test_a_submission_points_to_the_study_that_we_know_it_by(stage: ProlificStage) -> None:
    publication = known(stage)
    started = stage.emulator.participants.start(publication.external_id, stage.workers[0])
    stage.emulator.hooks.deliver()
    assert not hinted(publication)  # nobody has opened our page yet
    Participation.objects.create(
        publication=publication,
        external_id=started.submission_id,
        worker=make_worker(publication.batch.project),
        opened_at=publication.created_at,
    )
    stage.emulator.participants.complete(started.submission_id, "")
    stage.emulator.hooks.deliver()
    assert hinted(publication)


def test_an_event_that_comes_twice_is_taken_once(stage: ProlificStage) -> None:
    publication = known(stage)
    stage.world.faults.add(Kind.DOUBLE, "study.status.change")
    before = Notice.objects.filter(external_id__startswith="event:").count()
    stage.provider.expire(publication.external_id)
    assert stage.emulator.hooks.deliver() == 2  # both get a good reply
    assert Notice.objects.filter(external_id__startswith="event:").count() == before + 1


def test_the_same_request_under_another_name_is_a_replay(stage: ProlificStage) -> None:
    publication = known(stage)
    body = b'{"event_type": "study.status.change", "resource_id": "%s"}' % publication.external_id.encode()
    headers = stage.emulator.hooks.signed(body)
    assert post(URL, body, {**headers, "X-Event-ID": "e1"}) == 204 and hinted(publication)
    Publication.objects.update(hinted=False)
    assert post(URL, body, {**headers, "X-Event-ID": "e2"}) == 204 and not hinted(publication)


def test_a_late_event_is_taken_and_one_of_a_wrong_clock_is_not(stage: ProlificStage) -> None:
    publication = known(stage)
    stage.world.faults.add(Kind.LATE, "study.status.change")
    stage.provider.expire(publication.external_id)
    assert stage.emulator.hooks.deliver() == 0 and not hinted(publication)
    stage.world.clock.advance(3600)
    assert stage.emulator.hooks.deliver() == 0 and not hinted(publication)
    assert stage.emulator.hooks.log[-1][1] == 400
    stage.world.clock.advance(-3600)
    assert stage.emulator.hooks.deliver() == 1 and hinted(publication)


def test_what_is_not_signed_is_refused_and_writes_nothing(stage: ProlificStage) -> None:
    before = Notice.objects.count()
    assert post(URL, b'{"event_type": "study.status.change", "resource_id": "s"}', {}) == 400
    assert post(URL, b"x" * 70_000, {}) == 413
    assert Client().get(URL).status_code == 405
    assert Notice.objects.count() == before


def test_without_a_secret_there_is_no_such_address(settings: Any) -> None:
    settings.PROLIFIC = None
    assert post(URL, b"{}", {}) == 404

"""Workers who come by a link of ours get no page that a platform pays for."""

from __future__ import annotations

from io import StringIO
from random import Random

import pytest
from django.core.management import call_command

from annotation.models import Batch
from tests.factories import NOW
from tests.workflows.crowd.scene import Scene, make_crowd_batch
from tests.workflows.crowd_made import make_publication
from tests.workflows.qualification.tested_workers import make_tested
from workflows.assignments.claim import claim
from workflows.assignments.worker_account import account_of, stages_with_work
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.models import Publication
from workflows.qualification.tries import TryError, begin_try
from workflows.qualification.try_view import state_of
from workflows.quality.admission import settings_of_test
from workflows.workers.enrolment import enrol_worker

pytestmark = pytest.mark.django_db


def _waiting(worker_id: int) -> list[str]:
    return [one["stage"] for one in stages_with_work(worker_id=worker_id, now=NOW) if one["waiting"]]


def test_a_direct_worker_gets_no_page_of_a_platforms_batch(scene: Scene) -> None:
    batch = make_crowd_batch()
    worker = enrol_worker(project=batch.project, external_id="me")
    for stage in (None, "link"):
        assert claim(worker_id=worker.pk, stage=stage, now=NOW) is None
    told = account_of(worker_id=worker.pk, now=NOW)
    assert told is not None and not any(one["waiting"] for one in told["stages"])
    assert _waiting(worker.pk) == []
    out = StringIO()
    call_command("work_links", "http://127.0.0.1:8000", stdout=out)
    assert out.getvalue() == ""
    scene.round()
    scene.work(Publication.objects.get())  # asserts that a page is claimed there
    direct = make_crowd_batch(crowd={"provider": "direct"})
    other = enrol_worker(project=direct.project, external_id="me")
    assert _waiting(other.pk) == ["link"] and claim(worker_id=other.pk, stage="link", now=NOW)


def test_a_direct_worker_takes_no_test_of_a_platforms_batch() -> None:
    batch = make_tested("link")
    worker = enrol_worker(project=batch.project, external_id="me")
    _on(batch, "mturk")
    assert settings_of_test(worker_id=worker.pk, stage="link") is None
    assert state_of(worker_id=worker.pk, stage="link", now=NOW)["state"] == "not_required"
    with pytest.raises(TryError):
        begin_try(worker_id=worker.pk, stage="link", now=NOW, rng=Random(1))
    Batch.objects.update(state=Batch.State.PAUSED)
    assert settings_of_test(worker_id=worker.pk, stage="link") is None
    _on(batch, "direct")
    assert settings_of_test(worker_id=worker.pk, stage="link") is not None
    Batch.objects.update(state=Batch.State.RUNNING)
    assert begin_try(worker_id=worker.pk, stage="link", now=NOW, rng=Random(1))[1]


def test_at_a_place_the_test_goes_by_the_terms_of_its_batch() -> None:
    direct = make_tested("link", test_items=2)
    batch = Batch.objects.create(
        project=direct.project, name="on a platform", state=direct.state, settings=direct.settings
    )
    settings = batch.settings | {"screening": {**batch.settings["screening"], "test_items": 3}}
    batch.settings = parse_settings(settings).to_json()
    batch.save()
    _on(batch, "mturk")
    place = make_publication(batch).participations.create(
        external_id="A1", worker=enrol_worker(project=batch.project, external_id="AW1"), opened_at=NOW
    )
    for participation, items in ((place.pk, 3), (None, 2)):
        made, _ = begin_try(
            worker_id=place.worker_id, stage="link", now=NOW, rng=Random(1), participation_id=participation
        )
        assert len(made.test) == items


def _on(batch: Batch, provider: str) -> None:
    batch.refresh_from_db()
    batch.settings = parse_settings(batch.settings | {"crowd": {"provider": provider, "cap": 1000}}).to_json()
    batch.save()

"""Whoever comes by a link of ours gets no page that a platform pays for."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from tests.factories import NOW
from tests.workflows.services.crowd.playing import Scene, make_crowd_batch
from workflows.accounts import account, stages_with_work
from workflows.models import Publication
from workflows.services.dispatch import claim
from workflows.services.workers import enrol

pytestmark = pytest.mark.django_db


def _waiting(worker_id: int) -> list[str]:
    return [one["stage"] for one in stages_with_work(worker_id=worker_id, now=NOW) if one["waiting"]]


def test_a_direct_worker_gets_no_page_of_a_platforms_batch(scene: Scene) -> None:
    batch = make_crowd_batch()
    worker = enrol(project=batch.project, external_id="me")
    for stage in (None, "link"):
        assert claim(worker_id=worker.pk, stage=stage, now=NOW) is None
    told = account(worker_id=worker.pk, now=NOW)
    assert told is not None and not any(one["waiting"] for one in told["stages"])
    assert _waiting(worker.pk) == []
    out = StringIO()
    call_command("work_links", "http://127.0.0.1:8000", stdout=out)
    assert out.getvalue() == ""
    scene.round()
    scene.work(Publication.objects.get())  # asserts that a page is claimed there
    direct = make_crowd_batch(crowd={"provider": "direct"})
    other = enrol(project=direct.project, external_id="me")
    assert _waiting(other.pk) == ["link"] and claim(worker_id=other.pk, stage="link", now=NOW)

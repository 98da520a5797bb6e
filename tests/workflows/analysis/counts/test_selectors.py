"""What pages read from the kept figures."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Batch
from tests.factories import NOW, make_project
from workflows.analysis.counts.selectors import Kept, kept, kept_of_batches, kept_of_projects
from workflows.analysis.domain.kept_counts import Items, Queue
from workflows.analysis.models import KeptCounts

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_nothing_is_kept_before_it_was_counted() -> None:
    assert kept(project=make_project()) == Kept()


def test_a_project_and_its_batch_have_figures_of_their_own_and_the_oldest_says_as_of_when() -> None:
    project = make_project()
    batch = Batch.objects.create(project=project, name="main")
    for kind, target, images, at in (
        ("items", None, {"done": 2}, NOW),
        ("items", batch, {"done": 1}, NOW - timedelta(hours=1)),
    ):
        data = {"figures": Items(images=images).to_json()}
        KeptCounts.objects.create(
            project=project, batch=target, kind=kind, data=data, counted_at=at, seconds=0
        )
    data = {"figures": Queue({"cycle": 3}).to_json()}
    KeptCounts.objects.create(
        project=project, kind="queue", data=data, counted_at=NOW + timedelta(hours=1), seconds=0
    )
    of_project = Kept(
        items=Items(images={"done": 2}),
        queue=Queue({"cycle": 3}),
        times={"items": NOW, "queue": NOW + timedelta(hours=1)},
    )
    of_batch = Kept(items=Items(images={"done": 1}), times={"items": NOW - timedelta(hours=1)})
    assert of_project.counted_at == NOW
    assert kept(project=project) == of_project
    assert kept(batch=batch) == of_batch
    with CaptureQueriesContext(connection) as queries:
        assert kept_of_projects([project.pk, 0]) == {project.pk: of_project, 0: Kept()}
        assert kept_of_batches([batch.pk]) == {batch.pk: of_batch}
    assert len(queries) == 2


def test_what_is_being_counted_for_the_first_time_is_not_shown() -> None:
    project = make_project()
    claim = {"claim": {"by": "somebody", "at": NOW.isoformat()}}
    KeptCounts.objects.create(project=project, kind="queue", data=claim, counted_at=NOW, seconds=0)
    KeptCounts.objects.create(
        project=project, kind="another version", data={"figures": {}}, counted_at=NOW, seconds=0
    )
    assert kept(project=project) == Kept(counting=NOW)

from __future__ import annotations

import pytest

from annotation.models import Worker
from tests.factories import make_project
from workflows.workers.enrolment import WorkerBlockedError, enrol_worker, enrol_workers, lock_worker

pytestmark = pytest.mark.django_db


def test_a_worker_is_enrolled_once_a_project_and_provider() -> None:
    project, other = make_project(), make_project()
    first = enrol_worker(project=project, external_id="A1")
    assert enrol_worker(project=project, external_id="A1") == first
    assert enrol_worker(project=other, external_id="A1") != first
    assert enrol_worker(project=project, external_id="A1", provider="mturk") != first
    assert Worker.objects.count() == 3


def test_many_are_enrolled_in_their_order_and_those_who_are_there_stay() -> None:
    project = make_project()
    known = enrol_worker(project=project, external_id="b")
    enrol_worker(project=project, external_id="a", provider="mturk")
    found = enrol_workers(project=project, external_ids=["c", "b", "a"])
    assert [worker.external_id for worker in found] == ["c", "b", "a"]
    assert found[1] == known and {worker.provider for worker in found} == {"direct"}
    assert Worker.objects.count() == 4


def test_locking_a_worker_tells_the_project() -> None:
    project = make_project()
    assert lock_worker(enrol_worker(project=project, external_id="A1").pk) == project.pk


def test_a_blocked_or_unknown_worker_may_not_work() -> None:
    worker = enrol_worker(project=make_project(), external_id="A1")
    Worker.objects.update(blocked=True)
    for pk in (worker.pk, worker.pk + 1):
        with pytest.raises(WorkerBlockedError):
            lock_worker(pk)

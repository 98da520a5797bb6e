from __future__ import annotations

from functools import partial

import pytest

from annotation.models import Worker
from tests.factories import make_project, make_worker
from tests.workflows.threads import at_once
from workflows.workers.domain.platform_records import PlatformRecord
from workflows.workers.platform_records import set_platform_record, set_platform_records

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_what_the_platform_says_is_kept_and_can_be_taken_back() -> None:
    worker = make_worker(make_project())
    for figures in ((612, 0.97), (None, None)):
        set_platform_record(worker_id=worker.pk, completed=figures[0], approval=figures[1])
        worker.refresh_from_db()
        assert (worker.completed, worker.approval) == figures


def test_numbers_that_are_none_of_the_kind_are_refused() -> None:
    worker = make_worker(make_project())
    with pytest.raises(ValueError, match="completed: must be 0 or more"):
        set_platform_record(worker_id=worker.pk, completed=-1, approval=None)
    with pytest.raises(ValueError, match="approval: must be a share"):
        set_platform_record(worker_id=worker.pk, completed=None, approval=97)


@pytest.mark.django_db(transaction=True)
def test_figures_of_many_set_at_once_are_those_of_one_of_them() -> None:
    project = make_project()
    for name in ("5", "3", "11"):
        make_worker(project, name)
    names = [str(number) for number in range(12)]

    def keep(number: int) -> int:
        figures = {name: PlatformRecord(number, number / 10) for name in names}
        return set_platform_records(project=project, provider="direct", records=figures)

    at_once([partial(keep, number) for number in range(1, 7)])
    assert Worker.objects.count() == len(names)
    assert Worker.objects.values("completed", "approval").distinct().count() == 1

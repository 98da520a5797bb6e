from __future__ import annotations

from functools import partial

import pytest

from tests.factories import NOW, make_project
from tests.workflows.threads import at_once
from workflows.analysis.dataset_statistics import want_statistics
from workflows.analysis.models import KeptCounts
from workflows.core.heartbeats import begin_beat, end_beat
from workflows.core.models import Beat

pytestmark = pytest.mark.both_databases


@pytest.mark.django_db(transaction=True)
def test_runs_that_end_at_once_are_all_added_up() -> None:
    at_once([partial(begin_beat, "sweep", now=NOW) for _ in range(4)])
    at_once([partial(end_beat, "sweep", now=NOW, found={"leases": 2}) for _ in range(4)])
    assert Beat.objects.get().totals == {"runs": 4, "leases": 8}


@pytest.mark.django_db(transaction=True)
def test_statistics_that_several_want_at_once_are_counted_once() -> None:
    project = make_project()
    want = partial(want_statistics, project=project, source="crowd", batch=None, now=NOW)
    assert sorted(at_once([want] * 4)) == [False, False, False, True]
    assert KeptCounts.objects.count() == 1

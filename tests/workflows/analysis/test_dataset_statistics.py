"""Wanted statistics are counted, whatever happens to the message or the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import Retry

from annotation.models import Project
from tests.factories import NOW, make_project
from workflows import tasks
from workflows.analysis import dataset_statistics
from workflows.analysis.dataset_statistics import MAX_TRIES, next_wanted, want_statistics
from workflows.analysis.models import KeptCounts

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@contextmanager
def taken(name: str) -> Iterator[bool]:
    """Behave as if another process had the lock."""
    yield False


def test_the_sweep_finds_a_count_whose_message_was_lost(project: Project, eager_tasks: None) -> None:
    assert next_wanted() is None
    want_statistics(project=project, source="gold", batch=None, now=NOW)
    want_statistics(project=project, source="crowd", batch=None, now=NOW - timedelta(seconds=1))
    assert next_wanted() == (project.pk, "crowd", None), "whoever waited longest"
    tasks.sweep()
    assert next_wanted() is None, "one after the other, both were counted"
    assert KeptCounts.objects.filter(data__has_key="figures").count() == 2
    assert want_statistics(project=project, source="crowd", batch=None, now=NOW)


def test_a_count_that_ends_its_process_is_given_up(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(**_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(dataset_statistics, "count_dataset", die)
    want_statistics(project=project, source="crowd", batch=None, now=NOW)
    for _ in range(MAX_TRIES):
        assert not want_statistics(project=project, source="crowd", batch=None, now=NOW)
        with pytest.raises(MemoryError):
            tasks.count_statistics(project.pk, "crowd")
    tasks.count_statistics(project.pk, "crowd")
    assert KeptCounts.objects.get().data == {
        "error": "Counting ended 3 times without a result; the worker's log says why."
    }
    assert next_wanted() is None


def test_one_count_at_a_time(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("keep_statistics", "count_due"):
        monkeypatch.setattr(tasks, name, lambda **_: pytest.fail("a second one at once"))
    monkeypatch.setattr(tasks, "try_lock", taken)
    want_statistics(project=project, source="crowd", batch=None, now=NOW)
    tasks.count_statistics(project.pk, "crowd")
    assert next_wanted() is not None
    tasks.refresh_counts()


def test_figures_that_somebody_asked_for_wait_their_turn(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "try_lock", taken)
    sent: list[Any] = []

    def retry(**given: Any) -> Retry:
        sent.append(given)
        return Retry()

    monkeypatch.setattr(tasks.refresh_counts, "retry", retry)
    with pytest.raises(Retry):
        tasks.refresh_counts(project.pk)
    assert sent == [{"countdown": tasks.BUSY_SECONDS}]

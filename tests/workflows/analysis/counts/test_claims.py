"""Only one process counts at a time. Soon after it dies, another takes over."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from annotation.models import Project
from tests.factories import NOW, make_project
from workflows.analysis.counts.claims import Count, claim_count, release_count, rested, store_count
from workflows.analysis.counts.selectors import kept
from workflows.analysis.counts.targets import Target
from workflows.analysis.models import KeptCounts

pytestmark = pytest.mark.django_db


def count_of(project: Project) -> Count:
    return Count(Target(project.pk, None, ()), "queue", "", None)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(("took", "followed"), [(0, 300), (60, 600)])
def test_who_died_counting_is_followed_soon_and_whoever_follows_has_longer(took: int, followed: int) -> None:
    one = count_of(make_project())
    KeptCounts.objects.create(project_id=one.target.project_id, kind="queue", counted_at=NOW, seconds=took)
    first = claim_count(one, NOW, force=True)
    assert first is not None
    assert claim_count(one, later(followed - 1), force=True) is None
    assert claim_count(one, later(followed), force=True) is not None
    assert claim_count(one, later(3 * followed - 1), force=True) is None
    last = claim_count(one, later(3 * followed), force=True)
    assert last is not None
    counted = {"data": {"figures": {}}, "counted_at": later(3 * followed), "seconds": 0.0}
    assert not store_count(one, first, counted)
    assert store_count(one, last, counted)


def test_a_page_can_tell_since_when_something_is_being_counted() -> None:
    project = make_project()
    one = count_of(project)
    claim = claim_count(one, NOW, force=False)
    assert claim is not None and kept(project=project).counting == NOW
    store_count(one, claim, {"data": {"figures": {}}, "counted_at": NOW, "seconds": 0.0})
    assert kept(project=project).counting is None


def test_who_was_told_to_stop_leaves_no_failure_behind() -> None:
    one = count_of(make_project())
    for failed_at, ready in ((None, True), (NOW, False)):
        claim = claim_count(one, NOW, force=True)
        assert claim is not None
        release_count(one, claim, failed_at=failed_at)
        row = one.rows().get()
        assert ("claim" in row.data, rested(row, NOW)) == (False, ready)


def test_a_claim_and_a_failure_from_before_the_clock_was_set_back_hold_nobody_up() -> None:
    one = count_of(make_project())
    assert claim_count(one, NOW, force=True) is not None
    back = NOW - timedelta(hours=2)
    claim = claim_count(one, back, force=True)
    assert claim is not None
    release_count(one, claim, failed_at=NOW)
    assert rested(one.rows().get(), back)

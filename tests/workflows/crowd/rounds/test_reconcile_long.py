"""A long comparison does not keep us from publishing and paying."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workflows.crowd.rounds.test_reconcile import compare
from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_money,
    make_crowd_batch,
    participation,
)
from tests.workflows.platforms.orders import make_order
from workflows.crowd.models import Problem, Publication
from workflows.crowd.rounds.reconcile import reconcile
from workflows.crowd.rounds.step import Interleaver, round_of
from workflows.money.models import LedgerEntry

pytestmark = pytest.mark.django_db


def test_while_a_long_comparison_goes_on_new_work_is_published_and_submissions_are_paid(scene: Scene) -> None:
    """The clock says that each call takes a second."""
    make_crowd_batch(images=30, crowd={"open_pages": 30})
    scene.round()
    scene.wait(minutes=2)
    place = scene.work(scene.open()[-1])
    fresh = make_crowd_batch()
    done: list[tuple[int, str]] = []

    def round_in_between() -> None:
        round_of(provider=scene.fake, now=scene.now)
        compared = len(scene.fake.called("look"))
        done.append((compared, participation(place).state))

    rounds = Interleaver(round_in_between, clock=lambda: float(len(scene.fake.calls)))
    report = reconcile(provider=scene.fake, now=scene.now, rounds=rounds)
    assert (report.compared, report.problems) == (30, [])
    assert done[0] == (done[0][0], "approved") and done[0][0] < 15, "long before the comparison is over"
    assert Publication.objects.filter(batch=fresh, state="open").exists()
    scene.settle()
    check_money(scene)


def test_a_settled_publication_is_not_opened_again_by_a_list_that_is_older(scene: Scene) -> None:
    """A round settled the publication after the list was read."""
    batch = make_crowd_batch(images=2)
    scene.round()
    first, _ = scene.open()
    scene.work(first)
    stale = list(scene.fake.published())
    scene.round()
    scene.round()
    first.refresh_from_db()
    assert first.state == "settled"
    entries = LedgerEntry.objects.count()
    scene.fake.published = lambda: iter(stale)  # type: ignore[method-assign]
    compare(scene)
    first.refresh_from_db()
    assert (first.state, LedgerEntry.objects.count()) == ("settled", entries)
    assert budget(batch).spent == REWARD + FEE


def test_an_orphan_is_not_said_by_a_list_that_tells_of_more_at_work_than_are(scene: Scene) -> None:
    """The list only tells how many took a place, as Prolific's sometimes does."""
    there = scene.fake.plant(make_order(token="of-another-installation", places=1))
    scene.fake.expire(there.external_id)
    stale = [replace(one, working=1) for one in scene.fake.published()]
    scene.fake.published = lambda: iter(stale)  # type: ignore[method-assign]
    assert not compare(scene).new and not Problem.objects.exists()

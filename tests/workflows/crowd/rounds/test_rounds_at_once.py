"""Two processes at the same moment, with the lock and without it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from annotation.models import Judgment
from tests.workflows.crowd.scene import FEE, REWARD, Scene, budget, check_money, make_crowd_batch
from tests.workflows.threads import at_once
from workflows.crowd.models import Payment, Publication
from workflows.crowd.rounds.step import Stepped, round_of, step
from workflows.money.models import LedgerEntry
from workflows.platforms.provider import Order, Published
from workflows.workers.models import Participation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

PAGES = 6


def rounds(scene: Scene, number: int = 3) -> list[Stepped]:
    calls: list[Callable[[], Stepped]] = [
        lambda: round_of(provider=scene.fake, now=scene.now, patient=False)
    ] * number
    return at_once(calls)


def test_rounds_without_the_lock_do_everything_once(scene: Scene) -> None:
    """On a platform that knows our tokens, the rows alone keep publishing and paying right."""
    batch = make_crowd_batch(images=PAGES, crowd={"cap": PAGES * (REWARD + FEE)})
    done = rounds(scene)
    assert sum(one.planned for one in done) == PAGES == Publication.objects.count()
    ids = set(Publication.objects.values_list("external_id", flat=True))
    assert len(scene.open()) == PAGES and set(scene.fake.publications) == ids, "each was published once"
    scene.work_all()
    rounds(scene)
    scene.round()
    assert Judgment.objects.count() == PAGES
    assert Participation.objects.filter(state="approved").count() == PAGES
    assert Payment.objects.filter(state="done").count() == PAGES
    assert LedgerEntry.objects.filter(kind="commit").count() == PAGES
    assert (budget(batch).reserved, budget(batch).spent) == (0, PAGES * (REWARD + FEE))
    check_money(scene)


def test_a_round_finds_another_under_way_and_leaves(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    make_crowd_batch()
    publishing, seen = threading.Event(), threading.Event()
    publish = scene.fake.publish

    def slow(order: Order) -> Published:
        publishing.set()
        assert seen.wait(30)
        return publish(order)

    monkeypatch.setattr(scene.fake, "publish", slow)

    def first() -> Stepped:
        return step(provider=scene.fake, now=scene.now)

    def second() -> Stepped:
        assert publishing.wait(30)
        try:
            return step(provider=scene.fake, now=scene.now)
        finally:
            seen.set()

    did, left = at_once([first, second])
    assert (did.published, did.busy, left.busy) == (1, False, True)
    assert len(scene.fake.publications) == 1

"""A round whose database session ends has lost its lock: it must not do what the next round does."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from tests.workflows.platforms.prolific.play import Play, make_batch, make_batches
from workflows.core.locks import LockLostError
from workflows.crowd.models import Publication
from workflows.crowd.publications.publish import publish_one
from workflows.crowd.rounds.reconcile import reconcile
from workflows.crowd.rounds.step import Stepped, step
from workflows.platforms.provider import Order, Published

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def next_round(play: Play) -> Stepped:
    return step(provider=play.stage.provider, now=play.now)


def test_a_round_that_lost_its_lock_publishes_nothing_more(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_batches(3)
    publish = play.stage.provider.publish

    def lose(order: Order) -> Published:
        found = publish(order)
        connection.close()
        return found

    with monkeypatch.context() as patched:
        patched.setattr(play.stage.provider, "publish", lose)
        stepped = next_round(play)
    # With SQLite the lock is a file, which stays open.
    kept = connection.vendor == "sqlite"
    assert (len(play.stage.world.studies), stepped.failed) == ((3, 0) if kept else (1, 1))
    next_round(play)
    assert len(play.stage.world.studies) == 3
    ours = Publication.objects.filter(state=Publication.State.OPEN).values_list("external_id", flat=True)
    assert set(ours) == set(play.stage.world.studies), "each was published once"


def test_a_comparison_that_lost_its_lock_ends(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    make_batch(images=1)
    next_round(play)
    published = play.stage.provider.published

    def lose() -> Any:
        connection.close()
        return published()

    monkeypatch.setattr(play.stage.provider, "published", lose)
    if connection.vendor == "sqlite":
        assert reconcile(provider=play.stage.provider, now=play.now).clean
        return
    with pytest.raises(LockLostError):
        reconcile(provider=play.stage.provider, now=play.now)


def test_a_publication_that_another_process_has_published_is_not_published_again(play: Play) -> None:
    make_batch(images=1)
    next_round(play)
    (publication,) = Publication.objects.all()
    calls = len(play.stage.emulator.requests)
    old = Publication(pk=publication.pk, state=Publication.State.PLANNED, token=publication.token)
    assert not publish_one(provider=play.stage.provider, publication=old, now=play.now)
    assert len(play.stage.emulator.requests) == calls

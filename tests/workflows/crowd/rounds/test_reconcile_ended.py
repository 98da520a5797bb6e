"""A long comparison goes by what is true now, not by what was true when it began."""

from __future__ import annotations

import pytest

from annotation.models import Batch
from tests.workflows.crowd.scene import Scene, budget, check_money, make_crowd_batch
from workflows.crowd.models import Publication
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.rounds.reconcile import reconcile
from workflows.crowd.rounds.step import Interleaver, round_of

pytestmark = pytest.mark.django_db


def test_what_a_round_in_between_gave_up_is_not_published_by_the_comparison(scene: Scene) -> None:
    """Its money was released, so nobody must be able to take one of its places."""
    batch = make_crowd_batch(images=2)
    plan_publications(provider=scene.fake, now=scene.now)
    first, second = Publication.objects.order_by("pk")

    states = []

    def batch_ends() -> None:
        Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CANCELLED)
        scene.wait(minutes=6)
        round_of(provider=scene.fake, now=scene.now)
        second.refresh_from_db()
        states.append(second.state)

    reconcile(provider=scene.fake, now=scene.now, rounds=Interleaver(batch_ends, seconds=0))
    second.refresh_from_db()
    assert set(states) == {"failed"} and scene.fake.called("publish") == [first.token]
    scene.settle()
    assert (budget(batch).reserved, budget(batch).spent) == (0, 0)
    check_money(scene)

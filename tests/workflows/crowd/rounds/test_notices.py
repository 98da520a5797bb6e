from __future__ import annotations

import pytest

from tests.factories import NOW
from tests.workflows.crowd.scene import Scene, make_crowd_batch
from workflows.crowd.models import Notice, Publication
from workflows.crowd.rounds.notices import forget_notices, take_hint
from workflows.crowd.rounds.step import round_of
from workflows.platforms.provider import Hint

pytestmark = pytest.mark.django_db


def test_a_notification_that_comes_twice_is_one(scene: Scene) -> None:
    make_crowd_batch()
    scene.round()
    hint = Hint("N" * 300, "AssignmentSubmitted", scene.open()[0].external_id)
    assert take_hint(provider="mturk", hint=hint, now=NOW)
    Publication.objects.update(hinted=False)
    assert not take_hint(provider="mturk", hint=hint, now=NOW)
    assert not Publication.objects.get().hinted and Notice.objects.count() == 1


def test_publications_are_asked_for_when_it_is_their_turn_or_a_notification_says_so(scene: Scene) -> None:
    scene.fake.lists_at_once = 0
    make_crowd_batch(images=2)
    scene.round()
    scene.round()
    first, second = scene.open()

    def looked_at() -> list[str]:
        before = len(scene.fake.called("look"))
        round_of(provider=scene.fake, now=scene.now)
        return scene.fake.called("look")[before:]

    assert looked_at() == []
    scene.fake.notify("AssignmentReturned", second.external_id, times=2)
    assert looked_at() == [second.external_id]
    scene.wait(minutes=1)
    assert set(looked_at()) == {first.external_id, second.external_id}


def test_without_any_notification_everything_is_found(scene: Scene) -> None:
    make_crowd_batch()
    scene.fake.silent = True
    scene.round()
    scene.work(scene.open()[0])
    scene.wait(minutes=1)
    assert round_of(provider=scene.fake, now=scene.now).paid == 1


def test_notifications_are_forgotten_in_time(scene: Scene) -> None:
    take_hint(provider="mturk", hint=Hint("N1", "Ping", ""), now=NOW)
    scene.wait(days=13)
    assert forget_notices(now=scene.now) == 0
    scene.wait(days=2)
    assert forget_notices(now=scene.now) == 1

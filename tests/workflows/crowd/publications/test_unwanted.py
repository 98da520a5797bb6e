"""Publications that nobody wants any more are not published, and pages that nobody did get no top-up."""

from __future__ import annotations

import pytest

from annotation.models import Batch
from tests.workflows.crowd.scene import Scene, make_crowd_batch, participation
from workflows.crowd.models import Payment
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.publications.publish import publish
from workflows.platforms.provider import Order, Published

pytestmark = pytest.mark.django_db


def test_nothing_more_is_published_once_its_batch_is_cancelled(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch is cancelled in a round that has read what is planned."""
    batch = make_crowd_batch(images=5)
    plan_publications(provider=scene.fake, now=scene.now)
    does = scene.fake.publish

    def cancel_meanwhile(order: Order) -> Published:
        Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CANCELLED)
        return does(order)

    monkeypatch.setattr(scene.fake, "publish", cancel_meanwhile)
    publish(provider=scene.fake, now=scene.now)
    assert len(scene.fake.publications) == 1


def test_a_place_without_a_page_is_not_topped_up(scene: Scene) -> None:
    """A place was submitted without answers, and the platform approved it by itself."""
    batch = make_crowd_batch(crowd={"hourly_wage": 4800})
    scene.round()
    place = scene.answer(scene.open()[0], page=False)
    scene.fake.submit(place)
    scene.round()
    scene.wait(days=4)
    scene.round()
    assert participation(place).state == "approved"
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CANCELLED)
    scene.round()
    assert not Payment.objects.filter(kind=Payment.Kind.TOP_UP).exists()

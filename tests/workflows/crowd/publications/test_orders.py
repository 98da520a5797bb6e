from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.models import ImageWork
from tests.entities_fast import make_fast
from tests.workflows.crowd.scene import REWARD, Scene, budget, make_crowd_batch
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.models import Publication
from workflows.crowd.publications.orders import TITLES, order_of
from workflows.crowd.publications.plan import plan_publications
from workflows.platforms.provider import Money, Requirements

pytestmark = pytest.mark.django_db


def planned(scene: Scene) -> Publication:
    plan_publications(provider=scene.fake, now=scene.now)
    return Publication.objects.select_related("batch__project").get()


def test_an_order_carries_what_was_fixed_when_the_publication_was_planned(scene: Scene) -> None:
    make_crowd_batch(crowd={"lifetime_seconds": 7200}, lease_seconds=5400)
    publication = planned(scene)
    order = order_of(publication)
    assert (order.token, order.places, order.reward) == (publication.token, 1, Money(REWARD, "USD"))
    assert (order.work_seconds, order.lifetime_seconds) == (5400, 7200)


def test_a_place_of_several_pages_has_the_time_and_the_pay_of_all(scene: Scene) -> None:
    make_crowd_batch(images=3, crowd={"pages": 3}, lease_seconds=5400)
    publication = planned(scene)
    order = order_of(publication)
    assert (publication.pages, order.places) == (3, 1)
    assert (order.work_seconds, order.reward.amount) == (3 * 5400, 3 * REWARD)
    assert order.typical_seconds == 23, "three times 7.5 seconds, rounded up once"
    assert order.description.endswith("3 pages of 1 questions each.")


def test_asking_again_is_asking_for_the_same_however_late(scene: Scene) -> None:
    make_crowd_batch()
    publication = planned(scene)
    first = order_of(publication)
    scene.wait(hours=5)
    assert order_of(Publication.objects.get(pk=publication.pk)) == first


def test_an_order_asks_for_the_workers_whom_the_settings_and_our_qualifications_name(scene: Scene) -> None:
    make_crowd_batch(
        crowd={"locales": "US, GB", "masters": True}, screening={"completed": 500, "approval": 0.97}
    )
    publication = planned(scene)
    wanted = Requirements(completed=500, approval=0.97, locales=("US", "GB"), masters=True)
    assert order_of(publication).requirements == wanted
    ours = order_of(publication, holding=("T",), lacking=("C",)).requirements
    assert ours == replace(wanted, holding=("T",), lacking=("C",))


@pytest.mark.parametrize(
    ("crowd", "title", "description"),
    [
        ({"title": "Two phrases", "description": "Ten of them."}, "Two phrases", "Ten of them."),
        ({"title": "Two phrases"}, "Two phrases", "Two phrases A page of 1 questions."),
        ({}, "Do two phrases about a photograph mean the same thing?", None),
    ],
)
def test_what_a_batch_does_not_say_of_its_tasks_is_said_for_it(
    scene: Scene, crowd: dict[str, str], title: str, description: str | None
) -> None:
    make_crowd_batch(crowd=crowd)
    order = order_of(planned(scene))
    assert (order.title, order.description) == (title, description or f"{title} A page of 1 questions.")


def test_the_joint_stages_are_published_worked_and_paid(scene: Scene) -> None:
    batch = make_fast()
    crowd = {"provider": "mturk", "cap": 1000}
    settings = parse_settings(batch.settings | {"reward": {"boxes": 9, "check": 4}, "crowd": crowd})
    batch.settings = settings.to_json()
    batch.save()
    titles = []
    for number in range(2):
        scene.round()
        (publication,) = scene.open()
        titles.append(order_of(publication).title)
        assert publication.reward == settings.reward[publication.stage]
        scene.work(publication, f"W{number}")
        scene.settle()
        scene.advance()
    assert titles == [TITLES["boxes"], TITLES["check"]]
    assert ImageWork.objects.get().state == "done"
    paid = [(one.reward, one.fee) for one in Publication.objects.order_by("pk")]
    assert [reward for reward, _ in paid] == [9, 4]
    assert budget(batch).spent == sum(reward + fee for reward, fee in paid)

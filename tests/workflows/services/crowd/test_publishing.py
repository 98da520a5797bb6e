from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from annotation.models import ImageWork
from tests.workflows.crowd.fake import FakeProvider
from tests.workflows.services.crowd.playing import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_money,
    check_settled,
    make_crowd_batch,
)
from workflows.crowd.base import Environment, RefusedError, UnavailableError
from workflows.models import Problem, Publication
from workflows.services.crowd.deciding import VerbError, expire, write_off
from workflows.services.crowd.extending import extend
from workflows.services.crowd.problems import close_problems
from workflows.services.finishing import finish_if_done

pytestmark = pytest.mark.django_db


def test_what_is_published_says_where_workers_go(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    (order,) = [one.order for one in scene.fake.publications.values()]
    publication = Publication.objects.get()
    assert order.url == f"https://groundcrew.example/work/crowd/link/{publication.token}/"
    assert order.annotation == f"{batch.project.name}, main, link"
    assert (order.reward.amount, order.lifetime_seconds) == (REWARD, 24 * 3600)


def test_a_stage_that_the_platform_refuses_waits_for_a_person(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.fake.fail_next("publish", RefusedError("The title is rude."))
    scene.round()
    assert "The title is rude." in Problem.objects.get().detail
    assert (budget(batch).reserved, scene.round().planned) == (0, 0)
    close_problems(keys=[Problem.objects.get().key], now=scene.now, by="ada")
    assert scene.round().published == 1


def test_an_empty_account_publishes_once_there_is_money(scene: Scene) -> None:
    scene.fake.funds = 0
    make_crowd_batch()
    scene.round()
    assert Problem.objects.get().closed_at is None and Publication.objects.get().state == "planned"
    scene.fake.funds = 100
    assert scene.round().published == 1
    assert Problem.objects.get().closed_at is not None


def test_a_platform_that_is_away_is_not_asked_for_everything(scene: Scene) -> None:
    make_crowd_batch(images=6)
    for _ in range(6):
        scene.fake.fail_next("publish", UnavailableError("no answer"))
    assert scene.round().failed == len(scene.fake.called("publish")) == 3


def test_a_fault_of_ours_in_one_publication_does_not_hold_up_the_others(scene: Scene) -> None:
    make_crowd_batch(images=3)
    scene.fake.fail_next("publish", ZeroDivisionError())
    assert (scene.round().published, scene.round().published) == (2, 1)


@pytest.mark.parametrize(("site", "currency"), [("", "USD"), ("https://groundcrew.example", "GBP")])
def test_nothing_is_published_while_workers_could_not_come_or_be_paid(
    scene: Scene, settings: Settings, site: str, currency: str
) -> None:
    settings.SITE = site
    make_crowd_batch(currency=currency)
    assert scene.round().planned == 0 and Problem.objects.get().kind == "refused"


def test_another_world_of_the_platform_is_left_alone(scene: Scene) -> None:
    make_crowd_batch()
    scene.round()
    here = Publication.objects.filter(environment="emulator")
    before = here.values().get()
    Scene(FakeProvider(environment=Environment.SANDBOX), scene.now).round()
    assert here.values().get() == before
    assert Publication.objects.filter(environment="sandbox").count() == 1


def test_a_batch_finishes_while_places_are_open(scene: Scene) -> None:
    batch = make_crowd_batch(images=2)
    scene.round()
    place = scene.answer(scene.open()[0])
    ImageWork.objects.update(state=ImageWork.State.DONE)
    assert finish_if_done(batch_id=batch.pk, now=scene.now)
    scene.round()
    scene.fake.submit(place)
    scene.settle()
    check_settled(scene)
    assert budget(batch).spent == REWARD + FEE, "who was at work is paid"


def test_a_researcher_closes_a_publication(scene: Scene) -> None:
    make_crowd_batch(crowd={"lifetime_seconds": 3600})
    scene.round()
    (publication,) = scene.open()
    assert expire(publication_id=publication.pk) and not expire(publication_id=publication.pk)
    scene.round()
    assert not scene.fake.publications[publication.external_id].free(scene.now)


def make_several(scene: Scene) -> Publication:
    make_crowd_batch(images=2, crowd={"places": 2, "cap": 5 * (REWARD + FEE)})
    scene.round()
    return scene.open()[0]


def test_more_places_are_bound_asked_for_and_paid(scene: Scene) -> None:
    publication = make_several(scene)
    extend(provider=scene.fake, publication_id=publication.pk, more=2, now=scene.now)
    assert scene.fake.publications[publication.external_id].places == 4
    assert budget(publication.batch).reserved == 4 * (REWARD + FEE)
    scene.work(publication, "W1")
    scene.work(publication, "W2")
    scene.round()
    assert budget(publication.batch).spent == 2 * (REWARD + FEE)
    check_money(scene)


def test_more_places_whose_reply_was_lost_come_once(scene: Scene) -> None:
    publication = make_several(scene)
    scene.fake.fail_next("extend", UnavailableError("no answer"))
    with pytest.raises(UnavailableError):
        extend(provider=scene.fake, publication_id=publication.pk, more=2, now=scene.now)
    scene.round()
    scene.round()
    assert scene.fake.publications[publication.external_id].places == 4
    assert len(scene.fake.called("extend")) == 2


def test_more_places_that_are_refused_bind_nothing(scene: Scene) -> None:
    publication = make_several(scene)
    scene.fake.fail_next("extend", RefusedError("No."))
    with pytest.raises(VerbError, match="refuses so many"):
        extend(provider=scene.fake, publication_id=publication.pk, more=2, now=scene.now)
    assert budget(publication.batch).reserved == 2 * (REWARD + FEE)
    with pytest.raises(VerbError, match="dearer"):
        extend(provider=scene.fake, publication_id=publication.pk, more=8, now=scene.now)
    with pytest.raises(VerbError, match="raise the batch's cap"):
        extend(provider=scene.fake, publication_id=publication.pk, more=4, now=scene.now)


def test_what_the_platform_has_lost_is_said_and_can_be_written_off(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    scene.fake.publications.clear()
    scene.wait(minutes=10)
    batch.items.update(state="done")
    scene.round()
    assert "does not have" in Problem.objects.get().detail
    assert write_off(publication_id=Publication.objects.get().pk, now=scene.now) == REWARD + FEE
    assert budget(batch).reserved == 0

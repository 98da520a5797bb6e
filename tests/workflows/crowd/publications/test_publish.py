from __future__ import annotations

from dataclasses import replace

import pytest
from pytest_django.fixtures import Settings

from annotation.models import ImageWork
from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_money,
    check_settled,
    make_crowd_batch,
    participation,
)
from tests.workflows.platforms.fake import FakeProvider
from workflows.batch_settings.selectors import settings_of
from workflows.batches.settings_edits import change_settings
from workflows.crowd.actions import expire
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Problem, Publication
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.extend import extend
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.publications.reservations import release_unused
from workflows.crowd.rounds import collect
from workflows.money.models import Budget
from workflows.pipeline.batch_completion import finish_if_done
from workflows.platforms.provider import (
    Environment,
    Order,
    Published,
    RefusedError,
    Stand,
    Submitted,
    UnavailableError,
)
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def test_what_is_published_says_where_workers_go(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    (order,) = [one.order for one in scene.fake.publications.values()]
    publication = Publication.objects.get()
    assert order.url == f"https://groundcrew.example/work/crowd/link/{publication.token}/"
    assert order.annotation == f"{batch.project.name}, main, link"
    assert (order.reward.amount, order.lifetime_seconds) == (REWARD, 24 * 3600)


@pytest.mark.parametrize(("items", "seconds"), [(1, 8), (10, 75), (100, 750)])
def test_workers_are_told_a_time_that_grows_with_the_items_of_a_page(
    scene: Scene, items: int, seconds: int
) -> None:
    make_crowd_batch(items_a_page={"link": items})
    scene.round()
    (order,) = [one.order for one in scene.fake.publications.values()]
    assert order.typical_seconds == seconds


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
    with pytest.raises(VerbError, match="would raise the fee"):
        extend(provider=scene.fake, publication_id=publication.pk, more=8, now=scene.now)
    with pytest.raises(VerbError, match="raise the batch's cap"):
        extend(provider=scene.fake, publication_id=publication.pk, more=4, now=scene.now)


@pytest.mark.parametrize("launched_for", ["sandbox", ""], ids=["a-test", "not-known"])
def test_a_batch_that_was_not_launched_for_real_money_spends_none(scene: Scene, launched_for: str) -> None:
    batch = make_crowd_batch()
    Budget.objects.create(batch=batch, currency="USD", cap=1000, environment=launched_for)
    scene.fake.environment = Environment.LIVE  # the account was changed while it was running
    assert (scene.round().planned, scene.fake.publications) == (0, {})
    assert "launch a copy" in Problem.objects.get(closed_at=None).detail
    Budget.objects.update(environment="live")
    assert scene.round().published == 1 and not Problem.objects.filter(closed_at=None).exists()


def test_who_took_a_place_keeps_its_time_whatever_leases_are_made_now(scene: Scene) -> None:
    batch = make_crowd_batch(lease_seconds=3 * 3600)
    scene.round()
    (there,) = scene.fake.publications.values()
    place = scene.answer(scene.open()[0])
    change_settings(batch=batch, settings=replace(settings_of(batch), lease_seconds=900))
    assert there.order.work_seconds == 3 * 3600
    scene.wait(hours=2)
    scene.round()
    assert participation(place).state == "opened"
    scene.wait(hours=1, minutes=11)
    scene.round()
    assert participation(place).state == "returned"


def test_refusals_hold_up_nothing_behind_them(scene: Scene) -> None:
    make_crowd_batch(images=5)
    for _ in range(3):
        scene.fake.fail_next("look", RefusedError("It is in an odd state."))
    scene.round()
    for publication in scene.open():
        scene.fake.work(publication.external_id, "W1")
    scene.round()
    assert Participation.objects.filter(state="submitted").count() == 2


def test_what_is_not_there_any_more_counts_as_closed(scene: Scene) -> None:
    batch = make_crowd_batch(images=4)
    scene.round()
    for publication in scene.open()[:3]:
        del scene.fake.publications[publication.external_id]
    batch.state = "cancelled"
    batch.save()
    assert scene.round().closed == 4 and not scene.open()


def test_publications_that_are_never_answered_for_hold_up_nobody_for_ever(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_crowd_batch(images=4)
    plan_publications(provider=scene.fake, now=scene.now)
    bad = list(Publication.objects.order_by("pk").values_list("token", flat=True)[:3])
    publish = scene.fake.publish

    def faulty(order: Order) -> Published:
        if order.token in bad:
            raise UnavailableError("a fault of the platform's own")
        return publish(order)

    monkeypatch.setattr(scene.fake, "publish", faulty)
    for _ in range(4):
        scene.round()
    assert len(scene.fake.publications) == 1


def test_places_that_were_lost_on_their_way_keep_their_money_once_they_are_there(scene: Scene) -> None:
    """The platform has nothing free at the first look; after asking again, it has."""
    batch = make_crowd_batch()
    scene.round()
    (publication,) = scene.open()
    scene.work(publication)
    scene.fake.fail_next("extend", UnavailableError("no answer"))
    with pytest.raises(UnavailableError):
        extend(provider=scene.fake, publication_id=publication.pk, more=1, now=scene.now)
    scene.round()
    publication.refresh_from_db()
    assert (publication.state, publication.free, publication.places) == ("open", 1, 2)
    assert budget(batch).reserved == REWARD + FEE


def test_a_look_from_before_more_places_releases_nothing_of_theirs(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    (publication,) = scene.open()
    scene.work(publication)
    before = scene.fake.look(publication.external_id)
    assert before is not None and not before.free
    extend(provider=scene.fake, publication_id=publication.pk, more=1, now=scene.now)
    assert not release_unused(publication=publication, published=before, now=scene.now)
    assert budget(batch).reserved == 2 * (REWARD + FEE)


def test_what_is_known_already_is_not_taken_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    make_crowd_batch(images=3)
    scene.round()
    scene.work_all()
    scene.round()
    publication = Publication.objects.order_by("pk")[0]
    taken: list[Submitted] = []

    def take(_: object, __: object, one: Submitted, ___: object) -> bool:
        taken.append(one)
        return True

    monkeypatch.setattr(collect, "_take", take)
    told = list(scene.fake.submissions(publication.external_id))
    assert len(told) == 1
    collect.take_submissions(provider=scene.fake, publication=publication, submissions=told, now=scene.now)
    assert not taken
    for changed in (
        replace(told[0], stand=Stand.REJECTED),
        replace(told[0], worker="W9"),
        replace(told[0], deadline=scene.now),
    ):
        collect.take_submissions(
            provider=scene.fake, publication=publication, submissions=[changed], now=scene.now
        )
    assert len(taken) == 3

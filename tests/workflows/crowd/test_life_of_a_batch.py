"""The life of publications, from the plan to the last cent."""

from __future__ import annotations

import pytest

from annotation.models import Judgment
from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_settled,
    make_crowd_batch,
    participation,
)
from workflows.batches.lifecycle import move_batch
from workflows.crowd.models import Problem, Publication
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def test_a_page_is_published_done_confirmed_and_paid(scene: Scene) -> None:
    batch = make_crowd_batch()
    assert (scene.round().planned, budget(batch).reserved) == (1, REWARD + FEE)
    (publication,) = scene.open()
    place = scene.work(publication)
    assert not Judgment.objects.exists(), "nobody has confirmed who that was"
    scene.round()
    assert Judgment.objects.count() == 1
    assert participation(place).state == "approved"
    assert (budget(batch).reserved, budget(batch).spent) == (0, REWARD + FEE)
    scene.settle()
    check_settled(scene)
    assert not Problem.objects.exists()


def test_what_items_wait_for_is_published_once(scene: Scene) -> None:
    make_crowd_batch(images=3)
    assert scene.round().planned == 3
    assert scene.round().quiet and len(scene.fake.publications) == 3


def test_no_more_than_the_open_pages_are_published(scene: Scene) -> None:
    make_crowd_batch(images=3, crowd={"open_pages": 2})
    assert (scene.round().planned, scene.round().planned) == (2, 0)
    scene.work(scene.open()[0])
    assert scene.round().planned == 1


def test_places_are_put_together(scene: Scene) -> None:
    make_crowd_batch(images=5, crowd={"places": 3})
    scene.round()
    assert sorted(one.places for one in scene.fake.publications.values()) == [2, 3]


def test_the_cap_is_never_passed(scene: Scene) -> None:
    batch = make_crowd_batch(images=5, crowd={"cap": 2 * (REWARD + FEE) + 1})
    assert (scene.round().planned, scene.round().planned) == (2, 0)
    scene.work_all()
    scene.settle()
    assert budget(batch).spent == 2 * (REWARD + FEE)
    check_settled(scene)


@pytest.mark.parametrize("action", ["pause", "cancel"])
def test_a_batch_that_stops_closes_its_places_and_pays_who_is_at_work(scene: Scene, action: str) -> None:
    batch = make_crowd_batch(images=2)
    scene.round()
    first, _ = scene.open()
    place = scene.answer(first)
    move_batch(batch=batch, action=action)
    assert (scene.round().closed, scene.round().closed) == (2, 0)
    assert budget(batch).reserved == REWARD + FEE, "one place is in somebody's hands"
    scene.fake.submit(place)
    scene.settle()
    check_settled(scene)
    assert participation(place).state == "approved"


def test_a_paused_batch_that_goes_on_publishes_again(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    move_batch(batch=batch, action="pause")
    scene.settle()
    move_batch(batch=batch, action="resume")
    scene.round()
    assert len(scene.open()) == 1 and len(scene.fake.publications) == 2


def test_places_that_nobody_waits_for_are_closed_after_a_while(scene: Scene) -> None:
    batch = make_crowd_batch(images=2)
    scene.round()
    batch.items.update(state="done")
    scene.round()
    assert len(scene.open()) == 2, "more may come soon"
    scene.wait(minutes=10)
    scene.settle()
    check_settled(scene)


def test_a_place_given_back_lets_others_have_the_page(scene: Scene) -> None:
    batch = make_crowd_batch(images=2, crowd={"open_pages": 1})
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    scene.open_page(publication, place, "W1", answer=False)
    assert batch.items.filter(leased=1).count() == 1
    scene.fake.give_back(place)
    scene.wait(hours=2)
    scene.round()
    assert not batch.items.filter(leased=1).exists()
    assert scene.work(publication, "W2") == place, "the platform uses the id again"
    scene.round()
    assert Judgment.objects.get().worker.external_id == "W2"
    assert participation_of("W1").state == "returned"
    assert participation_of("W2").state == "approved"


def test_a_stranger_takes_neither_page_nor_money(scene: Scene) -> None:
    """Somebody answers under their own name for a place that is another worker's."""
    make_crowd_batch()
    scene.round()
    (publication,) = scene.open()
    place = scene.fake.accept(publication.external_id, "W1")
    stranger = scene.open_page(publication, place, "W666")
    scene.fake.submit(place)
    scene.round()
    assert not Judgment.objects.exists()
    stranger.refresh_from_db()
    assert (stranger.state, stranger.confirmed) == ("returned", False)
    assert Problem.objects.get().kind == Problem.Kind.STRANGER
    assert participation_of("W1").state == "submitted", "whoever submitted is not punished for it"


def participation_of(worker: str) -> Participation:
    return Participation.objects.get(worker__external_id=worker)


def test_a_publication_nobody_took_is_released_when_it_runs_out(scene: Scene) -> None:
    batch = make_crowd_batch(crowd={"lifetime_seconds": 600})
    scene.round()
    scene.wait(minutes=11)
    batch.items.update(state="done")
    scene.settle()
    check_settled(scene)
    assert Publication.objects.get().state == "settled"


def test_workers_may_do_several_pages(scene: Scene) -> None:
    make_crowd_batch(images=3)
    scene.round()
    for publication in scene.open():
        scene.work(publication, "W1")
    scene.settle()
    check_settled(scene)


def test_a_platform_that_signs_names_counts_answers_at_once_and_says_who_came_too_late(scene: Scene) -> None:
    """Like Prolific, the platform also tells who works and who returns."""
    scene.fake.unsigned, scene.fake.tells_all = False, True
    make_crowd_batch(images=2)
    scene.round()
    first, second = scene.open()
    place = scene.answer(first, "W1")
    late = scene.answer(second, "W2")
    assert Judgment.objects.count() == 2
    scene.fake.submit(place)
    scene.fake.give_back(late)
    scene.round()
    assert (participation(place).state, participation(late).state) == ("approved", "returned")
    assert "no reward is paid" in Problem.objects.get().detail

"""An open publication grows with what its stage wants, on platforms whose publications can."""

from __future__ import annotations

import pytest

from annotation.models import Item, Judgment
from annotation.transactions import write_transaction
from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_money,
    check_settled,
    make_crowd_batch,
)
from tests.workflows.threads import at_once
from workflows.crowd.models import Problem, Publication
from workflows.crowd.publications.extend import bring_up, grow
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.rounds.step import round_of
from workflows.money.models import LedgerEntry
from workflows.platforms.provider import NoFundsError, Published, RefusedError


def growing(scene: Scene) -> None:
    """Let the platform add places to a publication, as Prolific does."""
    scene.fake.grows = True


@pytest.mark.django_db
def test_an_open_publication_gets_the_places_that_are_wanted_later(scene: Scene) -> None:
    growing(scene)
    batch = make_crowd_batch(images=4, crowd={"open_pages": 2})
    scene.round()
    (publication,) = scene.open()
    assert publication.places == 2
    scene.work(publication, "W1")
    scene.settle()
    assert len(scene.fake.publications) == 1, "no second publication"
    publication.refresh_from_db()
    assert publication.places == 3 == scene.fake.look(publication.external_id).places  # type: ignore[union-attr]
    scene.work_all("V")
    scene.settle()
    scene.work_all("U")
    scene.settle()
    assert Judgment.objects.count() == 4
    assert budget(batch).spent == 4 * (REWARD + FEE)
    check_settled(scene)


@pytest.mark.django_db
def test_a_publication_that_closed_meanwhile_is_followed_by_another(scene: Scene) -> None:
    growing(scene)
    make_crowd_batch(images=2, crowd={"open_pages": 1})
    scene.round()
    (publication,) = scene.open()
    scene.fake.expire(publication.external_id)
    Publication.objects.filter(pk=publication.pk).update(free=0)
    scene.wait(seconds=15)
    round_of(provider=scene.fake, now=scene.now, patient=False)
    scene.settle()
    assert [one.state for one in Publication.objects.order_by("pk")] == ["settled", "open"]
    check_money(scene)
    assert sum(one.reserved for one in [budget(publication.batch)]) == REWARD + FEE


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_rounds_at_once_add_the_wanted_places_once(scene: Scene) -> None:
    growing(scene)
    batch = make_crowd_batch(images=6, crowd={"open_pages": 2})
    scene.round()
    scene.work(scene.open()[0])
    for _ in range(2):
        at_once([lambda: round_of(provider=scene.fake, now=scene.now, patient=False)] * 3)
    publication = Publication.objects.get()
    assert publication.places == 3
    there = scene.fake.look(publication.external_id)
    assert there is not None and there.places == 3
    assert budget(batch).reserved == 2 * (REWARD + FEE)
    check_money(scene)


def refuse(scene: Scene, monkeypatch: pytest.MonkeyPatch, error: type[RefusedError]) -> None:
    def extend(publication_id: str, *, more: int, token: str) -> None:
        raise error("No.")

    monkeypatch.setattr(scene.fake, "extend", extend)


@pytest.mark.django_db
def test_a_publication_that_the_platform_does_not_extend_is_followed_by_another(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(scene)
    batch = make_crowd_batch(images=60, crowd={"open_pages": 3, "cap": 10_000})
    scene.round()
    (publication,) = scene.open()
    scene.work(publication, "W1")
    refuse(scene, monkeypatch, RefusedError)
    for _ in range(5):
        scene.round()
    publication.refresh_from_db()
    assert (publication.places, publication.grows) == (3, False)
    assert len(scene.open()) == 2
    entries = LedgerEntry.objects.filter(batch=batch).count()
    scene.round()
    assert LedgerEntry.objects.filter(batch=batch).count() == entries, "it is not tried for ever"
    check_money(scene)


@pytest.mark.django_db
def test_an_account_without_money_for_more_places_is_said(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(scene)
    make_crowd_batch(images=60, crowd={"open_pages": 3, "cap": 10_000})
    scene.round()
    (publication,) = scene.open()
    scene.work(publication, "W1")
    with monkeypatch.context() as patched:
        refuse(scene, patched, NoFundsError)
        for _ in range(3):
            scene.round()
        assert "Put money into it" in Problem.objects.get().detail
        assert Judgment.objects.count() == 1, "what was submitted is collected all the same"
    scene.round()
    there = scene.fake.look(publication.external_id)
    assert there is not None and there.places == 4 == Publication.objects.get().places


@pytest.mark.django_db
def test_a_fee_that_changed_leads_to_another_publication(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(scene)
    make_crowd_batch(images=60, crowd={"open_pages": 2, "cap": 10_000})
    scene.round()
    scene.work(scene.open()[0], "W1")
    before = scene.fake.fee
    monkeypatch.setattr(
        scene.fake,
        "fee",
        lambda reward, *, places, masters: before(reward, places=places, masters=masters) + 1,
    )
    scene.round()
    assert [one.places for one in scene.open()] == [2, 1]


@pytest.mark.django_db
def test_places_that_were_not_asked_for_yet_count_as_free(scene: Scene) -> None:
    growing(scene)
    make_crowd_batch(images=60, crowd={"open_pages": 2, "cap": 10_000})
    scene.round()
    for worker in ("W1", "W2"):
        scene.work(scene.open()[0], worker)
        scene.round()
    Item.objects.update(needed=3)
    for _ in range(5):
        scene.wait(seconds=30)
        plan_publications(provider=scene.fake, now=scene.now)
    scene.round()
    there = scene.fake.look(scene.open()[0].external_id)
    assert there is not None and there.free <= 2


@pytest.mark.django_db
def test_places_that_were_added_twice_around_a_look_all_come(scene: Scene) -> None:
    growing(scene)
    make_crowd_batch(images=60, crowd={"open_pages": 4, "cap": 10_000})
    scene.round()
    (publication,) = scene.open()

    def more(number: int) -> None:
        with write_transaction():
            assert grow(provider=scene.fake, publication_id=publication.pk, more=number, now=scene.now)

    def ask(row: Publication, seen: Published | None) -> None:
        assert seen is not None
        bring_up(provider=scene.fake, publication=row, published=seen, now=scene.now)

    more(3)
    stale, seen = Publication.objects.get(), scene.fake.look(publication.external_id)
    more(2)
    ask(stale, seen)
    for _ in range(3):
        ask(Publication.objects.get(), scene.fake.look(publication.external_id))
    there = scene.fake.look(publication.external_id)
    assert there is not None and there.places == 9 == Publication.objects.get().places

"""A publication is written off only if the platform has nothing of it that may cost money."""

from __future__ import annotations

import pytest
from django.db.models import F

from tests.workflows.crowd.scene import FEE, REWARD, Scene, budget, check_settled, make_crowd_batch
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Problem, Publication
from workflows.crowd.payments.book_check import verify_books
from workflows.crowd.publications.write_off import write_off
from workflows.crowd.rounds.reconcile import reconcile
from workflows.money.ledger import release
from workflows.platforms.provider import UnavailableError

pytestmark = pytest.mark.django_db


def test_what_the_platform_has_lost_is_said_and_can_be_written_off(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    scene.fake.publications.clear()
    scene.wait(minutes=10)
    batch.items.update(state="done")
    scene.round()
    assert "does not have" in Problem.objects.get().detail
    publication = Publication.objects.get()
    assert write_off(provider=scene.fake, publication_id=publication.pk, now=scene.now) == REWARD + FEE
    assert budget(batch).reserved == 0


@pytest.mark.parametrize(
    ("use", "why"),
    [("free", "open"), ("at-work", "open"), ("closed", "at work"), ("submitted", "submitted waits")],
)
def test_what_the_platform_has_keeps_its_money(scene: Scene, use: str, why: str) -> None:
    batch = make_crowd_batch()
    scene.round()
    publication = scene.open()[0]
    place = ""
    if use != "free":
        place = scene.fake.accept(publication.external_id, "W1")
    if use in ("closed", "submitted"):
        scene.fake.expire(publication.external_id)
    if use == "submitted":
        scene.fake.submit(place)
    with pytest.raises(VerbError, match=why):
        write_off(provider=scene.fake, publication_id=publication.pk, now=scene.now)
    publication.refresh_from_db()
    assert (publication.state, budget(batch).reserved) == ("open", REWARD + FEE)


def test_what_is_new_or_cannot_be_asked_for_keeps_its_money(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    publication = scene.open()[0]
    scene.fake.publications.clear()
    with pytest.raises(VerbError, match="is new"):
        write_off(provider=scene.fake, publication_id=publication.pk, now=scene.now)
    scene.wait(hours=1)
    scene.fake.fail_next("look", UnavailableError("no answer"))
    with pytest.raises(UnavailableError):
        write_off(provider=scene.fake, publication_id=publication.pk, now=scene.now)
    assert budget(batch).reserved == REWARD + FEE
    write_off(provider=scene.fake, publication_id=publication.pk, now=scene.now)
    with pytest.raises(VerbError, match="is settled"):
        write_off(provider=scene.fake, publication_id=publication.pk, now=scene.now)


def settle_unasked(scene: Scene) -> Publication:
    """Settle an open publication and release its money, as earlier versions could do, and return it."""
    publication = scene.open()[0]
    release(
        token="x",
        reserved_under=publication.token,
        amount=REWARD + FEE,
        now=scene.now,
        publication_id=publication.pk,
    )
    Publication.objects.update(state="settled", seen_at=scene.now)
    return publication


def test_what_is_open_again_is_bound_again(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    publication = settle_unasked(scene)
    for _ in range(2):
        scene.wait(seconds=15)
        reconcile(provider=scene.fake, now=scene.now)
        publication.refresh_from_db()
        assert (publication.state, budget(batch).reserved) == ("open", REWARD + FEE)
    assert verify_books() == []
    scene.work_all()
    scene.settle()
    check_settled(scene)


def test_what_is_open_again_is_closed_where_the_cap_leaves_no_room(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    publication = settle_unasked(scene)
    batch.budget.__class__.objects.update(cap=F("reserved") + F("spent"))
    reconcile(provider=scene.fake, now=scene.now)
    publication.refresh_from_db()
    assert (publication.state, publication.expiring) == ("open", True)
    scene.round()
    assert not scene.fake.publications[publication.external_id].free(scene.now)
    assert budget(batch).reserved == 0


def test_open_places_without_money_are_named(scene: Scene) -> None:
    make_crowd_batch()
    scene.round()
    assert verify_books() == []
    publication = settle_unasked(scene)
    Publication.objects.update(state="open")
    assert verify_books() == [
        f"publication {publication}: its 1 free places need 0.0{REWARD + FEE} USD, and 0.00 USD is reserved"
    ]

"""If its publication's money was released, a reward reserves its own, which is spent or released as well."""

from __future__ import annotations

import pytest

from annotation.models import Batch
from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_settled,
    make_crowd_batch,
    participation,
)
from workflows.crowd.actions import retry
from workflows.crowd.models import Payment, Problem
from workflows.crowd.payments.book_check import verify_books
from workflows.crowd.payments.pay import pay
from workflows.crowd.publications.extend import extend
from workflows.crowd.publications.reservations import release_to
from workflows.money import ledger
from workflows.platforms.provider import RefusedError, Stand
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def refused(scene: Scene) -> tuple[Batch, str, Payment]:
    """Make a reward that has reserved its own money, and that the platform refuses to pay now."""
    batch = make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    release_to(publication=participation(place).publication, places=0, now=scene.now)
    scene.fake.fail_next("approve", RefusedError("Not now."))
    scene.round()
    payment = Payment.objects.get()
    assert payment.state == "failed" and ledger.still_reserved(payment.token) == REWARD + FEE
    return batch, place, payment


def test_it_is_spent_first_where_its_publication_has_money_again(scene: Scene) -> None:
    batch, place, payment = refused(scene)
    publication = participation(place).publication
    extend(provider=scene.fake, publication_id=publication.pk, more=1, now=scene.now)
    assert budget(batch).reserved == 2 * (REWARD + FEE)
    assert retry(payment_id=payment.pk, now=scene.now)
    pay(provider=scene.fake, now=scene.now)
    assert (budget(batch).spent, budget(batch).reserved) == (REWARD + FEE, REWARD + FEE)
    assert ledger.still_reserved(payment.token) == 0
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CANCELLED)
    scene.settle()
    check_settled(scene)
    assert verify_books() == []


def test_one_that_was_given_back_and_waits_for_the_cap_is_not_due_before_there_is_room(scene: Scene) -> None:
    batch, place, _ = refused(scene)
    Participation.objects.update(state="returned")
    scene.fake._assignment(place).stand = Stand.RETURNED
    pay(provider=scene.fake, now=scene.now)
    assert not Payment.objects.exists()
    ledger.set_cap(batch_id=batch.pk, currency="USD", cap=0)
    scene.fake._assignment(place).stand = Stand.SUBMITTED
    said = []
    for _ in range(3):
        scene.round()
        said.append((Payment.objects.get().state, Problem.objects.get(closed_at=None).created_at))
        assert not retry(payment_id=Payment.objects.get().pk, now=scene.now)
    assert said == [("waiting", said[0][1])] * 3 and budget(batch).reserved == 0
    ledger.set_cap(batch_id=batch.pk, currency="USD", cap=100)
    scene.settle()
    assert budget(batch).spent == scene.fake.spent == REWARD + FEE
    assert budget(batch).reserved == 0 and verify_books() == []

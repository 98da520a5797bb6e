"""What is owed may change while a platform is called: the worker is paid, and the books say so."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Batch
from annotation.transactions import write_transaction
from tests.workflows.crowd.scene import (
    FEE,
    REWARD,
    Scene,
    budget,
    check_money,
    make_crowd_batch,
    participation,
)
from tests.workflows.threads import at_once
from workflows.crowd.actions import approve, pay_more, reject
from workflows.crowd.models import Payment, Problem
from workflows.crowd.payments.book import book
from workflows.crowd.payments.book_check import verify_books
from workflows.crowd.payments.owed import bind, owe_reward
from workflows.crowd.payments.pay import pay, pay_one
from workflows.crowd.publications.reservations import release_to
from workflows.money import ledger
from workflows.platforms.provider import RefusedError, Stand
from workflows.workers.models import Participation

pytestmark = pytest.mark.both_databases


def refused(scene: Scene) -> tuple[Batch, Participation]:
    """Return a batch, and a place that was submitted without answers and whose reward is to be refused."""
    batch = make_crowd_batch()
    scene.round()
    place = scene.fake.work(scene.open()[0].external_id, "W1")
    scene.round()
    one = participation(place)
    reject(provider=scene.fake, participation_id=one.pk, reason="No answers.", by="ada", now=scene.now)
    return batch, one


def check_paid(scene: Scene, batch: Batch) -> None:
    assert Participation.objects.get().state == "approved"
    payment = Payment.objects.get()
    assert (payment.kind, payment.state) == ("reward", "done")
    assert budget(batch).spent == REWARD + FEE == scene.fake.spent
    check_money(scene)


@pytest.mark.django_db
def test_what_is_approved_before_its_refusal_is_sent_is_not_refused(scene: Scene) -> None:
    batch, one = refused(scene)
    in_hand = Payment.objects.select_related("participation__publication").get()
    approve(participation_id=one.pk, by="ada", now=scene.now)
    assert not pay_one(provider=scene.fake, payment=in_hand, now=scene.now)
    assert not scene.fake.called("reject")
    scene.round()
    check_paid(scene, batch)


@pytest.mark.django_db
@pytest.mark.parametrize("refuses", [False, True])
def test_what_is_approved_while_its_refusal_is_under_way_is_paid(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, refuses: bool
) -> None:
    batch, one = refused(scene)
    send = scene.fake.reject

    def meanwhile(submission_id: str, *, reason: str) -> None:
        approve(participation_id=one.pk, by="ada", now=scene.now)
        if refuses:
            raise RefusedError("Not now.")
        send(submission_id, reason=reason)

    monkeypatch.setattr(scene.fake, "reject", meanwhile)
    in_hand = Payment.objects.select_related("participation__publication").get()
    assert not pay_one(provider=scene.fake, payment=in_hand, now=scene.now)
    assert Payment.objects.get().state == "due"
    scene.round()
    check_paid(scene, batch)
    assert not Problem.objects.filter(closed_at=None).exists()


@pytest.mark.django_db
def test_a_reward_that_is_done_and_was_never_spent_is_a_difference(scene: Scene) -> None:
    _, one = refused(scene)
    scene.round()
    assert verify_books() == []
    Payment.objects.update(kind="reward")
    assert [line for line in verify_books() if f"reward-{one.pk}" in line]


@pytest.mark.django_db
def test_the_reward_of_a_place_given_back_is_owed_no_more_and_anew_once_it_is_submitted(
    scene: Scene,
) -> None:
    batch = make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    scene.fake.fail_next("approve", RefusedError("It was given back."))
    scene.round()
    payment = Payment.objects.get()
    assert (payment.kind, payment.state) == ("reward", "failed")
    Participation.objects.update(state="returned")
    scene.fake._assignment(place).stand = Stand.RETURNED
    scene.round()
    assert not Payment.objects.exists() and not Problem.objects.filter(closed_at=None).exists()
    scene.fake._assignment(place).stand = Stand.SUBMITTED
    scene.round()
    scene.round()
    check_paid(scene, batch)


@pytest.mark.django_db
def test_money_that_a_reward_bound_for_itself_is_let_go_of_once_its_work_was_given_back(scene: Scene) -> None:
    """The publication's money was released before, because nobody seemed to have taken the place."""
    batch = make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    publication = participation(place).publication
    release_to(publication=publication, places=0, now=scene.now)
    scene.fake.fail_next("approve", RefusedError("It was given back."))
    scene.round()
    payment = Payment.objects.get()
    assert payment.state == "failed" and budget(batch).reserved == REWARD + FEE
    assert ledger.still_reserved(payment.token) == REWARD + FEE
    Participation.objects.update(state="returned")
    scene.fake._assignment(place).stand = Stand.RETURNED
    pay(provider=scene.fake, now=scene.now)
    assert not Payment.objects.exists() and not Problem.objects.filter(closed_at=None).exists()
    assert budget(batch).reserved == 0 and verify_books() == []
    # Taken again, its money is bound anew, under a name of its own.
    scene.fake._assignment(place).stand = Stand.SUBMITTED
    for _ in range(3):
        scene.round()
    check_paid(scene, batch)
    assert verify_books() == [] and budget(batch).reserved == 0


@pytest.mark.django_db
def test_a_waiting_payment_is_locked_before_the_budget(scene: Scene) -> None:
    """`book` locks in this order: in another one, the two could wait for each other."""
    _, one = refused(scene)
    payment = Payment.objects.create(
        participation=one,
        kind="bonus",
        token="b1",
        amount=5,
        currency="USD",
        state="waiting",
        created_at=scene.now,
    )
    with CaptureQueriesContext(connection) as seen:
        assert bind(payment=payment, now=scene.now)
    tables = [
        name
        for query in seen.captured_queries
        for name in ("workflows_payment", "workflows_budget")
        if f'FROM "{name}"' in query["sql"]
    ]
    assert tables[:2] == ["workflows_payment", "workflows_budget"]
    assert not bind(payment=payment, now=scene.now), "it does not wait any more"


@pytest.mark.django_db(transaction=True)
def test_booking_and_a_researchers_bonus_do_not_wait_for_each_other(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console has locked the participation while it reserves a bonus, which locks the budget."""
    make_crowd_batch()
    scene.round()
    place = scene.fake.work(scene.open()[0].external_id, "W1")
    scene.round()
    one = participation(place)
    reward = owe_reward(participation=one, now=scene.now)
    held, spent = threading.Event(), threading.Event()
    commit = ledger.commit

    def spend(**given: Any) -> bool:
        done = commit(**given)
        spent.set()
        return done

    monkeypatch.setattr(ledger, "commit", spend)

    def console() -> bool:
        with write_transaction():
            Participation.objects.select_for_update(no_key=True).get(pk=one.pk)
            held.set()
            spent.wait(0.3)  # where the budget is locked first, it is by now
            pay_more(
                provider=scene.fake,
                participation_id=one.pk,
                kind=Payment.Kind.BONUS,
                amount=5,
                reason="Thank you.",
                token="b1",
                by="ada",
                now=scene.now,
            )
        return True

    def booked() -> bool:
        assert held.wait(30)
        return book(payment=reward, now=scene.now)

    assert at_once([console, booked]) == [True, True]
    assert Participation.objects.get().state == "approved"

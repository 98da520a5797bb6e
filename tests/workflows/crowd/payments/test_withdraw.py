"""A bonus that waits for the cap can be withdrawn; one that may be on its way to the platform cannot."""

from __future__ import annotations

from typing import Any

import pytest

from tests.workflows.crowd.scene import Scene, check_money, make_crowd_batch, participation
from workflows.crowd.actions import pay_more, retry
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Problem
from workflows.crowd.payments.book_check import verify_books
from workflows.crowd.payments.withdraw import withdraw
from workflows.money.models import Budget

pytestmark = pytest.mark.django_db


@pytest.fixture
def place(scene: Scene) -> str:
    make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    scene.settle()
    return place


def bonus(scene: Scene, place: str, amount: int, **more: Any) -> Payment:
    given = {"kind": Payment.Kind.BONUS, "reason": "Careful work.", "token": "t1", **more}
    one = participation(place).pk
    return pay_more(
        provider=scene.fake, participation_id=one, amount=amount, by="ada", now=scene.now, **given
    )


def test_a_bonus_with_a_digit_too_many_is_withdrawn_and_never_paid(scene: Scene, place: str) -> None:
    payment = bonus(scene, place, 50_000)
    assert payment.state == "waiting" and Problem.objects.filter(closed_at=None).exists()
    assert withdraw(payment_id=payment.pk, now=scene.now).state == "withdrawn"
    assert not Problem.objects.filter(closed_at=None).exists()
    Budget.objects.update(cap=1_000_000)
    assert not retry(payment_id=payment.pk, now=scene.now)
    scene.settle()
    assert scene.fake.paid == [] and verify_books() == []
    with pytest.raises(VerbError, match="was withdrawn"):
        bonus(scene, place, 50_000)
    bonus(scene, place, 50, token="t2")
    scene.settle()
    assert [one.bonus.amount.amount for one in scene.fake.paid] == [50]
    check_money(scene)


def test_what_is_due_done_promised_or_had_its_money_bound_cannot_be_withdrawn(
    scene: Scene, place: str
) -> None:
    payment = bonus(scene, place, 50)
    with pytest.raises(VerbError, match="may be on its way"):
        withdraw(payment_id=payment.pk, now=scene.now)
    Payment.objects.filter(pk=payment.pk).update(state="waiting")
    with pytest.raises(VerbError, match="may have been asked for"):
        withdraw(payment_id=payment.pk, now=scene.now)
    Payment.objects.filter(pk=payment.pk).update(kind="top-up")
    with pytest.raises(VerbError, match="was promised"):
        withdraw(payment_id=payment.pk, now=scene.now)
    assert Payment.objects.get(pk=payment.pk).state == "waiting"

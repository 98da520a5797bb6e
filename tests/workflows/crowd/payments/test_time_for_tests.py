"""docs/money.md, "Time for tests": on a platform, who passes a qualification test gets one bonus for it."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.models import QualificationTry
from tests.factories import NOW
from tests.workflows.crowd.scene import Scene, check_money, check_settled, make_crowd_batch, participation
from tests.workflows.threads import at_once
from workflows.crowd.models import Payment
from workflows.crowd.payments.pay import owe_test_bonuses

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

BONUS = 3


def passed_before(scene: Scene) -> tuple[QualificationTry, str]:
    """Let a worker pass the test of a stage and submit a page of it, which nobody has approved yet."""
    batch = make_crowd_batch(images=2)
    scene.round()
    place = scene.work(scene.open()[0])
    held = QualificationTry.objects.create(
        worker=participation(place).worker,
        stage="link",
        number=1,
        state=QualificationTry.State.PASSED,
        training=[],
        test=[],
        pass_mark=0.8,
        batch=batch,
        bonus=BONUS,
        currency="USD",
        owed=True,
        started_at=NOW,
        ended_at=NOW,
    )
    return held, place


def bonuses() -> list[int]:
    return list(Payment.objects.filter(kind=Payment.Kind.BONUS).values_list("amount", flat=True))


def test_the_bonus_is_paid_once_the_first_page_is_approved(scene: Scene) -> None:
    held, place = passed_before(scene)
    assert owe_test_bonuses(provider=scene.fake, now=scene.now).done == 0, "the page is not approved yet"
    scene.work_all()
    scene.settle()
    payment = Payment.objects.get(kind=Payment.Kind.BONUS)
    assert (payment.amount, payment.participation.external_id) == (BONUS, place)
    assert [each.bonus.amount.amount for each in scene.fake.paid] == [BONUS]
    held.refresh_from_db()
    assert not held.owed
    check_settled(scene)


def test_rounds_at_the_same_time_owe_one_bonus_and_a_second_try_none(scene: Scene) -> None:
    held, _ = passed_before(scene)
    scene.round()
    scene.round()
    tries = QualificationTry.objects.filter(pk=held.pk)
    for _ in range(2):  # whatever marks the try as owed again
        tries.update(owed=True)
        at_once([partial(owe_test_bonuses, provider=scene.fake, now=scene.now)] * 4)
        assert bonuses() == [BONUS]
    assert not tries.filter(owed=True).exists()
    scene.work_all()
    scene.settle()
    assert [each.bonus.amount.amount for each in scene.fake.paid] == [BONUS]
    check_money(scene)


def test_a_worker_who_submits_no_page_of_the_stage_gets_no_bonus(scene: Scene) -> None:
    """A platform pays bonuses for places only."""
    held, _ = passed_before(scene)
    QualificationTry.objects.filter(pk=held.pk).update(stage="drawing")
    scene.work_all()
    scene.settle()
    assert bonuses() == []
    assert QualificationTry.objects.get().owed

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotation.models import Batch
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
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.crowd.actions import approve, pay_more, reject, retry
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.payments import pay
from workflows.money import ledger
from workflows.money.domain.wage_floor import PageTime
from workflows.money.page_times import page_times
from workflows.platforms.provider import NoFundsError, RefusedError
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


def done_page(scene: Scene) -> tuple[Batch, Participation]:
    """Do a page, and let it be paid."""
    batch = make_crowd_batch(crowd={"cap": 100})
    scene.round()
    place = scene.work(scene.open()[0])
    scene.round()
    return batch, participation(place)


def bonus(
    scene: Scene,
    one: Participation,
    amount: int,
    named: str = "b1",
) -> Payment:
    return pay_more(
        provider=scene.fake,
        participation_id=one.pk,
        kind=Payment.Kind.BONUS,
        amount=amount,
        reason="Careful work.",
        token=named,
        by="ada",
        now=scene.now,
    )


def test_a_token_that_could_not_be_found_again_is_refused(scene: Scene) -> None:
    _, one = done_page(scene)
    for token in ("", "two words", "a)", "\u00fc", "x" * 65):
        with pytest.raises(VerbError, match="token"):
            bonus(scene, one, 5, token)
    assert not Payment.objects.filter(kind="bonus").exists()


def test_a_bonus_over_the_cap_waits_and_is_paid_once_there_is_room(scene: Scene) -> None:
    batch, one = done_page(scene)
    payment = bonus(scene, one, 90)
    assert (payment.state, Problem.objects.get().kind) == ("waiting", "unpaid")
    said = Problem.objects.get().detail
    assert "of 0.90 USD for" in said and "the cap leaves 0." in said, "money, and no smallest units"
    scene.round()
    assert not scene.fake.paid and budget(batch).spent == REWARD + FEE
    ledger.set_cap(batch_id=batch.pk, currency="USD", cap=REWARD + FEE + 90 + 18)
    scene.settle()
    check_settled(scene)
    assert Problem.objects.get().closed_by == "reconcile"


def test_asking_twice_with_one_token_pays_once(scene: Scene) -> None:
    _, one = done_page(scene)
    assert bonus(scene, one, 10).pk == bonus(scene, one, 10).pk
    scene.settle()
    assert len(scene.fake.paid) == 1


def test_an_empty_account_is_said_and_paid_from_later(scene: Scene) -> None:
    _, one = done_page(scene)
    payment = bonus(scene, one, 10)
    scene.fake.fail_next("bonus", NoFundsError("The balance does not cover it."))
    scene.round()
    assert Problem.objects.filter(closed_at=None).count() == 1
    scene.round()
    payment.refresh_from_db()
    assert payment.state == "done" and not Problem.objects.filter(closed_at=None).exists()
    check_money(scene)


def test_what_the_platform_refuses_to_pay_waits_for_a_researcher(scene: Scene) -> None:
    _, one = done_page(scene)
    payment = bonus(scene, one, 10)
    scene.fake.fail_next("bonus", RefusedError("No."))
    scene.round()
    scene.round()
    payment.refresh_from_db()
    assert (payment.state, scene.fake.paid) == ("failed", [])
    assert retry(payment_id=payment.pk, now=scene.now)
    scene.round()
    payment.refresh_from_db()
    assert payment.state == "done" and not Problem.objects.filter(closed_at=None).exists()


def test_a_refusal_to_approve_what_is_approved_is_no_refusal(scene: Scene) -> None:
    make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    scene.fake.fail_next("approve", RefusedError("It is approved already."), after=True)
    scene.settle()
    assert participation(place).state == "approved"
    check_settled(scene)


def test_pages_are_topped_up_to_the_wage_once_when_the_batch_is_over(scene: Scene) -> None:
    """7.5 s a page at 48.00 an hour are 10 cents, and a page pays 5."""
    batch = make_crowd_batch(images=2, crowd={"hourly_wage": 4800})
    scene.round()
    scene.work_all()
    scene.settle()
    assert not scene.fake.paid, "two pages say little about how long pages take"
    Batch.objects.update(state=Batch.State.FINISHED)
    scene.settle()
    assert [one.bonus.amount.amount for one in scene.fake.paid] == [5, 5]
    assert budget(batch).spent == scene.fake.spent
    check_settled(scene)


def test_a_batch_without_top_ups_pays_none(scene: Scene) -> None:
    make_crowd_batch(crowd={"hourly_wage": 4800, "top_up": False})
    scene.round()
    scene.work_all()
    Batch.objects.update(state=Batch.State.FINISHED)
    scene.settle()
    assert not scene.fake.paid


def test_what_is_paid_can_be_neither_rejected_nor_approved_again(scene: Scene) -> None:
    _, one = done_page(scene)
    with pytest.raises(VerbError, match="is approved: only what is submitted"):
        reject(provider=scene.fake, participation_id=one.pk, reason="No.", by="ada", now=scene.now)
    with pytest.raises(VerbError, match="approved already"):
        approve(participation_id=one.pk, by="ada", now=scene.now)


def test_a_refused_reward_is_not_rejected_over_its_head(scene: Scene) -> None:
    """Only a rejection that was refused gets another reason; a reward that is owed stays owed."""
    make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    scene.fake.fail_next("approve", RefusedError("Not this one."))
    scene.round()
    assert (Payment.objects.get().kind, Payment.objects.get().state) == ("reward", "failed")
    with pytest.raises(VerbError, match="being paid or rejected already"):
        reject(
            provider=scene.fake,
            participation_id=participation(place).pk,
            reason="No.",
            by="ada",
            now=scene.now,
        )
    assert (Payment.objects.get().kind, Payment.objects.get().state) == ("reward", "failed")


def test_an_approval_after_everything_was_released_binds_its_money_anew(scene: Scene) -> None:
    batch = make_crowd_batch()
    scene.round()
    publication = scene.open()[0]
    place = scene.fake.work(publication.external_id, "W1")
    scene.round()
    one = participation(place)
    reject(provider=scene.fake, participation_id=one.pk, reason="No answers.", by="ada", now=scene.now)
    scene.round()
    scene.round()
    publication.refresh_from_db()
    assert publication.state == Publication.State.SETTLED and budget(batch).spent == 0
    approve(participation_id=one.pk, by="ada", now=scene.now)
    scene.round()
    assert budget(batch).spent == REWARD + FEE
    check_money(scene)


def test_what_is_approved_over_the_cap_is_not_paid_before_there_is_room(scene: Scene) -> None:
    batch = make_crowd_batch(crowd={"cap": REWARD + FEE})
    scene.round()
    publication = scene.open()[0]
    place = scene.fake.work(publication.external_id, "W1")
    scene.round()
    reject(
        provider=scene.fake, participation_id=participation(place).pk, reason="No.", by="ada", now=scene.now
    )
    scene.round()
    scene.round()
    assert budget(batch).reserved == REWARD + FEE, "the page is published anew"
    approve(participation_id=participation(place).pk, by="ada", now=scene.now)
    scene.round()
    assert Payment.objects.get().state == "waiting" and scene.fake.spent == 0
    ledger.set_cap(batch_id=batch.pk, currency="USD", cap=2 * (REWARD + FEE))
    scene.round()
    check_money(scene)
    assert Payment.objects.get().state == "done" and budget(batch).spent == REWARD + FEE


def test_what_the_platform_paid_by_itself_over_the_cap_is_booked_once_there_is_room(scene: Scene) -> None:
    batch = make_crowd_batch(crowd={"cap": REWARD + FEE})
    scene.round()
    place = scene.fake.work(scene.open()[0].external_id, "W1")
    scene.round()
    one = participation(place)
    reject(provider=scene.fake, participation_id=one.pk, reason="No.", by="ada", now=scene.now)
    scene.round()
    scene.round()
    scene.fake.approve(place)  # somebody overrode it there
    Publication.objects.filter(pk=one.publication_id).update(state=Publication.State.CLOSED)
    scene.round()
    scene.round()
    assert Payment.objects.get().state == "waiting" and budget(batch).spent == 0
    ledger.set_cap(batch_id=batch.pk, currency="USD", cap=2 * (REWARD + FEE))
    scene.settle()
    assert Payment.objects.get().state == "done"
    check_money(scene)


def test_who_needs_no_top_up_is_not_ahead_of_who_does(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    make_crowd_batch(images=2, crowd={"hourly_wage": 4800})
    scene.round()
    scene.work_all()
    scene.settle()
    first, second = Participation.objects.filter(state="approved").order_by("pk")
    Publication.objects.filter(pk=first.publication_id).update(reward=10)
    Batch.objects.update(state=Batch.State.FINISHED)
    monkeypatch.setattr(pay, "AT_ONCE", 1)
    assert pay.owe_top_ups(provider=scene.fake, now=scene.now).done == 1
    assert Payment.objects.get(kind="top-up").participation == second


def test_times_are_looked_at_only_where_somebody_may_lack_something(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_crowd_batch(crowd={"hourly_wage": 4800})
    scene.round()
    asked: list[list[str]] = []
    times = page_times

    def spy(batch_id: int, settings: BatchSettings, stages: Sequence[str]) -> dict[str, PageTime]:
        asked.append(list(stages))
        return times(batch_id, settings, stages)

    monkeypatch.setattr(pay, "page_times", spy)
    pay.owe_top_ups(provider=scene.fake, now=scene.now)
    assert not asked, "nothing is approved"
    scene.work_all()
    scene.settle()
    assert asked and {tuple(stages) for stages in asked} == {("link",)}
    Batch.objects.update(state=Batch.State.FINISHED)
    scene.settle()
    asked.clear()
    pay.owe_top_ups(provider=scene.fake, now=scene.now)
    assert not asked, "everybody has what was missing"


def test_a_token_of_another_payment_is_refused(scene: Scene) -> None:
    """Otherwise the command would say that the second one is paid."""
    make_crowd_batch(images=2)
    scene.round()
    scene.work_all()
    scene.settle()
    first, second = Participation.objects.filter(state="approved").order_by("pk")
    bonus(scene, first, 10)
    for one, amount in ((second, 10), (first, 11)):
        with pytest.raises(VerbError, match="token b1 is that of another payment"):
            bonus(scene, one, amount)
    taken = (first.publication.token, f"reward-{second.pk + 1}", "page:1")
    for token in taken:
        with pytest.raises(VerbError, match="of something else"):
            bonus(scene, first, 10, token)
    assert Payment.objects.filter(kind="bonus").count() == 1


def test_a_waiting_payment_that_makes_no_sense_holds_up_no_other(scene: Scene) -> None:
    """A batch's currency cannot change, but a restored database may say anything."""
    _, one = done_page(scene)
    wrong, right = bonus(scene, one, 90, "b1"), bonus(scene, one, 91, "b2")
    Payment.objects.filter(pk=wrong.pk).update(currency="EUR")
    ledger.set_cap(batch_id=one.publication.batch_id, currency="USD", cap=1000)
    assert scene.round().failed == 1
    right.refresh_from_db()
    assert right.state == "done"
    wrong.refresh_from_db()
    assert wrong.state == "waiting"

"""A bonus that the platform refuses for good can be withdrawn, unless the platform may have paid it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.workflows.crowd.scene import (
    SITE,
    Scene,
    budget,
    check_money,
    check_settled,
    make_crowd_batch,
    participation,
)
from tests.workflows.platforms.fake import FakeProvider
from tests.workflows.threads import at_once
from workflows.crowd.actions import pay_more, retry
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Problem
from workflows.crowd.payments.book_check import verify_books
from workflows.crowd.payments.pay import pay
from workflows.crowd.payments.withdraw import can_withdraw, withdraw
from workflows.crowd.rounds.reconcile import reconcile
from workflows.money.models import Budget, LedgerEntry
from workflows.platforms.call_rate import Bucket, Pace
from workflows.platforms.calls import call
from workflows.platforms.models import ProviderCall
from workflows.platforms.provider import Money, ProviderError, RefusedError, Submitted, UnavailableError

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SPENT, BONUS = 6, 60  # the reward of the one page and a bonus of 50, with their fees
ONCE = Pace(Bucket(rate=1e6, burst=1000), tries=1)


@dataclass
class Logging(FakeProvider):
    """A platform whose bonuses are in the log of calls, like those of the real providers."""

    def bonus(self, submission: Submitted, *, amount: Money, reason: str, token: str) -> None:
        def do() -> None:
            super(Logging, self).bonus(submission, amount=amount, reason=reason, token=token)

        call(self, "SendBonus", token, do, pace=ONCE)


@pytest.fixture
def scene(settings: Settings) -> Scene:
    settings.SITE = SITE
    return Scene(Logging(), timezone.now())


def worked(scene: Scene) -> str:
    """Do a page, and let it be paid."""
    make_crowd_batch()
    scene.round()
    place = scene.work(scene.open()[0])
    scene.settle()
    return place


def bonus(scene: Scene, place: str, *faults: ProviderError, after: bool = False) -> Payment:
    """Owe a bonus of 50 that meets a fault each round; with `after`, the first comes once it is paid."""
    for number, fault in enumerate(faults):
        scene.fake.fail_next("bonus", fault, after=after and not number)
    payment = pay_more(
        provider=scene.fake,
        participation_id=participation(place).pk,
        kind=Payment.Kind.BONUS,
        amount=50,
        reason="Careful work.",
        token="t1",
        by="ada",
        now=scene.now,
    )
    for _ in faults:
        pay(provider=scene.fake, now=scene.now)
    payment.refresh_from_db()
    return payment


def age(**term: float) -> None:
    """Date all calls so far back by this time."""
    for one in ProviderCall.objects.all():
        ProviderCall.objects.filter(pk=one.pk).update(created_at=one.created_at - timedelta(**term))


def check_given_up(scene: Scene) -> None:
    assert Payment.objects.get(kind="bonus").state == "withdrawn"
    assert (Budget.objects.get().reserved, Budget.objects.get().spent) == (0, SPENT)
    assert not Problem.objects.filter(closed_at=None).exists()
    assert verify_books() == []
    check_money(scene)


NO, NOTHING = RefusedError("This worker cannot be paid."), UnavailableError("no answer")


def test_a_bonus_that_was_refused_is_given_up_and_its_money_is_free(scene: Scene) -> None:
    payment = bonus(scene, worked(scene), NO)
    assert payment.state == "failed" and can_withdraw(payment) and Budget.objects.get().reserved
    withdraw(payment_id=payment.pk, now=scene.now)
    check_given_up(scene)
    assert not retry(payment_id=payment.pk, now=scene.now)
    scene.settle()
    assert scene.fake.paid == [] and reconcile(provider=scene.fake, now=scene.now).clean
    with pytest.raises(VerbError, match="is withdrawn"):
        withdraw(payment_id=payment.pk, now=scene.now)
    check_given_up(scene)


@pytest.mark.parametrize("paid", [False, True], ids=["not-done", "done"])
def test_what_had_no_answer_before_it_was_refused_is_not_given_up(scene: Scene, paid: bool) -> None:
    """The platform may be late to tell that it has paid, and refuses to do it twice."""
    payment = bonus(scene, worked(scene), NOTHING, NO, after=paid)
    assert payment.state == "failed" and len(scene.fake.paid) == paid
    bound = Budget.objects.get().reserved
    with pytest.raises(VerbError, match="no clear answer"):
        withdraw(payment_id=payment.pk, now=scene.now)
    payment.refresh_from_db()
    assert payment.state == "failed" and Budget.objects.get().reserved == bound > 0
    age(hours=2)
    retry(payment_id=payment.pk, now=scene.now)
    if not paid:
        scene.fake.fail_next("bonus", NO)
    pay(provider=scene.fake, now=scene.now)
    if paid:
        scene.settle()
        check_settled(scene)
        return
    withdraw(payment_id=payment.pk, now=scene.now)
    check_given_up(scene)


def test_a_no_to_a_token_that_was_used_before_is_not_clear(scene: Scene) -> None:
    payment = bonus(scene, worked(scene), RefusedError("You used this token.", code="DuplicateRequest"))
    with pytest.raises(VerbError, match="no clear answer"):
        withdraw(payment_id=payment.pk, now=scene.now)


def test_a_process_that_was_killed_while_it_asked_leaves_it_open(scene: Scene) -> None:
    payment = bonus(scene, worked(scene), NO)
    ProviderCall.objects.filter(subject="t1").update(outcome="")
    with pytest.raises(VerbError, match="no clear answer"):
        withdraw(payment_id=payment.pk, now=scene.now)


@pytest.mark.parametrize(("outcome", "code", "free"), [("", "", False), ("unavailable", "connect", True)])
def test_a_call_on_prolific_is_looked_at_under_its_own_name(
    scene: Scene, outcome: str, code: str, free: bool
) -> None:
    payment = bonus(scene, worked(scene), NO)
    one = payment.participation
    ProviderCall.objects.create(
        provider=one.publication.provider,
        environment=one.publication.environment,
        operation="pay-bonus-payments",
        subject=f"{one.publication.external_id}:{one.external_id}:50:t1",
        outcome=outcome,
        code=code,
        created_at=scene.now,
    )
    if not free:
        with pytest.raises(VerbError, match="no clear answer"):
            withdraw(payment_id=payment.pk, now=scene.now)
        return
    withdraw(payment_id=payment.pk, now=scene.now)
    check_given_up(scene)


def test_a_top_up_that_was_refused_can_be_given_up_and_a_reward_cannot(scene: Scene) -> None:
    payment = bonus(scene, worked(scene), NO)
    Payment.objects.filter(pk=payment.pk).update(kind="top-up")
    reward = Payment.objects.get(kind="reward")
    Payment.objects.filter(pk=reward.pk).update(state="failed")
    with pytest.raises(VerbError, match="settles work that was done"):
        withdraw(payment_id=reward.pk, now=scene.now)
    withdraw(payment_id=payment.pk, now=scene.now)
    assert Payment.objects.get(pk=payment.pk).state == "withdrawn"


@pytest.mark.parametrize("room", [True, False])
def test_what_turns_out_to_be_paid_all_the_same_is_booked_from_money_that_is_bound_anew(
    scene: Scene, room: bool
) -> None:
    """After a backup was restored, the log lacks the call that paid."""
    payment = bonus(scene, worked(scene), NOTHING, NO, after=True)
    ProviderCall.objects.filter(outcome="unavailable").delete()
    withdraw(payment_id=payment.pk, now=scene.now)
    cap = Budget.objects.get().cap
    if not room:
        Budget.objects.update(cap=SPENT)
        report = reconcile(provider=scene.fake, now=scene.now)
        assert Payment.objects.get(pk=payment.pk).state == "withdrawn" and not report.repaired
        assert "the cap leaves 0.00 USD" in Problem.objects.get(closed_at=None).detail
        Budget.objects.update(cap=cap)
    for _ in range(2):
        scene.wait(minutes=20)
        reconcile(provider=scene.fake, now=scene.now)
    assert LedgerEntry.objects.filter(token="reserve:t1/2").exists()
    assert not Problem.objects.filter(closed_at=None).exists() and verify_books() == []
    scene.settle()
    check_settled(scene)


@pytest.mark.django_db(transaction=True)
def test_whoever_gives_it_up_asks_again_or_hears_that_it_was_paid_one_of_them_has_it(scene: Scene) -> None:
    place = worked(scene)
    payment = bonus(scene, place, NO)
    batch = participation(place).publication.batch

    def give_up(now: datetime = scene.now) -> bool:
        try:
            withdraw(payment_id=payment.pk, now=now)
        except VerbError:
            return False
        return True

    def ask_again() -> bool:
        return retry(payment_id=payment.pk, now=scene.now)

    def pays() -> bool:
        return bool(pay(provider=scene.fake, now=scene.now).done)

    calls: list[Callable[[], bool]] = [give_up, ask_again, pays, give_up, pays, ask_again]
    given, asked, _, given_too, _, asked_too = at_once(calls)
    assert [given, asked, given_too, asked_too].count(True) == 1
    state = Payment.objects.get(pk=payment.pk).state
    assert (state == "withdrawn") == (given or given_too)
    scene.settle()
    spent = SPENT if state == "withdrawn" else SPENT + BONUS
    assert (budget(batch).reserved, budget(batch).spent) == (0, spent)
    assert verify_books() == []
    check_money(scene)

"""Prolific pays a bonus each time that it is asked to, so we ask once, whatever happens."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.workflows.platforms.orders import make_order
from tests.workflows.platforms.prolific.stage import ProlificStage, prolific_stage
from tests.workflows.threads import at_once
from workflows.platforms.models import ProviderCall
from workflows.platforms.prolific.bonuses import PAY, SETTLING
from workflows.platforms.provider import Money, NoFundsError, Submitted, UnavailableError

AMOUNT = Money(25, "GBP")


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[ProlificStage]:
    with prolific_stage() as stage:
        yield stage


def approved(stage: ProlificStage) -> Submitted:
    one = stage.provider.publish(make_order("GBP"))
    stage.provider.approve(stage.work(one.external_id, stage.workers[0]))
    (submission,) = stage.provider.submissions(one.external_id)
    return submission


def pay(stage: ProlificStage, one: Submitted, key: str = "b1") -> None:
    stage.provider.bonus(one, amount=AMOUNT, reason="More work than we said.", token=key)


def paid(stage: ProlificStage) -> int:
    return stage.world.books.paid("bonus")


def age(term: timedelta) -> None:
    ProviderCall.objects.filter(operation=PAY).update(created_at=timezone.now() - term)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["cut-after", "break-after"])
def test_what_was_paid_without_an_answer_is_not_paid_again_while_it_does_not_show(
    stage: ProlificStage, kind: str
) -> None:
    one = approved(stage)
    stage.world.bonus_seconds = 600
    stage.world.faults.add(kind, PAY)
    for _ in range(3):  # not answered, then not shown yet
        with pytest.raises(UnavailableError):
            pay(stage, one)
    assert paid(stage) == 25
    stage.world.clock.advance(601)
    pay(stage, one)
    pay(stage, one)
    assert paid(stage) == 25
    (told,) = stage.provider.bonuses(one.publication_id)
    assert (told.token, told.amount) == ("b1", AMOUNT)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["cut", "break"])
def test_what_was_not_paid_is_paid_once_it_would_have_shown(stage: ProlificStage, kind: str) -> None:
    one = approved(stage)
    stage.world.faults.add(kind, PAY)
    for _ in range(2):
        with pytest.raises(UnavailableError):
            pay(stage, one)
    assert paid(stage) == 0 and stage.emulator.requests.count(PAY) == 1
    age(SETTLING + timedelta(seconds=1))
    pay(stage, one)
    assert paid(stage) == 25


@pytest.mark.django_db
def test_a_throttled_payment_is_asked_for_again_at_once(stage: ProlificStage) -> None:
    one = approved(stage)
    stage.world.faults.add("throttle", PAY, times=2)
    pay(stage, one)
    assert paid(stage) == 25 and stage.emulator.requests.count(PAY) == 3


@pytest.mark.django_db
def test_an_equal_bonus_of_another_token_is_not_taken_for_this_one(stage: ProlificStage) -> None:
    one = approved(stage)
    pay(stage, one, "b1")
    stage.world.faults.add("cut", PAY)
    with pytest.raises(UnavailableError):
        pay(stage, one, "b2")
    with pytest.raises(UnavailableError, match="not known yet"):
        pay(stage, one, "b2")
    age(SETTLING + timedelta(seconds=1))
    pay(stage, one, "b2")
    assert paid(stage) == 50
    assert [each.token for each in stage.provider.bonuses(one.publication_id)] == ["b1", "b2"]


@pytest.mark.django_db
def test_a_token_with_colons_is_not_paid_by_what_another_was(stage: ProlificStage) -> None:
    one = approved(stage)
    pay(stage, one, "b1")
    stage.world.faults.add("cut", PAY)
    for _ in range(2):
        with pytest.raises(UnavailableError):
            pay(stage, one, "ada:may:1")
    age(SETTLING + timedelta(seconds=1))
    pay(stage, one, "ada:may:1")
    assert paid(stage) == 50


@pytest.mark.django_db
def test_what_was_paid_before_a_backup_was_restored_is_not_paid_again(stage: ProlificStage) -> None:
    one = approved(stage)
    pay(stage, one, "b1")
    ProviderCall.objects.filter(operation=PAY).delete()
    for _ in range(2):
        pay(stage, one, "b1")
    assert paid(stage) == 25
    assert [each.token for each in stage.provider.bonuses(one.publication_id)] == ["b1"]
    pay(stage, one, "b2")  # what is shown is b1's
    assert paid(stage) == 50


@pytest.mark.django_db
def test_a_process_that_was_killed_while_it_asked_is_an_answer_that_was_lost(stage: ProlificStage) -> None:
    one = approved(stage)
    pay(stage, one)
    ProviderCall.objects.filter(operation=PAY).update(outcome="")  # killed before it could note the answer
    pay(stage, one)
    assert paid(stage) == 25
    assert ProviderCall.objects.get(operation=PAY).outcome == "ok"


@pytest.mark.django_db
def test_without_funds_nothing_is_paid_and_later_it_is(stage: ProlificStage) -> None:
    one = approved(stage)
    stage.provider.expire(one.publication_id)
    stage.drain()
    with pytest.raises(NoFundsError):
        pay(stage, one)
    stage.world.books.top_up(1000, stage.world.clock.now())
    pay(stage, one)
    assert paid(stage) == 25


@pytest.mark.django_db
def test_no_token_has_two_payments_under_way_or_done(stage: ProlificStage) -> None:
    row = {"provider": "prolific", "environment": "emulator", "operation": PAY, "subject": "s:u:25:b1"}
    now = timezone.now()
    ProviderCall.objects.create(**row, outcome="unavailable", created_at=now)
    ProviderCall.objects.create(**row, outcome="ok", created_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        ProviderCall.objects.create(**row, outcome="", created_at=now)


@pytest.mark.django_db(transaction=True)
def test_of_many_that_pay_at_once_one_does(stage: ProlificStage) -> None:
    one = approved(stage)

    def try_to_pay() -> bool:
        try:
            pay(stage, one)
        except UnavailableError:
            return False
        return True

    assert any(at_once([partial(try_to_pay) for _ in range(8)]))
    assert paid(stage) == 25 and stage.emulator.requests.count(PAY) == 1
    pay(stage, one)
    assert paid(stage) == 25

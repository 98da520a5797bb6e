"""The log of calls, and when a call is made again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.call_rate import Bucket, Pace
from workflows.platforms.calls import call, first_tried, forget_calls
from workflows.platforms.models import ProviderCall
from workflows.platforms.provider import Environment, NoFundsError, NotLetInError, UnavailableError

pytestmark = pytest.mark.django_db


@dataclass
class Someone:
    name: str = "mturk"
    environment: Environment = Environment.EMULATOR


class KilledError(BaseException):
    pass


def a_pace(sleep: Callable[[float], None] = lambda seconds: None) -> Pace:
    return Pace(Bucket(1000, 1000), sleep=sleep, rng=random.Random(1))


def failing(*errors: BaseException) -> Callable[[], str]:
    """Return a function that raises these errors one after the other, and then returns."""
    left = list(errors)

    def do() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return do


def outcomes() -> list[tuple[str, str, str]]:
    rows = ProviderCall.objects.order_by("id")
    return [(row.outcome, row.code, row.message) for row in rows]


def test_the_row_is_there_before_the_call_and_its_outcome_after() -> None:
    def do() -> int:
        (row,) = ProviderCall.objects.all()
        assert (row.operation, row.subject, row.outcome, row.seconds) == ("CreateHIT", "5f0c", "", None)
        return 7

    assert call(Someone(), "CreateHIT", "5f0c", do, pace=a_pace()) == 7
    (row,) = ProviderCall.objects.all()
    assert (row.provider, row.environment, row.outcome) == ("mturk", "emulator", "ok")
    assert row.seconds is not None and row.seconds >= 0


def test_what_is_unavailable_is_asked_again_after_a_wait() -> None:
    waits: list[float] = []
    do = failing(UnavailableError("slow down", code="Throttling"), UnavailableError("again"))
    assert call(Someone(), "CreateHIT", "5f0c", do, pace=a_pace(waits.append)) == "done"
    assert outcomes() == [
        ("unavailable", "Throttling", "slow down"),
        ("unavailable", "", "again"),
        ("ok", "", ""),
    ]
    assert len(waits) == 2 and all(0 <= wait <= 1 for wait in waits)


def test_after_five_tries_it_is_given_up() -> None:
    do = failing(*[UnavailableError(str(number)) for number in range(9)])
    with pytest.raises(UnavailableError, match="4"):
        call(Someone(), "CreateHIT", "5f0c", do, pace=a_pace())
    assert len(outcomes()) == 5


def test_what_is_refused_is_not_asked_again() -> None:
    with pytest.raises(NoFundsError):
        call(
            Someone(),
            "CreateHIT",
            "5f0c",
            failing(NoFundsError("no", code="InsufficientFunds")),
            pace=a_pace(),
        )
    assert outcomes() == [("refused", "InsufficientFunds", "no")]


def test_who_is_not_let_in_does_not_ask_again() -> None:
    """Nobody mends a token within seconds, so the call waits for the next round."""
    do = failing(NotLetInError("Who are you?", code="401"))
    with pytest.raises(UnavailableError, match="Who"):
        call(Someone(), "CreateHIT", "5f0c", do, pace=a_pace())
    assert outcomes() == [("unavailable", "401", "Who are you?")]


def test_a_call_that_the_process_did_not_survive_has_no_outcome() -> None:
    with pytest.raises(KilledError):
        call(Someone(), "CreateHIT", "5f0c", failing(KilledError()), pace=a_pace())
    assert outcomes() == [("", "", "")]


def test_secrets_in_what_a_platform_says_are_left_out(settings: Any) -> None:
    settings.MTURK = MTurkAccount("https://x", Environment.EMULATOR, "AKIA", "s3cr3t-of-aws")
    error = UnavailableError("signed with s3cr3t-of-aws")
    error.__cause__ = ValueError("s3cr3t-of-aws")
    with pytest.raises(UnavailableError) as raised:
        call(Someone(), "CreateHIT", "5f0c", failing(*[error] * 5), pace=a_pace())
    assert str(raised.value) == "signed with [secret]"
    assert raised.value.__cause__ is None
    assert {message for _, _, message in outcomes()} == {"signed with [secret]"}


def test_long_texts_of_a_platform_are_cut() -> None:
    with pytest.raises(NoFundsError):
        call(
            Someone(),
            "CreateHIT",
            "s" * 999,
            failing(NoFundsError("m" * 5000, code="c" * 500)),
            pace=a_pace(),
        )
    (row,) = ProviderCall.objects.all()
    assert (len(row.subject), len(row.code), len(row.message)) == (128, 100, 1000)


@pytest.mark.django_db(transaction=True)
def test_no_platform_is_called_inside_a_transaction() -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="inside a transaction"):
        call(Someone(), "CreateHIT", "5f0c", lambda: 1, pace=a_pace())
    assert call(Someone(), "CreateHIT", "5f0c", lambda: connection.in_atomic_block, pace=a_pace()) is False


def test_the_first_try_is_known_unless_it_was_refused() -> None:
    assert first_tried(Someone(), "CreateHIT", "5f0c") is None
    with pytest.raises(NoFundsError):
        call(Someone(), "CreateHIT", "5f0c", failing(NoFundsError("no")), pace=a_pace())
    assert first_tried(Someone(), "CreateHIT", "5f0c") is None
    with pytest.raises(KilledError):
        call(Someone(), "CreateHIT", "5f0c", failing(KilledError()), pace=a_pace())
    broken_off = ProviderCall.objects.get(outcome="")
    call(Someone(), "CreateHIT", "5f0c", failing(), pace=a_pace())
    assert first_tried(Someone(), "CreateHIT", "5f0c") == broken_off.created_at
    assert first_tried(Someone(environment=Environment.LIVE), "CreateHIT", "5f0c") is None


def test_old_calls_are_forgotten_and_polls_sooner() -> None:
    now = timezone.now()
    days = {"CreateHIT": (401, 399), "ReceiveMessage": (2, 0)}
    for operation, ages in days.items():
        for age in ages:
            call(Someone(), operation, "", lambda: None, pace=a_pace())
            ProviderCall.objects.filter(pk=ProviderCall.objects.latest("pk").pk).update(
                created_at=now - timedelta(days=age)
            )
    assert forget_calls(now=now) == 2
    kept = {(row.operation, (now - row.created_at).days) for row in ProviderCall.objects.all()}
    assert kept == {("CreateHIT", 399), ("ReceiveMessage", 0)}
    assert forget_calls(now=now) == 0

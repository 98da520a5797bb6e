"""Every call to a platform goes through `call`: it is logged before it is made, paced, and repeated."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from django.db import connection
from django.utils import timezone

from annotation.transactions import write_transaction
from workflows.core.locks import check_locks
from workflows.platforms.accounts import accounts
from workflows.platforms.call_rate import Pace, usual_pace
from workflows.platforms.models import ProviderCall
from workflows.platforms.provider import (
    Environment,
    NotLetInError,
    ProviderError,
    RefusedError,
    UnavailableError,
)

MAX_SUBJECT, MAX_CODE, MAX_MESSAGE = 128, 100, 1000  # characters kept
POLLS = ("ReceiveMessage", "DeleteMessageBatch")
"""Operations that ask a queue for notifications: one or two a round, mostly for nothing."""
POLLS_KEPT, KEPT = timedelta(days=1), timedelta(days=400)
Outcome = ProviderCall.Outcome
T = TypeVar("T")


class Caller(Protocol):
    """The part of a Provider that the log of calls names."""

    name: str
    environment: Environment


def call(
    provider: Caller, operation: str, subject: str, do: Callable[[], T], *, pace: Pace | None = None
) -> T:
    """Call `do`, which asks the platform once, and return what it returns.

    `subject` is the token or id that the call is about. After an UnavailableError `do` is called again, up to
    `pace.tries` times, so it must be safe to repeat. It is not repeated after a NotLetInError: a wrong key is
    still wrong a second later. Raises what `do` raised last. Raises RuntimeError inside a transaction: a
    platform may take a minute, and what was written before the call must stay written whatever it does.
    Raises LockLostError if a round has lost its lock: the next round may be making the same call.
    """
    _check_no_transaction()
    pace = pace or usual_pace(provider.name, provider.environment)
    for number in range(1, pace.tries + 1):
        pace.wait_for_turn()
        try:
            return _logged(provider, operation, subject, do)
        except NotLetInError:
            raise
        except UnavailableError:
            if number == pace.tries:
                raise
        pace.back_off(number)
    raise AssertionError("a pace has at least one try")


def first_tried(provider: Caller, operation: str, subject: str) -> datetime | None:
    """Return when the platform was first asked for this without refusing it; None if it never was.

    Such a call was done, or nobody knows whether it was.
    """
    tries = ProviderCall.objects.filter(
        subject=subject[:MAX_SUBJECT],
        operation=operation,
        provider=provider.name,
        environment=provider.environment,
    ).exclude(outcome=Outcome.REFUSED)
    return tries.order_by("id").values_list("created_at", flat=True).first()


def forget_calls(*, now: datetime, most: int = 2000) -> int:
    """Delete log entries that are no longer needed, and return how many.

    At most `most` polls of queues and `most` other calls are deleted. Polls are useless after a day; other
    calls are kept for as long as people may argue about money.
    """
    oldest = ProviderCall.objects.order_by("pk")
    polls = oldest.filter(subject="", operation__in=POLLS, created_at__lt=now - POLLS_KEPT)
    old = [pk for pk, at in oldest.values_list("pk", "created_at")[:most] if at < now - KEPT]
    with write_transaction():
        return ProviderCall.objects.filter(
            pk__in={*old, *polls.values_list("pk", flat=True)[:most]}
        ).delete()[0]


def _logged(provider: Caller, operation: str, subject: str, do: Callable[[], T]) -> T:
    check_locks()
    with write_transaction():
        row = ProviderCall.objects.create(
            provider=provider.name,
            environment=provider.environment,
            operation=operation,
            subject=subject[:MAX_SUBJECT],
            created_at=timezone.now(),
        )
    began = time.monotonic()
    try:
        result = do()
    except ProviderError as error:
        _hide_secrets(error)
        refused = isinstance(error, RefusedError)
        outcome = Outcome.REFUSED if refused else Outcome.UNAVAILABLE
        _note(row, outcome, began, code=error.code, message=str(error))
        raise
    _note(row, Outcome.OK, began)
    return result


def _note(row: ProviderCall, outcome: Outcome, began: float, *, code: str = "", message: str = "") -> None:
    with write_transaction():
        ProviderCall.objects.filter(pk=row.pk).update(
            outcome=outcome,
            seconds=time.monotonic() - began,
            code=code[:MAX_CODE],
            message=message[:MAX_MESSAGE],
        )


def _hide_secrets(error: ProviderError) -> None:
    """Remove our secrets from an error's text: platforms quote requests in their error messages."""
    text = str(error)
    for account in accounts().values():
        for secret in account.secrets:
            text = text.replace(secret, "[secret]")
    if text != str(error):
        error.args = (text,)
        error.__cause__, error.__suppress_context__ = None, True  # a traceback would quote them


def _check_no_transaction() -> None:
    """Raise RuntimeError inside a transaction, except in the one that a test case opens and rolls back."""
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
        raise RuntimeError("A platform is called inside a transaction.")

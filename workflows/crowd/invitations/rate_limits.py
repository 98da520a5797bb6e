"""Tries to join, counted by where they come from and by invitation, and forgotten soon after an hour; and
sessions of platforms' workers, counted by where they come from while nobody confirms them.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotation.transactions import write_transaction
from workflows.core.client_addresses import first_of_network
from workflows.core.locks import lock_until_commit
from workflows.crowd.invitations.domain import (
    FAILED_AN_ADDRESS,
    FAILED_AN_INVITATION,
    JOINED_AN_ADDRESS,
    WINDOW,
    wait,
)
from workflows.crowd.invitations.models import Invitation, JoinAttempt
from workflows.workers.models import Participation

KEPT = timedelta(days=1)
"""So long it is kept where a session was opened that nobody has confirmed."""


class LimitedError(Exception):
    """Too many tries: one more is taken after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Too many tries: wait {seconds} seconds.")
        self.seconds = seconds


def begin_attempt(*, invitation: Invitation | None, address: str | None, now: datetime) -> JoinAttempt:
    """Count a try before it is looked at, so that tries at once are no way round the limit.

    In a transaction that has locked the invitation. It counts as failed until it is said to have done better.
    Raises LimitedError.
    """
    key = _key(address)
    failed = JoinAttempt.objects.filter(joined=False)
    seconds = _wait(failed.filter(address=key), FAILED_AN_ADDRESS, now)
    if invitation is not None:
        seconds = max(seconds, _wait(failed.filter(invitation=invitation), FAILED_AN_INVITATION, now))
    if seconds:
        raise LimitedError(seconds)
    return JoinAttempt.objects.create(address=key, invitation=invitation, created_at=now)


def check_joins(*, address: str | None, now: datetime) -> None:
    """Whether one more new worker may come from there. Raises LimitedError."""
    joined = JoinAttempt.objects.filter(joined=True, address=_key(address))
    if seconds := _wait(joined, JOINED_AN_ADDRESS, now):
        raise LimitedError(seconds)


def origin_of(address: str | None) -> str:
    """What sessions are counted by: not what tries to join are, so that neither tells of the other."""
    return salted_hmac("groundcrew.session", first_of_network(address) or "", algorithm="sha256").hexdigest()


def check_openings(*, origin: str, now: datetime) -> None:
    """Whether one more session that nobody has confirmed may be opened from there. Raises LimitedError.

    In the transaction that opens it; others from there wait until that has ended.
    """
    lock_until_commit(f"session:{origin}")
    opened = Participation.objects.filter(origin=origin, confirmed=False, opened_at__gt=now - WINDOW)
    most = settings.SESSIONS_AN_ADDRESS
    times = opened.order_by("-opened_at").values_list("opened_at", flat=True)[:most]
    if seconds := wait(list(times), most=most, now=now):
        raise LimitedError(seconds)


def _wait(attempts: QuerySet[JoinAttempt], most: int, now: datetime) -> int:
    latest = attempts.filter(created_at__gt=now - WINDOW).order_by("-created_at")
    return wait(list(latest.values_list("created_at", flat=True)[:most]), most=most, now=now)


def _key(address: str | None) -> str:
    """No address is stored, and none can be found again without the installation's key."""
    return salted_hmac("groundcrew.joining", first_of_network(address) or "", algorithm="sha256").hexdigest()


def forget_attempts(*, now: datetime) -> None:
    """Delete those that are too old to count, and where sessions came from."""
    with write_transaction():
        JoinAttempt.objects.filter(created_at__lte=now - WINDOW).delete()
        Participation.objects.filter(opened_at__lte=now - KEPT).exclude(origin="").update(origin="")

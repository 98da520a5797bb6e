"""Rate limits on tries to join and on sessions of unconfirmed workers, by address and by invitation.

Tries are deleted soon after an hour. Sessions are counted until a platform confirms their workers.
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
    FAILED_PER_ADDRESS,
    FAILED_PER_INVITATION,
    INTERVAL_PER_ADDRESS,
    INTERVAL_PER_INVITATION,
    JOINED_PER_ADDRESS,
    WINDOW,
    pause,
    wait,
)
from workflows.crowd.invitations.models import Invitation, JoinAttempt
from workflows.workers.models import Participation

KEPT = timedelta(days=1)
"""How long we keep from where an unconfirmed worker's session was opened."""


class LimitedError(Exception):
    """There were too many tries; the next one is possible after `seconds` seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Too many tries: wait {seconds} seconds.")
        self.seconds = seconds


def begin_attempt(*, invitation: Invitation | None, address: str | None, now: datetime) -> JoinAttempt:
    """Count a try before it is checked, so that nobody gets round the limit by many tries at once.

    It counts as failed until the caller marks or deletes it. Call this in a transaction that has locked the
    invitation. Raises LimitedError.
    """
    key = _key(address)
    failed = JoinAttempt.objects.filter(joined=False)
    here = _latest(failed.filter(address=key, invitation=invitation), FAILED_PER_ADDRESS, now)
    seconds = pause(here, free=FAILED_PER_ADDRESS, then=INTERVAL_PER_ADDRESS, now=now)
    if invitation is not None:
        anywhere = _latest(failed.filter(invitation=invitation), FAILED_PER_INVITATION, now)
        more = pause(anywhere, free=FAILED_PER_INVITATION, then=INTERVAL_PER_INVITATION, now=now)
        seconds = max(seconds, more)
    if seconds:
        raise LimitedError(seconds)
    return JoinAttempt.objects.create(address=key, invitation=invitation, created_at=now)


def check_joins(*, address: str | None, now: datetime) -> None:
    """Raise LimitedError if too many new workers have come from this address."""
    joined = JoinAttempt.objects.filter(joined=True, address=_key(address))
    times = _latest(joined, JOINED_PER_ADDRESS, now)
    if seconds := wait(times, most=JOINED_PER_ADDRESS, now=now):
        raise LimitedError(seconds)


def origin_of(address: str | None) -> str:
    """Return the keyed hash of an address by which sessions are counted.

    It differs from the hash of tries to join, so that nobody can link the two.
    """
    return salted_hmac("groundcrew.session", first_of_network(address) or "", algorithm="sha256").hexdigest()


def check_openings(*, origin: str, now: datetime) -> None:
    """Raise LimitedError if too many sessions of unconfirmed workers were opened from `origin`.

    Call this in the transaction that opens the session; others from there wait until it has ended.
    """
    lock_until_commit(f"session:{origin}")
    opened = Participation.objects.filter(origin=origin, confirmed=False, opened_at__gt=now - WINDOW)
    most = settings.SESSIONS_PER_ADDRESS
    times = opened.order_by("-opened_at").values_list("opened_at", flat=True)[:most]
    if seconds := wait(list(times), most=most, now=now):
        raise LimitedError(seconds)


def _latest(attempts: QuerySet[JoinAttempt], most: int, now: datetime) -> list[datetime]:
    latest = attempts.filter(created_at__gt=now - WINDOW).order_by("-created_at")
    return list(latest.values_list("created_at", flat=True)[:most])


def _key(address: str | None) -> str:
    """Return a keyed hash of an address, from which nobody finds the address without our key."""
    return salted_hmac("groundcrew.joining", first_of_network(address) or "", algorithm="sha256").hexdigest()


def forget_attempts(*, now: datetime) -> None:
    """Delete tries that are too old to count, and from where old sessions were opened."""
    with write_transaction():
        JoinAttempt.objects.filter(created_at__lte=now - WINDOW).delete()
        Participation.objects.filter(opened_at__lte=now - KEPT).exclude(origin="").update(origin="")

"""Rules on joining by invitation: workers' names, the end of an invitation, and how often one may try."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

MAX_NAME_LENGTH = 128
WINDOW = timedelta(hours=1)
"""Tries are counted over this time, and forgotten after it."""
FAILED_PER_ADDRESS, INTERVAL_PER_ADDRESS = 20, timedelta(minutes=3)
"""Failed tries that one address may make at one invitation within WINDOW, and how far apart more have to be.

All codes that belong to no invitation count as one. A campus has many people behind one address: wrong codes
of one of them keep nobody out who has a right one, and wrong passcodes of one let others wait for minutes.
"""
FAILED_PER_INVITATION, INTERVAL_PER_INVITATION = 50, timedelta(seconds=72)
"""The same for one invitation and all addresses. One address does not reach this number by itself.

Fifty more in an hour are possible for ever. To find a passcode of six digits takes a year on average.
"""
JOINED_PER_ADDRESS = 100
"""New workers from one address within WINDOW: enough for a class, and not for a script."""


class Over(StrEnum):
    """Why nobody can join by an invitation any more."""

    REVOKED = "revoked"
    EXPIRED = "expired"
    USED = "used"


class WorkerNameError(ValueError):
    """A worker cannot have this name; the message says what to do."""


def check_name(text: str) -> str:
    """Return the name or e-mail address that a worker chose as we keep it: composed, and with single spaces.

    Raises WorkerNameError if it is empty, too long, or has invisible characters, by which it could look like
    another worker's name.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise WorkerNameError("Choose a name, or give your e-mail address.")
    if len(name) > MAX_NAME_LENGTH:
        raise WorkerNameError(f"Choose a name of at most {MAX_NAME_LENGTH} characters.")
    if not name.isprintable():
        raise WorkerNameError("Use letters, digits and signs that can be seen.")
    return name


def over(
    *, uses: int | None, used: int, expires_at: datetime | None, revoked_at: datetime | None, now: datetime
) -> Over | None:
    """Return why nobody new can join; None if somebody can. If `uses` is None, any number of workers can."""
    if revoked_at is not None:
        return Over.REVOKED
    if expires_at is not None and now >= expires_at:
        return Over.EXPIRED
    return Over.USED if uses is not None and used >= uses else None


def wait(times: Sequence[datetime], *, most: int, now: datetime) -> int:
    """Return the seconds until one more try keeps within `most` tries in WINDOW; 0 if it does now."""
    counted = sorted(time for time in times if time > now - WINDOW)
    if len(counted) < most:
        return 0
    left = min(counted[len(counted) - most] + WINDOW - now, WINDOW)  # the clock may have been set back
    return max(1, -(-left // timedelta(seconds=1)))


def pause(times: Sequence[datetime], *, free: int, then: timedelta, now: datetime) -> int:
    """Return the seconds until one more try may be made. After `free` tries in WINDOW, they are `then` apart.

    So whoever tries wrong passcodes lets others wait for a moment, and not until an hour is over.
    """
    counted = [time for time in times if time > now - WINDOW]
    if len(counted) < free:
        return 0
    left = min(max(counted) + then - now, then)  # the clock may have been set back
    return max(0, -(-left // timedelta(seconds=1)))


def digest(secret: str) -> str:
    """Return the SHA-256 under which a code is stored, so that an index finds it.

    A code has 128 random bits, so a slower hash is not needed.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

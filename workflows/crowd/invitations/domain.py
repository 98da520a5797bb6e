"""Joining by invitation: what a name may be, when an invitation is over, how often may be tried."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

LONGEST_NAME = 128
WINDOW = timedelta(hours=1)
"""Tries are counted over this time, and forgotten after it."""
FAILED_AN_ADDRESS = 20
FAILED_AN_INVITATION = 50
"""A passcode of six digits is then found after a year on average, by somebody who has the link."""
JOINED_AN_ADDRESS = 100
"""Of new workers: a class behind one address can join, a script cannot for long."""


class Over(StrEnum):
    """Why nobody can join by an invitation any more."""

    REVOKED = "revoked"
    EXPIRED = "expired"
    USED = "used"


class WorkerNameError(ValueError):
    """No name for a worker; the message says what to do."""


def check_name(text: str) -> str:
    """The name or e-mail address a worker chose, as it is kept: composed, and with single spaces.

    Raises WorkerNameError. What looks like another name by invisible characters is none.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise WorkerNameError("Choose a name, or give your e-mail address.")
    if len(name) > LONGEST_NAME:
        raise WorkerNameError(f"Choose a name of at most {LONGEST_NAME} characters.")
    if not name.isprintable():
        raise WorkerNameError("Use letters, digits and signs that can be seen.")
    return name


def over(
    *, uses: int | None, used: int, expires_at: datetime | None, revoked_at: datetime | None, now: datetime
) -> Over | None:
    """Why nobody new can join, if so. `uses` None: any number can."""
    if revoked_at is not None:
        return Over.REVOKED
    if expires_at is not None and now >= expires_at:
        return Over.EXPIRED
    return Over.USED if uses is not None and used >= uses else None


def wait(times: Sequence[datetime], *, most: int, now: datetime) -> int:
    """Seconds until one more try is within `most` in WINDOW; 0: it is now."""
    counted = sorted(time for time in times if time > now - WINDOW)
    if len(counted) < most:
        return 0
    left = counted[len(counted) - most] + WINDOW - now
    return max(1, -(-left // timedelta(seconds=1)))


def digest(secret: str) -> str:
    """As a code is stored. It has 128 random bits: nothing slower is needed, and an index finds it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

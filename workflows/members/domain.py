"""Rules on members: the roles, and when a link has ended."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

MAX_LABEL_LENGTH = 60
USUAL_DAYS, MAX_DAYS = 7, 365
"""Days until a link ends, where a person chooses them."""


class Role(StrEnum):
    """A role in a project. The first three may do as much as the role of the installation of this name."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    ADVISOR = "advisor"
    """Looks at dashboards, images and statistics, without an account of their own."""


JOINED = (Role.VIEWER, Role.REVIEWER, Role.MANAGER)
"""The roles that an account can have, in the order of what they may do."""


class Ended(StrEnum):
    """Why a link opens nothing any more."""

    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    USED = "used"


def ended(
    *,
    role: str,
    used_at: datetime | None,
    ends_at: datetime,
    withdrawn_at: datetime | None,
    now: datetime,
) -> Ended | None:
    """Return why the link opens nothing at `now`, or None. One account joins by a link.

    An advisor's link opens as often as somebody opens it.
    """
    if withdrawn_at is not None:
        return Ended.WITHDRAWN
    if now >= ends_at:
        return Ended.EXPIRED
    return Ended.USED if used_at is not None and role != Role.ADVISOR else None


def digest(code: str) -> str:
    """Return the SHA-256 under which a code of 128 random bits is stored."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()

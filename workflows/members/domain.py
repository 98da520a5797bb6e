"""Rules on members: the roles, and when a link has ended."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from enum import StrEnum

MAX_LABEL_LENGTH = 60
ADVISORS = "advisor-"
"""How the user names of advisors' accounts begin."""
_RESERVED = ("nobody", "reconcile")
"""Names that the review queue and problems of platforms have for no person."""
_NAME = re.compile(r"[a-z0-9][\w.@+-]*", re.ASCII | re.IGNORECASE)
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


def why_not_called(name: str) -> str:
    """Return why nobody may choose this user name by a link, as a sentence; or ''.

    Whoever has a link can choose the name that decisions and the audit log show. So it must not look like
    the name of another account or of a program.
    """
    if _NAME.fullmatch(name) is None:
        return "Use letters from a to z, digits, and . _ - + @, and begin with a letter or a digit."
    if name.lower() in _RESERVED or name.lower().startswith(ADVISORS):
        return "This name has a meaning here. Choose another name."
    return ""

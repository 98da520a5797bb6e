"""What Mechanical Turk's objects mean in the words of `platforms/provider.py`, with our tokens in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from workflows.platforms.domain import TOKEN
from workflows.platforms.provider import Bonus, Life, Money, Published, Stand, Submitted

CURRENCY = "USD"
MAX_ANNOTATION, MAX_REASON = 255, 4096  # characters
_ANNOTATED = re.compile(r"groundcrew:([0-9a-f-]{1,64})(?: |$)")
_REFERENCE = re.compile(rf"\(reference ({TOKEN})\)\Z")
_STANDS = {"Submitted": Stand.SUBMITTED, "Approved": Stand.APPROVED, "Rejected": Stand.REJECTED}


def dollars(cents: int) -> str:
    """Return an amount in cents as Amazon writes it, in dollars: 105 is "1.05"."""
    return f"{cents // 100}.{cents % 100:02}"


def cents(amount: str) -> int:
    """Return an amount in dollars, as Amazon writes it, in cents."""
    return int(Decimal(amount) * 100)


def annotate(token: str, text: str) -> str:
    """Return a RequesterAnnotation with our token and `text`.

    Amazon keeps it as long as the HIT, and forgets tokens after a day.
    """
    return f"groundcrew:{token} {text}"[:MAX_ANNOTATION].rstrip()


def token_of(annotation: str) -> str:
    """Return the token in a RequesterAnnotation; an empty text if it has none of ours."""
    found = _ANNOTATED.match(annotation)
    return found[1] if found else ""


def refer(reason: str, token: str) -> str:
    """Return a bonus's reason with its token: Amazon keeps no other text that we can read again."""
    reference = f" (reference {token})"
    return reason[: MAX_REASON - len(reference)] + reference


def read_hit(hit: Mapping[str, Any], now: datetime) -> Published:
    """Return a HIT as a publication. `now` decides whether its time is over.

    A HIT that is over has no free places. One whose places are all taken counts as open, because a worker
    may give a place back.
    """
    expires_at = _time(hit.get("Expiration"))
    created_at = _time(hit.get("CreationTime"))
    free = _count(hit, "Available")
    working, decided = _count(hit, "Pending"), _count(hit, "Completed")
    places, status = int(hit.get("MaxAssignments", 0)), hit.get("HITStatus")
    by_us = expires_at is not None and created_at is not None and expires_at <= created_at
    over = by_us or (expires_at is not None and expires_at <= now)
    life = Life.CLOSED
    if status == "Disposed":
        life = Life.GONE
    elif status == "Assignable" or (status == "Unassignable" and not over):
        life = Life.OPEN
    return Published(
        external_id=hit["HITId"],
        token=token_of(hit.get("RequesterAnnotation", "")),
        life=life,
        places=places,
        free=free if status == "Assignable" else 0,
        working=working,
        reward=Money(cents(hit.get("Reward", "0")), CURRENCY),
        expires_at=None if by_us else expires_at,  # `expire` sets a time long ago
        submitted=places - free - working - decided,
        decided=decided,
    )


def _count(hit: Mapping[str, Any], of: str) -> int:
    return int(hit.get(f"NumberOfAssignments{of}", 0))


def read_assignment(one: Mapping[str, Any]) -> Submitted:
    """Return an assignment as a submission."""
    return Submitted(
        external_id=one["AssignmentId"],
        publication_id=one["HITId"],
        worker=one["WorkerId"],
        stand=_STANDS[one["AssignmentStatus"]],
        submitted_at=_time(one.get("SubmitTime")),
        deadline=_time(one.get("AutoApprovalTime")),
    )


def read_bonus(one: Mapping[str, Any]) -> Bonus:
    """Return a bonus payment, with our token taken out of its reason."""
    reason = str(one.get("Reason", ""))
    reference = _REFERENCE.search(reason)
    return Bonus(
        submission_id=one["AssignmentId"],
        worker=one["WorkerId"],
        amount=Money(cents(one["BonusAmount"]), CURRENCY),
        reason=_REFERENCE.sub("", reason).rstrip(),
        token=reference[1] if reference else "",
    )


def _time(value: datetime | None) -> datetime | None:
    return value.astimezone(UTC) if value is not None else None

"""What Prolific's objects mean in the words of `workflows.platforms.provider`. Pure.

Functions raise UnavailableError if an object lacks what it should have.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from workflows.platforms.provider import Life, Money, Published, Stand, Submitted, UnavailableError

MARK = re.compile(r"\[groundcrew ([0-9A-Za-z-]{1,64})\]")
AUTOMATIC = timedelta(days=21)
"""After this time an unreviewed submission is approved by itself (researcher-help.prolific.com)."""

DRAFT, PAUSED = "UNPUBLISHED", "PAUSED"
_OVER = (DRAFT, "AWAITING REVIEW", "COMPLETED")
"""Statuses of studies that are full, stopped or not begun. A paused study goes on when somebody starts it
again, and an unknown status decides nothing, so the money for their places stays reserved."""
_STANDS = {
    "RESERVED": Stand.WORKING,
    "ACTIVE": Stand.WORKING,
    "AWAITING REVIEW": Stand.SUBMITTED,
    "APPROVED": Stand.APPROVED,
    "PARTIALLY APPROVED": Stand.APPROVED,
    "REJECTED": Stand.REJECTED,
    "RETURNED": Stand.RETURNED,
    "TIMED-OUT": Stand.RETURNED,
    "SCREENED OUT": Stand.SCREENED_OUT,
}
AT_WORK = tuple(status for status, stand in _STANDS.items() if stand == Stand.WORKING)


def token_of(study: dict[str, Any]) -> str:
    """Return our order's token from a study's internal name; an empty text if the study is not ours."""
    found = MARK.search(str(study.get("internal_name") or ""))
    return found[1] if found else ""


def is_draft(study: dict[str, Any]) -> bool:
    """Return whether a study was made and not published yet."""
    return word(study, "status") == DRAFT


def life_of(study: dict[str, Any]) -> Life:
    """Return whether a study is open or closed."""
    return Life.CLOSED if word(study, "status") in _OVER else Life.OPEN


def published(study: dict[str, Any], *, working: int, currency: str) -> Published:
    """Return a study as a publication; `working` is how many participants are at work on it."""
    life = life_of(study)
    places = whole(study, "total_available_places")
    taken = whole(study, "places_taken")
    return Published(
        external_id=word(study, "id"),
        token=token_of(study),
        life=life,
        places=places,
        free=max(0, places - taken) if life == Life.OPEN else 0,
        working=working,
        reward=Money(whole(study, "reward"), currency),
        expires_at=None,  # a study has no end of its own; we stop it
    )


def submitted(submission: dict[str, Any], study_id: str) -> Submitted:
    """Return one submission of a study's list. An unknown status counts as WORKING, so it decides nothing."""
    completed = moment(submission.get("completed_at"))
    stand = _STANDS.get(word(submission, "status"), Stand.WORKING)
    return Submitted(
        external_id=word(submission, "id"),
        publication_id=study_id,
        worker=word(submission, "participant_id"),
        stand=stand,
        submitted_at=completed,
        deadline=completed + AUTOMATIC if completed and stand == Stand.SUBMITTED else None,
    )


def stand_of(submission: dict[str, Any]) -> Stand:
    """Return the state of a submission; WORKING if Prolific's status is unknown."""
    return _STANDS.get(word(submission, "status"), Stand.WORKING)


def at_work(counts: dict[str, Any]) -> int:
    """Return how many places are taken and not yet submitted, from a study's counts by status."""
    return sum(int(counts.get(status) or 0) for status in AT_WORK)


def bonuses_of(submission: dict[str, Any]) -> list[int]:
    """Return the bonuses of a submission, in smallest units, in Prolific's order."""
    paid = submission.get("bonus_payments") or []
    if not isinstance(paid, list):
        raise UnavailableError("bonus_payments of a submission is not a list.", code="unreadable")
    return [round(amount) for amount in paid]


def parts_of(breakdown: object) -> tuple[tuple[str, int], ...]:
    """Return the parts of a balance that Prolific names; none if it names none, or nothing readable."""
    if not isinstance(breakdown, dict):
        return ()
    named = (("rewards", "rewards"), ("fees", "fees"), ("VAT", "vat"))
    return tuple((name, whole(breakdown, field)) for name, field in named if field in breakdown)


def word(found: dict[str, Any], field: str) -> str:
    """Return a field that has to be a text and not empty."""
    value = found.get(field)
    if not isinstance(value, str) or not value:
        raise UnavailableError(f"Prolific's reply has no {field}.", code="unreadable")
    return value


def whole(found: dict[str, Any], field: str) -> int:
    """Return a field that has to be a whole number; Prolific's reference types all numbers as doubles."""
    value = found.get(field)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise UnavailableError(f"Prolific's reply has no whole {field}.", code="unreadable")
    return int(value)


def moment(value: object) -> datetime | None:
    """Return a time given in ISO 8601, in UTC if it names no zone; None if there is none."""
    if not isinstance(value, str) or not value:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise UnavailableError("Prolific's reply has an unreadable time.", code="unreadable") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)

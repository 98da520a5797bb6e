"""What Prolific's objects mean in the words of `workflows.crowd.provider`. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from workflows.crowd.provider import Life, Money, Published, Stand, Submitted, UnavailableError

MARK = re.compile(r"\[groundcrew ([0-9A-Za-z-]{1,64})\]")
AUTOMATIC = timedelta(days=21)
"""After so long an unreviewed submission is approved by itself (researcher-help.prolific.com)."""

DRAFT, PAUSED = "UNPUBLISHED", "PAUSED"
_OVER = (DRAFT, "AWAITING REVIEW", "COMPLETED")
"""Full, or stopped, or not begun. A study that is paused goes on when somebody starts it again, and of a
status that is not known nothing is decided: their places, and the money for them, stay."""
_STANDS = {
    "RESERVED": Stand.WORKING,
    "ACTIVE": Stand.WORKING,
    "AWAITING REVIEW": Stand.SUBMITTED,
    "APPROVED": Stand.APPROVED,
    "PARTIALLY APPROVED": Stand.APPROVED,
    "REJECTED": Stand.REJECTED,
    "RETURNED": Stand.RETURNED,
    "TIMED-OUT": Stand.RETURNED,
    "SCREENED OUT": Stand.RETURNED,
}
AT_WORK = tuple(status for status, stand in _STANDS.items() if stand == Stand.WORKING)


def token_of(study: dict[str, Any]) -> str:
    """Our order's token in a study's internal name, or nothing: the study is none of ours."""
    found = MARK.search(str(study.get("internal_name") or ""))
    return found[1] if found else ""


def is_draft(study: dict[str, Any]) -> bool:
    return word(study, "status") == DRAFT


def life_of(study: dict[str, Any]) -> Life:
    return Life.CLOSED if word(study, "status") in _OVER else Life.OPEN


def published(study: dict[str, Any], *, working: int, currency: str) -> Published:
    """Raises UnavailableError where the reply lacks what it should have."""
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
        expires_at=None,  # a study has no end of its own: it is stopped
    )


def submitted(submission: dict[str, Any], study_id: str) -> Submitted:
    """One of a study's list. A status that is not known is taken for work: nothing is decided by it."""
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
    return _STANDS.get(word(submission, "status"), Stand.WORKING)


def at_work(counts: dict[str, Any]) -> int:
    """Of the counts of a study's submissions by status: places taken, not yet submitted."""
    return sum(int(counts.get(status) or 0) for status in AT_WORK)


def bonuses_of(submission: dict[str, Any]) -> list[int]:
    """What was paid on top, in whole cents, in the order that Prolific has."""
    paid = submission.get("bonus_payments") or []
    if not isinstance(paid, list):
        raise UnavailableError("bonus_payments of a submission is no list.", code="unreadable")
    return [round(amount) for amount in paid]


def word(found: dict[str, Any], field: str) -> str:
    value = found.get(field)
    if not isinstance(value, str) or not value:
        raise UnavailableError(f"Prolific's reply has no {field}.", code="unreadable")
    return value


def whole(found: dict[str, Any], field: str) -> int:
    """A number that is whole by its nature; the reference types all of them as doubles."""
    value = found.get(field)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise UnavailableError(f"Prolific's reply has no whole {field}.", code="unreadable")
    return int(value)


def moment(value: object) -> datetime | None:
    """ISO 8601, in UTC where no zone is said."""
    if not isinstance(value, str) or not value:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise UnavailableError("Prolific's reply has an unreadable time.", code="unreadable") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)

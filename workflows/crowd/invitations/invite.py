"""Make and revoke invitations. The audit log keeps both."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import make_password

from annotation.domain.field_errors import FieldError
from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action
from workflows.crowd.invitations.domain import digest
from workflows.crowd.invitations.models import Invitation

CODE_BYTES = 16
MAX_AT_ONCE = 500
MAX_USES = 100_000
USUAL_DAYS, MAX_DAYS = 14, 365
"""Days until an invitation expires, where a person chooses them."""
MAX_LABEL_LENGTH = 56
"""Characters of a label. A number that is added to it still fits into the column."""
MAX_NOTE_LENGTH = 500
MIN_PASSCODE_LENGTH, MAX_PASSCODE_LENGTH = 6, 64


class InvitationError(FieldError, ValueError):
    """Invitations cannot be made like this; `field` names the argument, the message says what to do."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new invitation with its code, which is stored nowhere and cannot be shown again."""

    invitation: Invitation
    code: str


def invite(
    *,
    project: Project,
    label: str,
    by: str,
    now: datetime,
    number: int = 1,
    uses: int | None = 1,
    expires_at: datetime | None = None,
    passcode: str = "",
    note: str = "",
    address: str | None = None,
) -> list[Made]:
    """Make `number` invitations and return them; if there are several, their labels get numbers.

    If `uses` is None, any number of workers can join by each. Raises InvitationError; then none is made.
    """
    _check(label=label, number=number, uses=uses, expires_at=expires_at, now=now)
    _check_words(passcode=passcode, note=note)
    hashed = make_password(passcode) if passcode else ""  # slow on purpose: before the transaction
    codes = [secrets.token_urlsafe(CODE_BYTES) for _ in range(number)]
    rows = [
        Invitation(
            project=project,
            label=label if number == 1 else f"{label}-{place}",
            digest=digest(code),
            passcode=hashed,
            uses=uses,
            created_at=now,
            expires_at=expires_at,
            created_by=by[:150],
            note=note,
        )
        for place, code in enumerate(codes, start=1)
    ]
    with write_transaction():
        made = Invitation.objects.bulk_create(rows)
        record_action(
            by=by,
            action="invitation.create",
            now=now,
            project=project,
            kind="project",
            object=label,
            object_id=project.pk,
            detail={
                "invitations": number,
                "uses": "any number" if uses is None else uses,
                "expires": expires_at.isoformat() if expires_at else "",
                "passcode": bool(passcode),
                "note": note,
            },
            address=address,
        )
    return [Made(invitation, code) for invitation, code in zip(made, codes, strict=True)]


def revoke(
    *, project: Project, invitations: Sequence[int], by: str, now: datetime, address: str | None = None
) -> list[str]:
    """Revoke invitations, given by their ids, and return the labels of those that ended now.

    Nobody joins or comes back by these any more; workers who joined stay. Ids of other projects and of
    invitations that were revoked before change nothing.
    """
    with write_transaction():
        live = (
            Invitation.objects.select_for_update(no_key=True)
            .filter(project=project, pk__in=list(invitations)[:MAX_AT_ONCE], revoked_at=None)
            .order_by("pk")
        )
        found = list(live)
        if not found:
            return []
        Invitation.objects.filter(pk__in=[one.pk for one in found]).update(revoked_at=now)
        labels = [one.label for one in found]
        record_action(
            by=by,
            action="invitation.revoke",
            now=now,
            project=project,
            kind="project",
            object=labels[0] if len(labels) == 1 else f"{len(labels)} invitations",
            object_id=project.pk,
            detail={"labels": labels},
            address=address,
        )
    return labels


def _check(*, label: str, number: int, uses: int | None, expires_at: datetime | None, now: datetime) -> None:
    if not label.strip() or len(label) > MAX_LABEL_LENGTH or not label.isprintable():
        raise InvitationError("label", f"Say whom it is for in 1 to {MAX_LABEL_LENGTH} characters.")
    if not 1 <= number <= MAX_AT_ONCE:
        raise InvitationError("number", f"Make 1 to {MAX_AT_ONCE} at once.")
    if uses is not None and not 1 <= uses <= MAX_USES:
        raise InvitationError("uses", f"Let 1 to {MAX_USES} workers join, or any number.")
    if expires_at is not None and expires_at <= now:
        raise InvitationError("expires_at", "Choose an end that is still to come.")


def _check_words(*, passcode: str, note: str) -> None:
    if passcode and not (
        MIN_PASSCODE_LENGTH <= len(passcode) <= MAX_PASSCODE_LENGTH
        and passcode.isprintable()
        and passcode == passcode.strip()
    ):
        raise InvitationError(
            "passcode",
            f"Choose {MIN_PASSCODE_LENGTH} to {MAX_PASSCODE_LENGTH} characters, or leave it empty.",
        )
    if len(note) > MAX_NOTE_LENGTH or "\0" in note:
        raise InvitationError("note", f"Write at most {MAX_NOTE_LENGTH} characters.")

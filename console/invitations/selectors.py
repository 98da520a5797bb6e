"""A project's invitations, with what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Project, Worker
from console.common.keyset import keyset_page
from workflows.crowd.invitations.domain import Over, over
from workflows.crowd.invitations.models import Invitation, Joining

ROWS = 50
NAMED = 3
"""Of the workers who came by one, so many are named."""

STATES: Mapping[Over | None, tuple[str, str]] = {
    None: ("open", "good"),
    Over.USED: ("used up", ""),
    Over.EXPIRED: ("expired", "warn"),
    Over.REVOKED: ("revoked", "bad"),
}
"""The words, and the pill's colour."""


@dataclass(frozen=True, slots=True)
class Row:
    """An invitation; `workers` are the first who came by it."""

    invitation: Invitation
    state: tuple[str, str]
    workers: list[Worker]

    @property
    def more(self) -> int:
        """Workers who are not named."""
        return self.invitation.used - len(self.workers)


def invitations_of(project: Project, *, before: int | None, now: datetime) -> tuple[list[Row], int]:
    """Return a page of them, the newest first, and where the next page begins (0: nowhere). Two queries."""
    page = keyset_page(Invitation.objects.filter(project=project), ROWS, before=before)
    workers: dict[int, list[Worker]] = {one.pk: [] for one in page.rows}
    first = Joining.objects.filter(invitation__in=list(workers), number__lte=NAMED)
    for joining in first.select_related("worker").order_by("invitation", "number"):
        workers[joining.invitation_id].append(joining.worker)
    made = [Row(one, STATES[_over(one, now)], workers[one.pk]) for one in page.rows]
    return made, page.next


def _over(one: Invitation, now: datetime) -> Over | None:
    return over(uses=one.uses, used=one.used, expires_at=one.expires_at, revoked_at=one.revoked_at, now=now)

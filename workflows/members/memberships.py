"""Change and end the roles of a project's members. The audit log keeps both."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action
from workflows.members.domain import JOINED, Role
from workflows.members.models import Membership


def change_role(
    *, project: Project, member: int, role: Role, by: str, now: datetime, address: str | None = None
) -> Membership | None:
    """Give the member (the id of the membership) another role. Return None if there is nothing to change.

    An advisor's role cannot be changed: nobody knows who opens their link.
    """
    if role not in JOINED:
        raise ValueError(f"an account cannot have the role {role}")
    with write_transaction():
        found = _locked(project, member)
        if found is None or found.role in (role, Role.ADVISOR):
            return None
        before, found.role, found.by = found.role, role, by[:150]
        found.save(update_fields=["role", "by"])
        _record("member.role", found, {"before": before, "now": role.value}, by=by, now=now, address=address)
    return found


def remove_member(
    *, project: Project, member: int, by: str, now: datetime, address: str | None = None
) -> Membership | None:
    """End the membership. Its user finds nothing of the project from the next request on.

    Return it as it was, or None if it had ended, or is an advisor's, which ends with the link.
    """
    with write_transaction():
        found = _locked(project, member)
        if found is None or found.role == Role.ADVISOR:
            return None
        _record("member.remove", found, {"role": found.role}, by=by, now=now, address=address)
        Membership.objects.filter(pk=found.pk).delete()
    return found


def _locked(project: Project, member: int) -> Membership | None:
    rows = Membership.objects.select_for_update(no_key=True, of=("self",)).select_related("user", "project")
    return rows.filter(project=project, pk=member).first()


def _record(
    action: str, about: Membership, detail: dict[str, str], *, by: str, now: datetime, address: str | None
) -> None:
    record_action(
        by=by,
        action=action,
        now=now,
        project=about.project,
        kind="project",
        object=about.user.get_username(),
        object_id=about.project_id,
        detail=detail,
        address=address,
    )

"""Make, open and withdraw the links by which people get a role in a project. The audit log keeps it all."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from annotation.domain.field_errors import FieldError
from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action
from workflows.members.domain import ADVISORS, MAX_DAYS, MAX_LABEL_LENGTH, Role, digest
from workflows.members.models import MemberLink, Membership

CODE_BYTES = 16


class MemberError(FieldError, ValueError):
    """The members stay as they are; `field` names the argument, the message says what to do."""


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A new link with its code, which is stored nowhere and cannot be shown again."""

    link: MemberLink
    code: str


def make_link(
    *,
    project: Project,
    role: Role,
    label: str,
    days: int,
    by: str,
    now: datetime,
    address: str | None = None,
) -> MadeLink:
    """Make a link that gives `role` to the account that joins by it, or lets an advisor look.

    It ends after `days`. An advisor gets an account without a password, which only this link opens.
    Raises MemberError.
    """
    label = " ".join(label.split())
    if not label or len(label) > MAX_LABEL_LENGTH or not label.isprintable():
        raise MemberError("label", f"Say whom it is for in 1 to {MAX_LABEL_LENGTH} characters.")
    if not 1 <= days <= MAX_DAYS:
        raise MemberError("days", f"Choose 1 to {MAX_DAYS} days.")
    code, ends_at = secrets.token_urlsafe(CODE_BYTES), now + timedelta(days=days)
    with write_transaction():
        user = None
        if role == Role.ADVISOR:
            user = User(username=f"{ADVISORS}{secrets.token_hex(4)}", is_staff=True, first_name=label[:150])
            user.set_unusable_password()
            user.save()
            Membership.objects.create(
                user=user, project=project, role=role, ends_at=ends_at, by=by[:150], created_at=now
            )
        link = MemberLink.objects.create(
            project=project,
            role=role,
            label=label,
            digest=digest(code),
            by=by[:150],
            created_at=now,
            ends_at=ends_at,
            user=user,
        )
        detail = {"role": role.value, "ends": ends_at.isoformat()}
        _record("member.invite", by, now, project, label, detail, address)
    return MadeLink(link, code)


def find_link(code: str) -> MemberLink | None:
    """Return the link of the code, if there is one. Links of deleted projects are not found."""
    rows = MemberLink.objects.select_related("project", "user")
    return rows.filter(digest=digest(code), project__in=Project.objects.values("pk")).first()


def join(*, code: str, user: User, now: datetime, address: str | None = None) -> Membership:
    """Give the role of the link to the user, once. A new user is saved, as staff.

    Raises MemberError if the link has ended, or the user has a role in the project already.
    """
    with write_transaction():
        link = (
            MemberLink.objects.select_for_update(no_key=True, of=("self",))
            .filter(digest=digest(code), project__in=Project.objects.values("pk"))
            .first()
        )
        if link is None or link.role == Role.ADVISOR or link.ended(now) is not None:
            raise MemberError("", "This link has ended. Ask for another one.")
        if user.pk is None:
            user.is_staff = True
            user.save()
        else:  # two links at once give one role
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
        has = Membership.objects.filter(user=user, project=link.project_id).first()
        if has is not None:
            raise MemberError("", f"You are a {has.role} of this project already. The link stays unused.")
        made = Membership.objects.create(
            user=user, project_id=link.project_id, role=link.role, by=link.by, created_at=now
        )
        MemberLink.objects.filter(pk=link.pk).update(used_at=now, user=user)
        name = user.get_username()
        _record("member.join", name, now, link.project, link.project.name, {"role": link.role}, address)
    return made


def open_as_advisor(*, code: str, now: datetime, address: str | None = None) -> User:
    """Return the account that the advisor's link opens. Raises MemberError if the link has ended."""
    with write_transaction():
        link = find_link(code)
        user = link.user if link is not None and link.role == Role.ADVISOR else None
        if link is None or user is None or link.ended(now) is not None:
            raise MemberError("", "This link has ended. Ask for another one.")
        MemberLink.objects.filter(pk=link.pk, used_at=None).update(used_at=now)
        project, detail = link.project, {"for": link.label}
        _record("member.look", user.get_username(), now, project, project.name, detail, address)
    return user


def withdraw_link(
    *, project: Project, link: int, by: str, now: datetime, address: str | None = None
) -> MemberLink | None:
    """End a link of the project. An advisor who has it open gets nothing from now on.

    Return the link, or None if there is none that is still open. Who joined by it stays a member.
    """
    with write_transaction():
        rows = MemberLink.objects.select_for_update(no_key=True).filter(project=project, pk=link)
        found = rows.first()
        if found is None or found.ended(now) is not None:
            return None
        found.withdrawn_at = now
        found.save(update_fields=["withdrawn_at"])
        if found.role == Role.ADVISOR and found.user_id is not None:
            Membership.objects.filter(user=found.user_id, project=project).delete()
            User.objects.filter(pk=found.user_id).update(is_active=False)
        _record("member.withdraw", by, now, project, found.label, {"role": found.role}, address)
    return found


def _record(
    action: str,
    by: str,
    now: datetime,
    project: Project,
    name: str,
    detail: dict[str, str],
    address: str | None,
) -> None:
    record_action(
        by=by,
        action=action,
        now=now,
        project=project,
        kind="project",
        object=name,
        object_id=project.pk,
        detail=detail,
        address=address,
    )

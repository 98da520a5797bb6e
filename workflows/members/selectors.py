"""What is read about members."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Q

from annotation.models import Project
from workflows.members.models import MemberLink, Membership

MAX_LINKS = 50


def roles_of(user: int, *, now: datetime) -> Mapping[int, str]:
    """Return the role in each project of which the user (their id) is a member now. One query."""
    rows = Membership.objects.filter(Q(ends_at=None) | Q(ends_at__gt=now), user=user)
    return dict(rows.values_list("project", "role"))


def members_of(project: Project) -> list[Membership]:
    """Return the members with accounts, by name. Advisors are not among them."""
    rows = Membership.objects.filter(project=project, ends_at=None, user__is_active=True)
    return list(rows.select_related("user").order_by("user__username"))


def links_of(project: Project) -> list[MemberLink]:
    """Return the project's newest links, open and ended."""
    rows = MemberLink.objects.filter(project=project).select_related("user")
    return list(rows.order_by("-pk")[:MAX_LINKS])

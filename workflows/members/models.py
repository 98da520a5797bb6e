"""Who may do what in a project."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Project
from workflows.members.domain import Ended, Role, ended

_ROLES = [(role.value, role.value) for role in Role]


class Membership(models.Model):
    """A user's role in one project, beside the role that they have in the whole installation, if any."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="memberships"
    )
    project = models.ForeignKey(Project, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=16, choices=_ROLES)
    ends_at = models.DateTimeField(null=True, help_text="of an advisor: when the link ends")
    by = models.CharField(max_length=150, help_text="the user name of who gave the role last")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "project"), name="one_role_a_project"),
            models.CheckConstraint(
                condition=Q(role=Role.ADVISOR, ends_at__isnull=False)
                | ~Q(role=Role.ADVISOR) & Q(ends_at=None),
                name="advisors_end",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class MemberLink(models.Model):
    """A link by which one person gets a role, or an advisor looks. Its code is shown once, never stored."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="member_links")
    role = models.CharField(max_length=16, choices=_ROLES)
    label = models.CharField(max_length=64, help_text="whom it is for, in the manager's words")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the code")
    by = models.CharField(max_length=150, help_text="the user name of who made it")
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True, help_text="when it was opened first")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="who joined by it, or the account that an advisor looks with",
    )

    def __str__(self) -> str:
        return self.label

    def ended(self, now: datetime) -> Ended | None:
        """Return why the link opens nothing at `now`, or None."""
        return ended(
            role=self.role,
            used_at=self.used_at,
            ends_at=self.ends_at,
            withdrawn_at=self.withdrawn_at,
            now=now,
        )

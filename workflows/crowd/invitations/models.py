"""Invitations by which direct workers join a project, who joined by which, and recent tries to join."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.models import Project, Worker


class Invitation(models.Model):
    """A link by which people become workers of the project. Its code is shown once and never stored."""

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="invitations")
    label = models.CharField(max_length=64, help_text="whom it is for, in the researcher's words")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the code")
    passcode = models.CharField(max_length=128, blank=True, help_text="hashed; empty: none is asked for")
    uses = models.PositiveIntegerField(null=True, help_text="workers who can join by it; null: any number")
    used = models.PositiveIntegerField(default=0, help_text="workers who joined by it")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    created_by = models.CharField(max_length=150, help_text="a researcher's user name, or a command")
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(uses=None) | Q(uses__gte=1, used__lte=F("uses")), name="invitation_uses"
            ),
        )
        indexes = (models.Index(fields=("project", "-id"), name="invitation_project"),)

    def __str__(self) -> str:
        return self.label


class Joining(models.Model):
    """A worker who joined by an invitation."""

    invitation = models.ForeignKey(Invitation, models.PROTECT, db_index=False, related_name="joinings")
    worker = models.OneToOneField(Worker, models.PROTECT, related_name="joining")
    number = models.PositiveIntegerField(help_text="first, second … by this invitation")
    device = models.CharField(max_length=64, help_text="SHA-256 of what the browser comes back with")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            # With the check above, there are never more workers than uses, even if several join at once.
            models.UniqueConstraint(fields=("invitation", "number"), name="joining_number"),
        )
        indexes = (models.Index(fields=("invitation", "device"), name="joining_device"),)

    def __str__(self) -> str:
        return f"{self.invitation_id}: {self.worker_id}"


class JoinAttempt(models.Model):
    """A try to join. It is deleted once it does not count any more (invitations.domain.WINDOW)."""

    address = models.CharField(max_length=64, help_text="keyed hash of where it came from")
    invitation = models.ForeignKey(Invitation, models.PROTECT, null=True, db_index=False, related_name="+")
    joined = models.BooleanField(default=False, help_text="a new worker came of it; else it failed")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = (
            models.Index(fields=("address", "joined", "created_at"), name="join_attempt_address"),
            models.Index(fields=("invitation", "joined", "created_at"), name="join_attempt_invitation"),
        )

    def __str__(self) -> str:
        return f"{self.invitation_id} {self.created_at}"

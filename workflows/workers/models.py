"""Models about workers: notes of researchers, sign-ins, and the places that workers take on platforms."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Assignment, Worker
from workflows.core.models import AppendOnly


class WorkerNote(AppendOnly):
    """A researcher's note about a worker, for colleagues. Append-only."""

    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="notes")
    by = models.CharField(max_length=150)
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        """Empty, so that migrations do not repeat the base class's options."""

    def __str__(self) -> str:
        return self.text


class SignIn(models.Model):
    """A worker's sign-in that was renewed at least once: which of its tokens is the newest.

    The id is a random number, which all tokens of the sign-in carry.
    """

    id = models.BigIntegerField(primary_key=True)
    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="sign_ins")
    newest = models.PositiveIntegerField(help_text="number of the newest token")
    newest_used_at = models.DateTimeField(null=True, help_text="first use of the newest token")
    renewed_at = models.DateTimeField(help_text="when the newest number was given out")

    def __str__(self) -> str:
        return f"{self.pk}"


class Participation(models.Model):
    """A place that one worker took on a platform: an assignment of Mechanical Turk, a submission of Prolific.

    After a return, a platform gives the same id to another worker. So the id and the worker are the key.
    """

    class State(models.TextChoices):
        OPENED = "opened"  # somebody opened our page under this name; the platform has not confirmed it
        SUBMITTED = "submitted"  # as the platform says
        APPROVED = "approved"
        REJECTED = "rejected"
        RETURNED = "returned"  # or timed out, or never existed

    publication = models.ForeignKey(
        "workflows.Publication", models.PROTECT, db_index=False, related_name="participations"
    )
    external_id = models.CharField(max_length=128, help_text="the platform's assignment or submission")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="participations")
    state = models.CharField(max_length=12, choices=State.choices, default=State.OPENED)
    confirmed = models.BooleanField(default=False, help_text="the platform says that it is this worker's")
    assignment = models.OneToOneField(
        Assignment, models.PROTECT, null=True, related_name="participation", help_text="its latest page"
    )
    page_number = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="of the latest page, or of the first one to come"
    )
    earlier_pages = models.ManyToManyField(
        Assignment, related_name="earlier_participations", help_text="all submitted before the latest began"
    )
    ended_early = models.BooleanField(
        default=False,
        db_default=False,
        help_text="there was no further page for it, or for its worker: those it has are enough",
    )
    submit_to = models.CharField(max_length=200, blank=True, help_text="where the worker's browser reports")
    opened_at = models.DateTimeField()
    origin = models.CharField(
        max_length=64,
        blank=True,
        help_text="keyed hash of where it was opened from, while nobody confirms it",
    )
    submitted_at = models.DateTimeField(null=True, help_text="as the platform has it")
    deadline = models.DateTimeField(null=True, help_text="the platform approves by itself then")
    settled_at = models.DateTimeField(null=True, help_text="approved, rejected or returned")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("publication", "external_id", "worker"), name="participation_identity"
            ),
        )
        indexes = (
            models.Index(
                fields=("publication",),
                condition=Q(state__in=("opened", "submitted")),
                name="participation_unsettled",
            ),
            # what was opened from one address, and addresses that are to be forgotten
            models.Index(
                fields=("origin", "opened_at"), condition=~Q(origin=""), name="participation_origin"
            ),
        )

    def __str__(self) -> str:
        return self.external_id

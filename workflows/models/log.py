"""Append-only: every change of state, every action of a researcher, and what they note about workers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Chain, ImageWork, Item, Project, Worker
from workflows.models.appending import AppendOnly


class Transition(models.Model):
    """One change of state of a chain or an image: append-only, and the outbox for anything outward."""

    work = models.ForeignKey(ImageWork, on_delete=models.PROTECT, related_name="transitions")
    chain = models.ForeignKey(Chain, models.PROTECT, null=True, db_index=False, related_name="transitions")
    item = models.ForeignKey(Item, models.PROTECT, null=True, db_index=False, related_name="+")
    rule = models.CharField(max_length=40, help_text="the rule of workflows.domain.pipeline that fired")
    source = models.CharField(max_length=16, help_text="the state it left")
    target = models.CharField(max_length=16, help_text="the state it came to")
    created_at = models.DateTimeField()

    class Meta:
        indexes = (
            # the history of a chain (console.review.history).
            models.Index(fields=("chain", "id"), condition=Q(chain__isnull=False), name="transition_chain"),
        )

    def __str__(self) -> str:
        return f"{self.source} -> {self.target} ({self.rule})"


class AuditEntry(AppendOnly):
    """One action of a researcher, by whatever way it came: console, command or login. Append-only.

    A Decision says what became of annotation; this says who did what, also where nothing was decided.
    """

    by = models.CharField(max_length=150, help_text="the user's name, or `command`")
    action = models.CharField(max_length=48, help_text="e.g. batch.launch; see workflows.services.auditing")
    project = models.ForeignKey(
        Project, models.PROTECT, null=True, db_index=False, related_name="audit_entries"
    )
    kind = models.CharField(max_length=24, blank=True, help_text="of the object, e.g. batch")
    object = models.CharField(max_length=200, blank=True, help_text="its name for people")
    object_id = models.CharField(max_length=40, blank=True)
    detail = models.JSONField(default=dict, help_text="what was asked for; never a secret")
    address = models.GenericIPAddressField(null=True, help_text="where the request came from")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = (
            models.Index(fields=("project", "-id"), name="audit_project"),
            models.Index(fields=("kind", "object_id", "-id"), name="audit_object"),
            models.Index(fields=("by", "-id"), name="audit_by"),
            models.Index(fields=("action", "-id"), name="audit_action"),
        )

    def __str__(self) -> str:
        return f"{self.by}: {self.action} {self.object}"


class WorkerNote(AppendOnly):
    """What a researcher wrote down about a worker, for colleagues. Append-only."""

    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="notes")
    by = models.CharField(max_length=150)
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        """Its own: the base's is no business of migrations."""

    def __str__(self) -> str:
        return self.text

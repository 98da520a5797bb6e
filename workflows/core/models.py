"""Models that every room uses: append-only rows, the audit log, seals, and heartbeats of periodic tasks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from django.db import models

from annotation.models import Project

Row = TypeVar("Row", bound=models.Model)


class AppendOnlyError(TypeError):
    """Code tried to change or delete a row of an append-only model."""

    def __init__(self, model: type[models.Model]) -> None:
        super().__init__(f"a row of {model.__name__} is written once, and neither changed nor deleted")


class AppendOnlyQuerySet(models.QuerySet[Row]):
    """A queryset that reads and adds rows, and refuses to change or delete them."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise AppendOnlyError(self.model)

    update = bulk_update = update_or_create = delete = _refuse

    def bulk_create(self, objs: Iterable[Row], *args: Any, **kwargs: Any) -> list[Row]:
        """Add rows. Raises AppendOnlyError for `update_conflicts`, which would change existing rows."""
        if kwargs.get("update_conflicts"):
            self._refuse()
        return super().bulk_create(objs, *args, **kwargs)


AppendOnlyManager = models.Manager.from_queryset(AppendOnlyQuerySet)


class AppendOnly(models.Model):
    """A base class of models whose rows are never changed or deleted after they are written.

    It refuses early, and names the model. What holds in any case are the triggers of workflows.core.guards.
    """

    objects = AppendOnlyManager()

    class Meta:
        abstract = True
        # Django uses it for related objects, as in `project.audit_entries.add(entry)`.
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row. Raises AppendOnlyError for a row that exists."""
        if not self._state.adding:
            raise AppendOnlyError(type(self))
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: raises AppendOnlyError."""
        raise AppendOnlyError(type(self))


SWEEP = "sweep"


class Beat(models.Model):
    """The heartbeat of one periodic task: when it last began and ended, and sums over all its runs."""

    name = models.CharField(max_length=24, primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    totals = models.JSONField(default=dict, help_text="what it found, summed over all runs")

    def __str__(self) -> str:
        return self.name


class AuditEntry(AppendOnly):
    """One action of a researcher on a page of the console, by a command or at login. Append-only.

    A Decision says what became of the annotation. An audit entry says who did what, even if nothing was
    decided.
    """

    by = models.CharField(max_length=150, help_text="the user's name, or `command`")
    action = models.CharField(max_length=48, help_text="what was done, e.g. batch.launch")
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


class Erasure(models.Model):
    """While a transaction has a row here, it may delete the evidence of a deleted project.

    The transaction deletes the row before it ends, so that no other transaction ever sees one.
    """

    began_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"erasure that began at {self.began_at}"


class Seal(AppendOnly):
    """The hashes of the rows that were added to a log since its seal before.

    See workflows.core.seals, and workflows.core.record_seals for the log `records`.
    """

    log = models.CharField(max_length=16, help_text="audit or ledger")
    number = models.PositiveIntegerField(help_text="from 1 in each log")
    through = models.PositiveBigIntegerField(help_text="id of the last row")
    columns = models.JSONField(help_text="the columns of an entry, and of its lines, that are hashed")
    digests = models.TextField(help_text="a line for each row: its id and its SHA-256")
    sealed_at = models.DateTimeField()
    hash = models.CharField(max_length=64, help_text="SHA-256 of all this and of the hash of the seal before")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("log", "number"), name="seal_once"),)

    def __str__(self) -> str:
        return f"seal {self.number} of the log {self.log}"

"""What researchers write down about a worker."""

from __future__ import annotations

from django.db import models

from annotation.models import Worker
from workflows.core.models import AppendOnly


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

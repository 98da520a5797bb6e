"""The priors of a project, version by version."""

from __future__ import annotations

from django.db import models

from annotation.models import Project
from workflows.core.models import AppendOnly


class PriorVersion(AppendOnly):
    """One prior of a project: written once, never changed. Batches pin it by its number."""

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="priors")
    number = models.PositiveIntegerField(help_text="from 1 in each project")
    content = models.JSONField(help_text="the prior itself")
    report = models.JSONField(help_text="what it was fitted on, and how it did where the chains are known")
    by = models.CharField(max_length=150, help_text="the user's name, or `command`")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            # of two people who fit at once, only one writes the next version.
            models.UniqueConstraint(fields=("project", "number"), name="prior_number"),
        )

    def __str__(self) -> str:
        return f"prior {self.number}"

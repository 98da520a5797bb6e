"""The instructions of a project: what its researchers tell workers about a stage, version by version."""

from __future__ import annotations

from django.db import models

from annotation.models.corpus import Project


class InstructionsVersion(models.Model):
    """One version of a project's own instructions for a stage: written once, never changed or deleted.

    Workers see the newest one. A stage without any has the built-in instructions.
    """

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="instructions")
    stage = models.CharField(max_length=16)
    number = models.PositiveIntegerField(help_text="from 1 in each stage of the project")
    content = models.JSONField(help_text="texts, and examples with their pictures")
    restores = models.PositiveIntegerField(null=True, help_text="number of the version that it equals")
    by = models.CharField(max_length=150, help_text="the user's name")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            # of two people who save at once, only one writes the next version.
            models.UniqueConstraint(fields=("project", "stage", "number"), name="instructions_number"),
        )

    def __str__(self) -> str:
        return f"version {self.number}"

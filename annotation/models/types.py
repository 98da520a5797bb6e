"""The types that a project adds to the eight: what its researchers set, version by version."""

from __future__ import annotations

from django.db import models

from annotation.models.corpus import Project


class TypesVersion(models.Model):
    """One version of a project's own types, with their words: written once, never changed or deleted.

    Captions that are imported, written or edited are typed by the newest one. Mentions that exist keep their
    types.
    """

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="types_versions")
    number = models.PositiveIntegerField(help_text="from 1 in each project")
    content = models.JSONField(help_text="the own types: key, label and words of each")
    restores = models.PositiveIntegerField(null=True, help_text="number of the version that it equals")
    by = models.CharField(max_length=150, help_text="the user's name")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            # of two people who save at once, only one writes the next version.
            models.UniqueConstraint(fields=("project", "number"), name="types_number"),
        )

    def __str__(self) -> str:
        return f"version {self.number}"

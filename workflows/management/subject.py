"""The project and batch that several commands are about."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotation.models import Batch, Project

IMPORT_FIRST = ": import a corpus into it first"
"""A hint for commands that need a project's corpus."""


def project_named(name: str, hint: str = "") -> Project:
    """Return the project of this name. If there is none, raises CommandError, which ends with the hint."""
    project = Project.objects.filter(name=name).first()
    if project is None:
        raise CommandError(f"there is no project {name!r}{hint}")
    return project


def project_and_batch(name: str, batch_name: str | None, resamples: int = 0) -> tuple[Project, Batch | None]:
    """Return the project and the batch of these names. Raises CommandError if one does not exist."""
    project = project_named(name)
    if not 0 <= resamples <= 100_000:
        raise CommandError("--resamples must be a number from 0 to 100,000")
    if batch_name is None:
        return project, None
    batch = Batch.objects.filter(project=project, name=batch_name).first()
    if batch is None:
        raise CommandError(f"project {name} has no batch {batch_name!r}; `batch list` shows them")
    return project, batch

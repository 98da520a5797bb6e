"""The project and batch that several commands are about."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotation.models import Batch, Project


def project_and_batch(name: str, batch_name: str | None, resamples: int = 0) -> tuple[Project, Batch | None]:
    """Return the project and the batch of these names. Raises CommandError if one does not exist."""
    project = Project.objects.filter(name=name).first()
    if project is None:
        raise CommandError(f"there is no project {name!r}")
    if not 0 <= resamples <= 100_000:
        raise CommandError("--resamples must be a number from 0 to 100,000")
    if batch_name is None:
        return project, None
    batch = Batch.objects.filter(project=project, name=batch_name).first()
    if batch is None:
        raise CommandError(f"project {name} has no batch {batch_name!r}; `batch list` shows them")
    return project, batch

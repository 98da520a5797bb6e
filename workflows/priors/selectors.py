"""Reads of priors: the newest of a project, and those that batches have pinned."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.models import Batch
from workflows.batch_settings.selectors import settings_of
from workflows.priors.domain.prior import Prior, from_json
from workflows.priors.models import PriorVersion


def newest(project_id: int) -> PriorVersion | None:
    """Return the project's newest prior, without its content."""
    versions = PriorVersion.objects.filter(project=project_id).defer("content")
    return versions.order_by("-number").first()


def pinned_priors(batches: Iterable[Batch]) -> dict[int, Prior]:
    """Return by batch (id) the prior that it has pinned, for those whose link strategy needs one.

    One query, or none if no strategy needs a prior.
    """
    found = {}
    for batch in batches:
        settings = settings_of(batch)
        if settings.needs_prior and settings.prior is not None:
            found[batch.pk] = (batch.project_id, settings.prior)
    if not found:
        return {}
    rows = PriorVersion.objects.filter(
        project__in={project for project, _ in found.values()},
        number__in={number for _, number in found.values()},
    )
    priors = {
        (project, number): from_json(content)
        for project, number, content in rows.values_list("project_id", "number", "content")
        if (project, number) in found.values()
    }
    return {batch: priors[place] for batch, place in found.items() if place in priors}

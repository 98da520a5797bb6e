"""Reads of priors: the newest of a project, and those that batches have pinned."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from django.db.models import QuerySet

from annotation.models import Batch, Image
from workflows.batch_settings.selectors import settings_of
from workflows.priors.domain.prior import Prior, from_json
from workflows.priors.models import PriorVersion
from workflows.suggestions.selectors import pair_scores


def newest(project_id: int) -> PriorVersion | None:
    """Return the project's newest prior, without its content."""
    versions = PriorVersion.objects.filter(project=project_id).defer("content")
    return versions.order_by("-number").first()


def has_scores(project_id: int, number: int) -> bool:
    """Return whether the project's prior of this number adds a model's scores to the words."""
    version = PriorVersion.objects.filter(project=project_id, number=number)
    return version.filter(content__has_key="scores").exists()


def with_scores(prior: Prior, project_id: int, images: Collection[int] | QuerySet[Image]) -> Prior:
    """Return the prior with the scores that its set has for pairs of these images (ids). One query, or none
    if it is a prior of words alone."""
    if prior.scores is None:
        return prior
    of_images = pair_scores(project_id, prior.scores.set, images)
    return replace(prior, of_pairs={pair: score for own in of_images.values() for pair, score in own.items()})


def pinned_priors(batches: Iterable[Batch], images: Collection[int]) -> dict[int, Prior]:
    """Return by batch (id) the prior that it has pinned, for those whose link strategy needs one.

    Each has the scores of these images (ids), if it adds scores. One query, and one more for each prior with
    scores; none if no strategy needs a prior.
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
        (project, number): with_scores(from_json(content), project, images)
        for project, number, content in rows.values_list("project_id", "number", "content")
        if (project, number) in found.values()
    }
    return {batch: priors[place] for batch, place in found.items() if place in priors}

"""Fit a prior on a project's captions, and keep it as the project's next version."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from random import Random
from typing import Any

from django.db.models import Sum

from annotation.domain.answers import Stage
from annotation.domain.mentions import Mention
from annotation.models import GoldChain, Image, Project, VerificationQuestion
from annotation.selectors import mentions_by_image
from annotation.transactions import write_transaction
from workflows.priors.domain.assessment import Assessment, assess, known_pairs
from workflows.priors.domain.prior import LinkAnswers, Prior, TextPrior, error_rates
from workflows.priors.models import PriorVersion
from workflows.questions.domain.retirement import VOID

MAX_IMAGES = 1000
"""A prior is fitted on so many images at most, so that it takes seconds. More hardly change it."""
IMAGES_AT_ONCE = 500


def fit_prior(
    *,
    project: Project,
    by: str,
    now: datetime,
    also: Callable[[PriorVersion], object] | None = None,
) -> tuple[PriorVersion, bool]:
    """Return the project's newest prior, fitted on its captions, and whether it was written just now.

    Nothing is written if the newest prior is the same and did the same. `also` is called in the transaction
    that writes it. Raises TooFewPairsError if the captions are too few.
    """
    # Only here, because the web service reads this module, and numpy takes it a second to import.
    from workflows.priors.domain.fit import fit_text_prior

    text, fitted_on = fit_text_prior([found for _, found in _mentions(_sample(project))])
    answers = _link_answers(project)
    content = Prior(text, error_rates(answers)).to_json()
    report = {
        "fitted_on": asdict(fitted_on),
        "answers": asdict(answers),
        "known": _as_json(_assessment(project, text)),
    }
    with write_transaction():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        before = PriorVersion.objects.filter(project=project).order_by("-number").first()
        if before and (before.content, before.report) == (content, report):
            return before, False
        made = PriorVersion.objects.create(
            project=project,
            number=before.number + 1 if before else 1,
            content=content,
            report=report,
            by=by,
            created_at=now,
        )
        if also is not None:
            also(made)
    return made, True


def _sample(project: Project) -> list[int]:
    """Return the images to fit to (ids): all, or the same sample of them whenever it is drawn."""
    images = Image.objects.in_use().filter(project=project).order_by("name")
    found = list(images.values_list("pk", flat=True))
    if len(found) <= MAX_IMAGES:
        return found
    return sorted(Random(project.name).sample(found, MAX_IMAGES))


def _mentions(images: Sequence[int]) -> Iterator[tuple[int, Sequence[Mention]]]:
    """Yield these images (ids) that have mentions, in their order."""
    for start in range(0, len(images), IMAGES_AT_ONCE):
        some = images[start : start + IMAGES_AT_ONCE]
        found = mentions_by_image(some)
        yield from ((image, found[image]) for image in some if image in found)


def _link_answers(project: Project) -> LinkAnswers:
    """Count the answers of trusted workers to verification questions about links, without void questions."""
    questions = VerificationQuestion.objects.filter(project=project, stage=Stage.LINK).exclude(retired=VOID)
    counted = {}
    for same in (True, False):
        sums = questions.filter(answer={"same": same}).aggregate(a=Sum("good_asked"), r=Sum("good_right"))
        counted[same] = (sums["a"] or 0, (sums["a"] or 0) - (sums["r"] or 0))
    return LinkAnswers(*counted[True], *counted[False])


def _assessment(project: Project, text: TextPrior) -> Assessment:
    """Compare the prior with the known chains of the project. It was not fitted to them."""
    chains: dict[int, dict[int, int]] = {}
    rows = GoldChain.objects.filter(image__project=project, superseded=False).order_by("image", "pk")
    for image, pk, members in rows.values_list("image_id", "pk", "members"):
        if image not in chains and len(chains) == MAX_IMAGES:
            break
        chains.setdefault(image, {}).update(dict.fromkeys(members, pk))
    found = _mentions(list(chains))
    return assess(text, [pair for image, own in found for pair in known_pairs(own, chains[image])])


def _as_json(found: Assessment) -> dict[str, Any]:
    data = asdict(found)
    return {**data, "auc": None if found.auc is None else round(found.auc, 4), "bins": list(data["bins"])}

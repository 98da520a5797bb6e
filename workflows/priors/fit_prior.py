"""Fit a prior on a project's captions, and keep it as the project's next version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, Any

from django.db.models import Sum

from annotation.domain.answers import Stage
from annotation.domain.chain_states import WITHDRAWN
from annotation.domain.mentions import Mention
from annotation.models import Batch, Chain, GoldChain, Image, Project, VerificationQuestion
from annotation.selectors import mentions_by_image
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.priors.domain.assessment import Assessment, assess, known_pairs
from workflows.priors.domain.prior import LinkAnswers, Prior, ScoresError, error_rates
from workflows.priors.models import PriorVersion
from workflows.priors.selectors import with_scores
from workflows.questions.domain.retirement import VOID
from workflows.suggestions.selectors import completed, pair_scores

if TYPE_CHECKING:
    from workflows.priors.domain.scores import KnownImage

MAX_IMAGES = 1000
"""A prior is fitted on so many images at most, so that it takes seconds. More hardly change it."""
IMAGES_AT_ONCE = 500
EVERY_PAIR = "every_pair"
"""The link strategy whose chains workers have agreed upon pair by pair."""


def fit_prior(
    *,
    project: Project,
    by: str,
    now: datetime,
    scores: int | None = None,
    also: Callable[[PriorVersion], object] | None = None,
) -> tuple[PriorVersion, bool]:
    """Return the project's newest prior, fitted on its captions, and whether it was written just now.

    `scores` is the number of a set with a model's scores of pairs: the prior says what they add to the words.
    Nothing is written if the newest prior is the same and did the same. `also` is called in the transaction
    that writes it. Raises TooFewPairsError if the captions are too few, and ScoresError if there is no such
    set, or if what its scores add cannot be fitted.
    """
    # Only here, because the web service reads this module, and numpy takes it a second to import.
    from workflows.priors.domain.fit import fit_text_prior

    text, fitted_on = fit_text_prior([found for _, found in _mentions(_sample(project))])
    answers = _link_answers(project)
    prior = Prior(text, error_rates(answers))
    report = {"fitted_on": asdict(fitted_on), "answers": asdict(answers)}
    if scores is not None:
        from workflows.priors.domain.scores import fit_scores

        weights, found = fit_scores(text, known_images(project, scores), number=scores)
        prior, report["scores_fitted_on"] = replace(prior, scores=weights), asdict(found)
    report["known"] = _as_json(_assessment(project, prior))
    content = prior.to_json()
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


def _assessment(project: Project, prior: Prior) -> Assessment:
    """Compare the prior with the known chains of the project. Its words were not fitted to them."""
    chains = known_chains(project)
    prior = with_scores(prior, project.pk, list(chains))
    found = _mentions(list(chains))
    return assess(prior, [pair for image, own in found for pair in known_pairs(own, chains[image])])


def known_images(project: Project, number: int) -> Iterator[KnownImage]:
    """Yield the images whose chains are known or agreed upon, with the scores that a set has for them.

    Raises ScoresError if the project has no such set.
    """
    from workflows.priors.domain.scores import KnownImage

    found = completed(project.pk, number)
    if found is None or not found.of_pairs:
        raise ScoresError(
            f"the project has no complete set {number} with scores of pairs: import one with "
            "manage.py import_suggestions"
        )
    chains = {**agreed_chains(project), **known_chains(project)}
    scores = pair_scores(project.pk, number, list(chains))
    for image, mentions in _mentions(sorted(scores)):
        yield KnownImage(mentions, chains[image], scores[image])


def known_chains(project: Project) -> dict[int, dict[int, int]]:
    """Return the known chain of each mention of at most MAX_IMAGES images, by image and mention (ids)."""
    rows = GoldChain.objects.filter(image__project=project, superseded=False).order_by("image", "pk")
    return _by_image(rows.values_list("image_id", "pk", "members").iterator())


def agreed_chains(project: Project) -> dict[int, dict[int, int]]:
    """Return the chain of each mention that five workers agreed upon, by image and mention (ids).

    These are the chains of finished batches with the link strategy `every_pair`, as their links made them:
    of at most MAX_IMAGES images.
    """
    batches = Batch.objects.filter(project=project, state=Batch.State.FINISHED)
    rows = Chain.objects.filter(
        work__batch__in=[batch.pk for batch in batches if settings_of(batch).strategy == EVERY_PAIR],
        work__active=True,
        generation=0,
    )
    agreed = rows.exclude(state=WITHDRAWN).order_by("work__image", "pk")
    return _by_image(agreed.values_list("work__image_id", "pk", "members").iterator())


def _by_image(rows: Iterable[tuple[int, int, list[int]]]) -> dict[int, dict[int, int]]:
    chains: dict[int, dict[int, int]] = {}
    for image, pk, members in rows:
        if image not in chains and len(chains) == MAX_IMAGES:
            break
        chains.setdefault(image, {}).update(dict.fromkeys(members, pk))
    return chains


def _as_json(found: Assessment) -> dict[str, Any]:
    data = asdict(found)
    return {**data, "auc": None if found.auc is None else round(found.auc, 4), "bins": list(data["bins"])}

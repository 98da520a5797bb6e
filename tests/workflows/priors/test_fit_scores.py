"""A prior can add a model's scores of pairs to the words, once known chains say what a score means."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from annotation.domain.mentions import Mention
from annotation.models import Batch, Chain, GoldChain, Project
from annotation.models import Mention as MentionRow
from tests.factories import NOW, claim_maybe, make_batch, make_worker, submit_page
from tests.suggesting_models import make_scored_set, make_set
from tests.workflows.priors.stored_captions import make_worded
from workflows.pipeline.advance import advance_pending
from workflows.priors.domain.prior import ScoresError, from_json
from workflows.priors.fit_prior import agreed_chains, fit_prior, known_images
from workflows.priors.models import PriorVersion
from workflows.priors.selectors import has_scores, pinned_priors, with_scores

pytestmark = pytest.mark.django_db


def fit(project: Project, scores: int | None = 1) -> PriorVersion:
    return fit_prior(project=project, by="ada", now=NOW, scores=scores)[0]


def by_place(a: Mention, b: Mention) -> float:
    """Return a score that tells something: whether words are alike, with noise by their places."""
    return float(a.text.split()[-1] == b.text.split()[-1]) + random.Random(f"{a.caption} {b.start}").random()


def scored(images: int = 12, *, gold: bool = True, **more: Any) -> Project:
    project = make_worded(images, gold=gold, **more)
    make_scored_set(project, by_place)
    return project


def test_a_prior_names_its_set_and_keeps_the_words_as_they_are() -> None:
    project = scored()
    words, both = fit(project, None), fit(project)
    assert (words.number, both.number) == (1, 2)
    assert {**both.content, "format": 1, "scores": None} == {**words.content, "scores": None}
    assert both.content["format"] == 2 and both.content["scores"]["set"] == 1
    assert both.content["scores"]["times"] > 0
    on, known = both.report["scores_fitted_on"], both.report["known"]
    assert on == {"images": 12, "pairs": known["pairs"], "same": known["same"]}
    assert "scores_fitted_on" not in words.report
    assert (has_scores(project.pk, 1), has_scores(project.pk, 2), has_scores(project.pk, 3)) == (
        False,
        True,
        False,
    )
    again, created = fit_prior(project=project, by="bo", now=NOW, scores=1)
    assert (again.pk, created) == (both.pk, False)


def test_without_known_chains_there_is_no_such_prior_and_nothing_is_written() -> None:
    project = scored(gold=False)
    with pytest.raises(ScoresError, match="0 are known to be the same thing"):
        fit(project)
    assert not PriorVersion.objects.exists()
    assert fit(project, None).content["format"] == 1


def test_the_set_is_there_complete_and_of_pairs() -> None:
    project = make_worded(12, gold=True)
    make_set(project)
    make_scored_set(project, by_place, completed=False)
    for number in (1, 2, 3):
        with pytest.raises(ScoresError, match=rf"no complete set {number} with scores of pairs: import one"):
            fit(project, number)


def test_the_scores_of_a_set_belong_to_its_project() -> None:
    other, project = scored(), make_worded(12, gold=True)
    assert fit(other).number == 1
    with pytest.raises(ScoresError, match="no complete set 1"):
        fit(project)


def test_a_prior_is_given_the_scores_of_the_images_that_are_asked_for(
    django_assert_num_queries: Any,
) -> None:
    project = scored()
    fit(project)
    batch = make_batch(project, strategy="posterior", human_yes=True, launch=True)
    images = list(project.images.order_by("pk").values_list("pk", flat=True))
    with django_assert_num_queries(2):
        found = pinned_priors([batch], images[:1])[batch.pk]
    own = MentionRow.objects.filter(image=images[0]).values_list("pk", flat=True)
    assert found.of_pairs and {one for pair in found.of_pairs for one in pair} <= set(own)
    with django_assert_num_queries(2):
        every = pinned_priors([batch], images)[batch.pk]
    assert len(every.of_pairs) > len(found.of_pairs) and every.scores == found.scores
    words = from_json(fit(project, None).content)
    with django_assert_num_queries(0):
        assert with_scores(words, project.pk, images) is words


def same_head(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer that two mentions are the same thing if they have the same last word."""
    words = [
        part["text"].split()[-1]
        for caption in question["captions"]
        for part in caption["segments"]
        if part["mention"]
    ]
    return {"same": words[0] == words[1]}


def test_chains_that_five_workers_agreed_upon_are_labels_once_their_batch_is_finished() -> None:
    project = make_worded(4)
    batch = make_batch(project, strategy="every_pair", items_a_page={"link": 100})
    make_worded(8, seed=9, project=project)
    make_scored_set(project, by_place)
    for _ in range(5):
        worker = make_worker(project)
        while found := claim_maybe(worker, stage="link"):
            submit_page(found.assignment, answering=same_head)
            advance_pending(now=NOW)
    assert Chain.objects.filter(work__batch=batch).exists() and agreed_chains(project) == {}
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.FINISHED)
    agreed = agreed_chains(project)
    assert set(agreed) == set(batch.works.values_list("image", flat=True))
    head = dict(MentionRow.objects.filter(image__project=project).values_list("pk", "head"))
    for chain_of in agreed.values():
        chains = {
            chain: {head[pk] for pk in chain_of if chain_of[pk] == chain} for chain in chain_of.values()
        }
        assert all(len(heads) == 1 for heads in chains.values())
    weights = fit(project).content["scores"]
    assert weights["set"] == 1 and weights["times"] > 0
    first = batch.works.order_by("pk")[0].image
    GoldChain.objects.create(image=first, number=1, members=list(agreed[first.pk]))
    by_image = {image.mentions[0].id: image for image in known_images(project, 1)}
    known = [image for pk, image in by_image.items() if pk in agreed[first.pk]]
    assert len(by_image) == 4 and len(set(known[0].chain_of.values())) == 1, "known chains come first"
    Chain.objects.filter(work__batch=batch).update(state="withdrawn")
    assert agreed_chains(project) == {}


def test_batches_of_other_strategies_give_no_labels() -> None:
    project = scored(2, gold=False)
    batch = make_batch(project, strategy="exhaustive", items_a_page={"link": 100})
    worker = make_worker(project)
    while found := claim_maybe(worker, stage="link"):
        submit_page(found.assignment, answering=same_head)
        advance_pending(now=NOW)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.FINISHED)
    assert Chain.objects.filter(work__batch=batch).exists() and agreed_chains(project) == {}

"""A batch that asks by a prior pins it at its launch. What is fitted later changes nothing in it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from annotation.domain.mentions import Mention
from annotation.models import Batch, Chain, Item, Judgment, Project
from annotation.selectors import mentions_by_image
from tests.factories import NOW, claim_maybe, make_batch, make_worker, submit_page
from tests.suggesting_models import make_scored_set
from tests.workflows.pipeline.invariants import check_rules
from tests.workflows.priors.stored_captions import make_worded
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.batches.settings_edits import change_settings
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.link_strategies import components
from workflows.pipeline.replay.verify_state import differences
from workflows.priors.fit_prior import fit_prior
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db

BASE = parse_settings({"strategy": "posterior", "regime": "open"})


def test_without_a_prior_the_launch_says_what_to_do() -> None:
    draft = make_batch(make_worded(2), launch=False, strategy="posterior")
    with pytest.raises(BatchError, match=r"needs a prior.*manage.py fit_prior.*another link strategy"):
        move_batch(batch=draft, action="launch")
    draft.refresh_from_db()
    assert (draft.state, settings_of(draft).prior) == (Batch.State.DRAFT, None)
    other = make_batch(make_worded(2), strategy="likely_first")
    assert (other.state, settings_of(other).prior) == (Batch.State.RUNNING, None)


def test_a_prior_that_the_project_does_not_have_is_refused() -> None:
    project = make_worded(10)
    fit_prior(project=project, by="ada", now=NOW)
    draft = make_batch(project, launch=False, strategy="posterior", prior=2)
    with pytest.raises(BatchError, match=r"no prior 2\. The newest is 1"):
        move_batch(batch=draft, action="launch")


@pytest.mark.both_databases
def test_the_launch_pins_the_newest_and_replays_read_it_for_good() -> None:
    project = make_worded(10)
    first, _ = fit_prior(project=project, by="ada", now=NOW)
    batch = make_batch(project, strategy="posterior", target=3)
    assert settings_of(batch).prior == first.number
    make_worded(10, seed=9, project=project)
    second, created = fit_prior(project=project, by="ada", now=NOW)
    assert created and second.content != first.content
    rng = random.Random(4)
    workers = [make_worker(project) for _ in range(6)]
    for _ in range(25):
        found = claim_maybe(rng.choice(workers), stage="link")
        if found:
            submit_page(found.assignment, answering=lambda *_: {"same": rng.random() < 0.5})
            advance_pending(now=NOW)
    assert Item.objects.filter(batch=batch, stage="link", judged__gt=1).exists(), "some are asked again"
    check_rules(project)
    judged = Judgment.objects.order_by("pk")[0]
    set_aside_worker(
        worker_id=judged.worker_id, stage="link", by="ada", note="", now=NOW, unsupported_only=False
    )
    advance_pending(now=NOW)
    check_rules(project)
    batch.refresh_from_db()
    assert settings_of(batch).prior == first.number
    other = replace(settings_of(batch), prior=second.number)
    with pytest.raises(BatchError, match="prior: fixed since"):
        change_settings(batch=batch, settings=other)


def score(a: Mention, b: Mention) -> float:
    """Return a score that depends on words alone: ids differ from run to run."""
    return 2.0 * (a.text.split()[-1] == b.text.split()[-1]) - 0.1 * abs(a.caption - b.caption)


def make_scored() -> Project:
    """Return a project with a prior of words (1), and one with scores (2)."""
    project = make_worded(10, gold=True)
    fit_prior(project=project, by="ada", now=NOW)
    made = make_scored_set(project, score)
    fit_prior(project=project, by="ada", now=NOW, scores=made.number)
    return project


def test_a_prior_with_scores_is_launched_only_with_human_yes() -> None:
    project = make_scored()
    draft = make_batch(project, launch=False, strategy="posterior")
    with pytest.raises(
        BatchError, match="prior 2 adds a model's scores, so the setting human_yes must be on: no score"
    ):
        move_batch(batch=draft, action="launch")
    for changes in ({"prior": 2}, {"prior": 1}, {"human_yes": True}):
        change_settings(batch=draft, settings=replace(BASE, **changes))
        draft.refresh_from_db()
        assert bool(readiness_of(draft).prior) is (changes == {"prior": 2}), changes
    launched = move_batch(batch=draft, action="launch")
    assert settings_of(launched).prior == 2
    with pytest.raises(BatchError, match="human_yes: fixed since"):
        change_settings(batch=launched, settings=replace(settings_of(launched), human_yes=False))


def test_other_strategies_do_not_look_at_the_prior() -> None:
    project = make_scored()
    draft = make_batch(project, launch=False, strategy="greedy_plus", prior=2)
    assert readiness_of(draft).prior == ""


@pytest.mark.both_databases
def test_with_scores_a_persons_yes_holds_each_chain_and_replays_read_the_pinned_set() -> None:
    project = make_scored()
    batch = make_batch(project, strategy="posterior", human_yes=True, target=3)
    rng = random.Random(4)
    workers = [make_worker(project) for _ in range(6)]
    for turn in range(60):
        found = claim_maybe(rng.choice(workers), stage="link")
        if found:
            submit_page(found.assignment, answering=lambda *_: {"same": rng.random() < 0.5})
            advance_pending(now=NOW)
        if turn == 20:  # what comes later is another set, and another prior
            later = make_scored_set(project, lambda a, b: score(a, b) + a.start * 0.3)
            fit_prior(project=project, by="ada", now=NOW, scores=later.number)
    check_rules(project)
    chains = list(Chain.objects.filter(work__batch=batch))
    assert any(len(chain.members) > 2 for chain in chains)
    yes = set(
        Judgment.objects.filter(item__batch=batch, answer={"same": True}).values_list(
            "item__mention_a", "item__mention_b"
        )
    )
    mentions = {
        one.id: one
        for own in mentions_by_image(project.images.values_list("pk", flat=True)).values()
        for one in own
    }
    for chain in chains:
        own = [mentions[pk] for pk in chain.members]
        links = [pair for pair in yes if set(pair) <= set(chain.members)]
        assert len(components(own, links)) == 1, "no chain is joined by a score alone"
    judged = Judgment.objects.order_by("pk")[0]
    set_aside_worker(
        worker_id=judged.worker_id, stage="link", by="ada", note="", now=NOW, unsupported_only=False
    )
    advance_pending(now=NOW)
    check_rules(project)


def test_verify_state_reports_a_batch_whose_scores_need_nobody() -> None:
    project = make_scored()
    batch = make_batch(project, strategy="posterior", human_yes=True)
    works = list(batch.works.all())
    assert list(differences(works)) == []
    Batch.objects.filter(pk=batch.pk).update(settings={**batch.settings, "human_yes": False})
    found = list(differences(works))
    assert len(found) == len(works)
    assert all("cannot be replayed: a prior with a model's scores needs human_yes" in line for line in found)

"""A batch that asks by a prior pins it at its launch. What is fitted later changes nothing in it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from annotation.models import Batch, Item, Judgment
from tests.factories import NOW, claim_maybe, make_batch, make_worker, submit_page
from tests.workflows.pipeline.invariants import check_rules
from tests.workflows.priors.stored_captions import make_worded
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.batches.settings_edits import change_settings
from workflows.pipeline.advance import advance_pending
from workflows.priors.fit_prior import fit_prior
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


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

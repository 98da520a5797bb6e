"""The rules hold and the work ends, whatever workers do and whichever messages are lost."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta

import pytest

from annotation.models import Assignment, Judgment, Project
from tests.factories import (
    NOW,
    claim_maybe,
    make_batch,
    make_project,
    make_random_image,
    make_worker,
    submit_page,
    unsteady,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises, check_rules, is_over
from workflows.assignments.leases import expire_leases, return_page
from workflows.assignments.submit import OtherAnswersError
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.link_strategies import STRATEGIES

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow("random work through all stages, every rule checked on the way"),
]

STEPS = 3000
"""This is far more than the work takes: a run that is not over by then never ends."""

USUAL = ("greedy_plus", "exhaustive")


def run_randomly(project: Project, rng: random.Random) -> None:
    """Let six workers err, return pages, and submit late and twice, while most hints to advance are lost."""
    workers = [make_worker(project) for _ in range(6)]
    pages: list[Assignment] = []
    now = NOW
    for step in range(STEPS):
        now += timedelta(minutes=rng.randrange(5))
        action = rng.randrange(12)
        if action == 0 and pages:
            page = rng.choice(pages)
            return_page(worker_id=page.worker_id, assignment_id=page.pk)
        elif action == 1:
            expire_leases(now=now)
        elif action == 2:
            advance_pending(now=now)
        elif action <= 6 and pages:  # in time, late, or again
            with suppress(OtherAnswersError):
                submit_page(rng.choice(pages[-4:]), answering=unsteady(rng), now=now)
        else:
            found = claim_maybe(rng.choice(workers), now=now)
            pages += [found.assignment] if found else []
        if step % 50 == 0:
            check_promises(project)
            expire_leases(now=now)
            advance_pending(now=now)
            check_rules(project)
            if is_over(project):
                return
    raise AssertionError(f"not over after {STEPS} steps")


@pytest.mark.parametrize(
    ("strategy", "settle", "seed"),
    and_nightly(
        [(strategy, "cycles" if "plus" in strategy else "triangles", 0) for strategy in USUAL],
        [
            *((strategy, "cycles", 0) for strategy in STRATEGIES if strategy not in USUAL),
            *((one, "triangles", 1) for one in STRATEGIES),
        ],
        "other random work",
    ),
)
def test_random_work_keeps_every_rule_and_ends(strategy: str, settle: str, seed: int) -> None:
    rng = random.Random(f"{strategy}/{seed}")
    project = make_project()
    for _ in range(2):
        make_random_image(project, rng)
    make_batch(project, strategy=strategy, settle=settle, seed=seed, items_a_page={"link": 3, "drawing": 2})
    run_randomly(project, rng)
    check_promises(project)
    assert Judgment.objects.count() > 20

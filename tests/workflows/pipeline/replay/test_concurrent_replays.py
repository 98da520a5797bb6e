"""Judgments are set aside and researchers decide while workers work, on SQLite and on PostgreSQL.

Any exception in a thread fails its test: deadlocks, broken constraints and "database is locked" are
exceptions, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from annotation.models import Assignment, Batch, Chain, Decision, Judgment
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    make_batch,
    make_project,
    make_random_image,
    make_worker,
    submit_page,
    unsteady,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.threads import at_once
from workflows.assignments.leases import return_page
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import StaleDecisionError, decide_chain, version_of
from workflows.review.set_aside import reinstate, reject_pages, set_aside_worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")


def begun(seed: int, images: int = 6) -> tuple[Batch, list[int]]:
    """Make a batch in the middle of its work, and four workers who know it."""
    rng = random.Random(seed)
    project = make_project()
    for _ in range(images):
        make_random_image(project, rng)
    batch = make_batch(project, items_a_page=dict.fromkeys(STAGES, 3))
    workers = [make_worker(project) for _ in range(4)]
    for _ in range(30):
        for worker in workers:
            if claim_maybe(worker):
                answer_page(worker, answering=unsteady(rng))
        advance_pending(now=NOW)
    return batch, [worker.pk for worker in workers]


def aside(worker: int, stage: str) -> Decision | None:
    return set_aside_worker(worker_id=worker, stage=stage, by="ada", note="", now=NOW, unsupported_only=False)


def settled(batch: Batch) -> None:
    """Read everything, and check every promise."""
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)


@pytest.mark.parametrize("seed", and_nightly([0], [1], "other random work"))
def test_setting_aside_while_everybody_works(seed: int) -> None:
    batch, workers = begun(seed)
    helpers = [make_worker(batch.project) for _ in range(4)]
    before = Judgment.objects.count()
    submitted: list[int] = []

    def work(worker: int, number: int) -> None:
        rng = random.Random(number)
        for _ in range(5):
            found = claim_maybe(helpers[worker])
            if found and rng.random() < 0.2:
                return_page(worker_id=helpers[worker].pk, assignment_id=found.assignment.pk)
            elif found:
                receipt = submit_page(found.assignment, answering=unsteady(rng))
                submitted.append(receipt.accepted)

    calls: list[Callable[[], object]] = [partial(work, n, 10 * seed + n) for n in range(4)]
    calls += [partial(aside, workers[0], stage) for stage in ("drawing", "quality", "link")]
    calls += [partial(aside, workers[1], "coverage"), partial(advance_pending, now=NOW)]
    calls += [partial(advance_pending, now=NOW)] * 2
    at_once(calls)
    settled(batch)
    assert Judgment.objects.count() == before + sum(submitted), "no judgment is lost"
    assert not Judgment.objects.filter(
        worker_id=workers[0], item__stage="drawing", set_aside__isnull=True
    ).exists()


def test_the_same_worker_set_aside_from_eight_threads_is_set_aside_once() -> None:
    batch, workers = begun(3, images=3)
    decisions = at_once([partial(aside, workers[0], "link")] * 8)
    assert sum(decision is not None for decision in decisions) == 1
    assert Decision.objects.count() == 1
    settled(batch)


def test_two_workers_and_a_page_of_one_set_aside_and_reinstated_at_once() -> None:
    batch, workers = begun(4, images=4)
    given = Judgment.objects.values_list("worker_id", flat=True).filter(item__stage="link")
    workers = sorted(workers, key=list(given).count)
    first = aside(workers[-1], "link")
    assert first is not None
    pages = list(Assignment.objects.filter(worker_id=workers[-2], state="submitted").order_by("pk")[:3])
    back = partial(reinstate, decision_id=first.pk, by="ada", note="", now=NOW)
    calls: list[Callable[[], object]] = [partial(aside, worker, "link") for worker in workers[-3:-1] * 2]
    calls += [partial(reject_pages, assignment_ids=[p.pk for p in pages], by="p", now=NOW)] * 2
    calls += [back, back, partial(advance_pending, now=NOW)]
    at_once(calls)
    assert Decision.objects.filter(kind="reinstate").count() == 1
    assert Decision.objects.filter(kind="reject").count() == 1
    settled(batch)


def test_one_of_several_decisions_about_a_chain_is_taken() -> None:
    batch, workers = begun(5, images=2)
    chain = Chain.objects.exclude(state__in=("split", "withdrawn")).earliest("pk")
    version = version_of(chain.work)

    def decide() -> bool:
        try:
            decide_chain(
                chain_id=chain.pk,
                by="ada",
                note="",
                now=NOW,
                state="review",
                boxes=[],
                version=version,
            )
        except (StaleDecisionError, DecisionError):
            return False
        return True

    calls: list[Callable[[], object]] = [decide] * 4
    calls += [partial(aside, worker, "drawing") for worker in workers[:2]]
    results = at_once(calls)
    assert results[:4].count(True) == 1
    assert Decision.objects.filter(kind="chain").count() == 1
    settled(batch)

"""Advancing, launching and stopping under real concurrency, on SQLite and on PostgreSQL."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from annotation.models import Batch, Box, Chain, ImageWork, Item
from annotation.transactions import write_transaction
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_maybe,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_random_image,
    make_running,
    make_worker,
    submit_page,
    unsteady,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises, check_rules, is_over
from tests.workflows.threads import at_once
from workflows.assignments.claim import claim
from workflows.assignments.leases import expire_leases
from workflows.assignments.submit import OtherAnswersError
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.verify_state import verify

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

LINK = [["man"], ["man"]]


def state_of(batch: Batch) -> list[list[tuple[object, ...]]]:
    """Return the state of a batch as the rules decided it, without ids."""
    return [
        sorted(Item.objects.filter(batch=batch).values_list("stage", "visit", "state", "needed", "judged")),
        sorted(Chain.objects.filter(work__batch=batch).values_list("types", "state", "visits")),
        sorted(Box.objects.filter(chain__work__batch=batch).values_list("left", "state")),
        sorted(ImageWork.objects.filter(batch=batch).values_list("state")),
        sorted(Transition.objects.filter(work__batch=batch).values_list("rule", "source", "target")),
    ]


@pytest.mark.parametrize(
    "stage", and_nightly(["link", "quality"], ["verification", "coverage"], "the same locks for other stages")
)
def test_advancing_from_eight_threads_is_advancing_once(stage: str) -> None:
    """Twin batches have the same answers. One is advanced alone, the other from eight threads at once."""
    states = []
    for threads in (1, 8):
        batch = make_at_stage(stage, images=12)
        for _ in range(3):
            while found := claim_maybe(make_worker(batch.project)):
                submit_page(found.assignment)
            at_once([partial(advance_pending, now=NOW)] * threads)
            assert not Item.objects.filter(unread=True).exists(), "no judgment is left unread"
        check_promises(batch.project)
        check_rules(batch.project)
        states.append(state_of(batch))
    assert states[0] == states[1]


def test_advancing_again_in_parallel_changes_nothing() -> None:
    batch = make_at_stage("quality", images=8)
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    before = state_of(batch)
    assert at_once([partial(advance_pending, now=NOW)] * 8) == [0] * 8
    assert state_of(batch) == before


def test_opening_a_batch_from_several_threads_opens_it_once() -> None:
    project = make_project()
    for _ in range(20):
        make_image(project, LINK)
    batch = move_batch(batch=make_batch(project, launch=False), action="launch")
    assert sum(at_once([partial(open_queued, batch_id=batch.pk, now=NOW)] * 6)) == 20
    assert Item.objects.count() == 20


@pytest.mark.parametrize("action", ["pause", "cancel"])
def test_stopping_a_batch_racing_with_work_breaks_nothing(action: str) -> None:
    batch = make_running(LINK, images=40, items_a_page={"link": 5})

    def work_on(worker_id: int) -> None:
        for _ in range(5):
            found = claim(worker_id=worker_id, stage=None, now=NOW)
            if found:
                submit_page(found.assignment)
                advance_pending(now=NOW)

    workers = [make_worker(batch.project).pk for _ in range(8)]
    calls: list[Callable[[], object]] = [partial(work_on, worker) for worker in workers]
    at_once([*calls, lambda: move_batch(batch=batch, action=action)])
    advance_pending(now=NOW)
    check_promises(batch.project)
    check_rules(batch.project)
    assert claim_maybe(make_worker(batch.project)) is None
    if action == "cancel":
        assert make_batch(batch.project, name="again").works.count() == 40


def test_cancelling_locks_images_in_the_order_of_everybody_else() -> None:
    batch = make_running(LINK, images=20)
    works = list(ImageWork.objects.order_by("pk"))
    for work in reversed(works):
        # Writing an indexed column moves a row to the end of the table, so PostgreSQL finds the last one
        # first.
        for state in (ImageWork.State.DONE, ImageWork.State.LINKING):
            work.state = state
            work.save()
    begun = threading.Event()

    def submit_slowly() -> None:
        with write_transaction():
            for work in (works[0], works[-1]):
                ImageWork.objects.select_for_update(no_key=True).get(pk=work.pk)
                begun.set()
                time.sleep(0.2)

    def cancel() -> None:
        begun.wait()
        move_batch(batch=batch, action="cancel")

    at_once([submit_slowly, cancel])
    assert not ImageWork.objects.filter(active=True).exists()


def test_launching_from_several_screens_launches_once() -> None:
    project = make_project()
    make_image(project, LINK)
    batch = make_batch(project, launch=False)

    def launch() -> bool:
        try:
            move_batch(batch=batch, action="launch")
        except BatchError:
            return False
        return True

    assert sorted(at_once([launch] * 4)) == [False, False, False, True]


def test_a_batch_finishes_once() -> None:
    batch = make_at_stage("coverage")
    ImageWork.objects.update(state=ImageWork.State.DONE)
    assert sum(at_once([partial(finish_if_done, batch_id=batch.pk, now=NOW)] * 6)) == 1


def test_a_crowd_and_two_sweeps_at_once_finish_the_work() -> None:
    """Workers err and submit twice, hints are lost, leases expire at once, and images are replayed."""
    project = make_project()
    rng = random.Random(1)
    for _ in range(3):
        make_random_image(project, rng)
    make_batch(project, items_a_page={"link": 4, "drawing": 2})
    over = threading.Event()

    def work(worker_id: int) -> None:
        own = random.Random(worker_id)
        while not over.is_set():
            found = claim(worker_id=worker_id, stage=None, now=NOW)
            if found is None:
                over.wait(0.02)
                continue
            for _ in range(own.choice([1, 1, 2])):
                with suppress(OtherAnswersError):
                    submit_page(found.assignment, answering=unsteady(own))
            if own.random() < 0.7:
                advance_pending(now=NOW)

    def sweep() -> None:
        while not is_over(project) and not over.wait(0.01):
            expire_leases(now=LATER)
            advance_pending(now=NOW)

    def watch() -> None:
        while not over.wait(0.05):
            assert verify(works) == [], "work in progress is no difference"

    def to_the_end(call: Callable[[], None]) -> None:
        try:
            call()
        finally:  # done, or failed: then nobody waits for the others
            over.set()

    works = list(ImageWork.objects.values_list("pk", flat=True))
    calls = [partial(work, make_worker(project).pk) for _ in range(8)]
    calls += [partial(call) for call in (sweep, sweep, watch)]
    at_once([partial(to_the_end, call) for call in calls])
    advance_pending(now=NOW)
    assert is_over(project)
    check_promises(project)
    check_rules(project)

"""Processes are killed by SIGKILL at the worst moments: nothing is half written or lost. The work ends."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection

from annotation.domain.protocols import ENTITIES_PROTOCOLS
from annotation.models import Assignment, Batch, Chain, Item, Judgment, Project
from tests import entities_fast
from tests.factories import (
    FAST,
    NOW,
    Answering,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_project,
    make_random_image,
    make_running,
    make_worker,
    submit_page,
    unsteady,
)
from tests.faults.processes import celery_worker, cut_connections, kill, run_and_die, started
from tests.services import forget_messages
from tests.workflows.pipeline.invariants import check_promises, check_rules, is_over
from workflows.core.locks import try_lock
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.tasks import advance, hint_advance, sweep

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("kills processes at every call in turn, and starts new ones"),
]

SECONDS = 60
"""Seconds after which a run counts as stuck. It takes a tenth of that."""


def rows(project: Project) -> list[list[tuple[object, ...]]]:
    return [
        list(Item.objects.filter(batch__project=project).order_by("pk").values_list()),
        list(Chain.objects.filter(work__batch__project=project).order_by("pk").values_list()),
        list(Transition.objects.filter(work__batch__project=project).order_by("pk").values_list()),
        list(Assignment.objects.filter(batch__project=project).order_by("pk").values_list()),
        list(Judgment.objects.filter(item__batch__project=project).order_by("pk").values_list()),
    ]


@pytest.mark.parametrize("stage", ["link", "quality"])
def test_a_kill_in_the_middle_of_advance_leaves_nothing_half_written(stage: str) -> None:
    """Everything is written, but the process dies before the commit."""
    batch = make_at_stage(stage, images=3)
    submit_page(claim_page(make_worker(batch.project)))
    before = rows(batch.project)
    run_and_die(
        "from django.utils import timezone\n"
        "from workflows.pipeline import advance\n"
        "write = advance.Changes.write\n"
        "advance.Changes.write = lambda changes: (write(changes), die())\n"
        "advance.advance_pending(now=timezone.now())\n"
    )
    assert rows(batch.project) == before
    assert advance_pending(now=NOW) == 3
    check_promises(batch.project)
    check_rules(batch.project)


def test_a_hint_that_waits_for_another_process_goes_on_when_that_is_killed() -> None:
    """Later hints go away, since that one is still to read what they are about."""
    batch = make_running([["man"], ["man"]], images=3)
    submit_page(claim_page(make_worker(batch.project)))
    with (
        started(
            "from workflows import tasks\n"
            "tasks.enforce_policies = lambda **_: (print('reading', flush=True), time.sleep(60))\n"
            "tasks.advance()\n"
        ) as process,
        ThreadPoolExecutor(1) as pool,
    ):
        waiting = pool.submit(_advance)
        while not _waits():
            if waiting.done():  # the look of `_waits` was in its way
                waiting = pool.submit(_advance)
            time.sleep(0.02)
        advance()
        assert Item.objects.unread().count() == 3, "neither of the three has read yet"
        kill(process)
        waiting.result(timeout=SECONDS)
    assert not Item.objects.unread().exists()
    check_promises(batch.project)
    check_rules(batch.project)


def _advance() -> None:
    try:
        advance()
    finally:
        connection.close()


def _waits() -> bool:
    with try_lock("advance-next") as free:
        return not free


def test_a_worker_whose_connections_were_cut_reads_the_next_page(tmp_path: Path) -> None:
    """A task uses the connection of the one before it. No sweep runs here that would make up for a task."""
    batch = make_running([["man"], ["man"]], images=6)
    worker = make_worker(batch.project)
    with celery_worker(tmp_path / "worker.log"):
        for _ in range(2):
            submit_page(claim_page(worker))
            hint_advance()
            end = time.monotonic() + SECONDS
            while Item.objects.unread().exists():
                assert time.monotonic() < end, (tmp_path / "worker.log").read_text(errors="replace")
                time.sleep(0.05)
            cut_connections()
    check_rules(batch.project)


def test_a_kill_in_the_middle_of_a_submission_leaves_the_page_to_be_submitted_again() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    page = claim_page(make_worker(batch.project))
    before = rows(batch.project)
    run_and_die(
        "from annotation.models import Assignment\n"
        "from tests.factories import submit_page\n"
        "Assignment.save = die\n"
        f"submit_page(Assignment.objects.get(pk='{page.pk}'))\n"
    )
    assert rows(batch.project) == before
    assert submit_page(page).accepted == 3
    check_promises(batch.project)


def test_a_kill_after_the_commit_and_before_the_reply_counts_once() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    page = claim_page(make_worker(batch.project))
    run_and_die(
        "from annotation.models import Assignment\n"
        "from tests.factories import submit_page\n"
        f"submit_page(Assignment.objects.get(pk='{page.pk}'))\n"
        "die()\n"
    )
    receipt = submit_page(page)
    assert receipt.replayed and receipt.accepted == 3
    assert Judgment.objects.count() == 3
    check_promises(batch.project)


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_workers_killed_in_the_middle_of_a_run_lose_nothing(tmp_path: Path, protocol: str) -> None:
    """Two workers in turn are killed at work, and every message is lost. A third one finishes the work."""
    project = make_project()
    rng = random.Random(3)
    for _ in range(8):
        make_random_image(project, rng)
    small = {"boxes": 2} if protocol == FAST else {"drawing": 2}
    make_batch(project, protocol=protocol, items_a_page={"link": 3, **small})
    answering = (entities_fast.unsteady if protocol == FAST else unsteady)(rng)
    forget_messages()
    accepted = 0
    for life in range(3):
        with celery_worker(tmp_path / f"worker-{life}.log") as worker:
            sweep.delay()  # like beat
            goal = None if life == 2 else Transition.objects.count() + 15
            accepted += _answer(project, rng, answering, until_transitions=goal)
            kill(worker)
        if life < 2:
            accepted += _answer(project, rng, answering, pages=3)
            forget_messages()
            assert Item.objects.filter(unread=True).exists(), "there is something to lose"
            assert not is_over(project)
    assert is_over(project)
    assert Judgment.objects.count() == accepted, "every answer that was acknowledged is there, once"
    check_promises(project)
    check_rules(project)
    assert Batch.objects.get().state in (Batch.State.RUNNING, Batch.State.FINISHED)


def _answer(
    project: Project,
    rng: random.Random,
    answering: Answering,
    *,
    until_transitions: int | None = None,
    pages: int | None = None,
) -> int:
    """Let a crowd answer page after page. Return how many answers were accepted.

    It answers until there are so many transitions, or so many pages, or (without either) to the end of the
    work.
    """
    crowd = [make_worker(project, f"worker-{number}") for number in range(6)]
    accepted = done = 0
    end = time.monotonic() + SECONDS
    swept = time.monotonic()
    while time.monotonic() < end:
        if pages is not None and done == pages:
            return accepted
        if until_transitions is not None and Transition.objects.count() >= until_transitions:
            return accepted
        if pages is None and until_transitions is None and is_over(project):
            return accepted
        found = claim_maybe(rng.choice(crowd))
        if found:
            accepted += submit_page(found.assignment, answering=answering).accepted
            hint_advance()
            done += 1
        elif pages is not None:  # everything open is answered, and nobody reads it
            return accepted
        else:
            time.sleep(0.02)
            if time.monotonic() - swept > 1:
                sweep.delay()
                swept = time.monotonic()
    raise AssertionError(f"stuck after {SECONDS} seconds")

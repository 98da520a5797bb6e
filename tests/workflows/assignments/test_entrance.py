"""docs/protocol.md, "Quality control": who has entered, if batches have entrances of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Batch, Judgment, Standing
from tests.factories import (
    NOW,
    claim_maybe,
    claim_page,
    make_controlled,
    make_image,
    make_worker,
    submit_page,
)
from tests.workflows.assignments.test_mixed_pages import enter
from workflows.assignments.claim import NotAdmittedError
from workflows.assignments.leases import return_page
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch
from workflows.pipeline.advance import open_queued

pytestmark = pytest.mark.django_db

SMALL = {"link": 5}
MANY = 45
"""More items than nine such pages ask for."""


def with_second(first: Batch, images: int = 20, **settings: Any) -> Batch:
    """Make another batch with the same regimes, and with as many items of its own in `link`."""
    made = [make_image(first.project, [["man"], ["man"]]).pk for _ in range(images)]
    given = {"regime": first.settings["regime"], "screening": {"test": False}} | settings
    second = create_batch(project=first.project, name="second", settings=parse_settings(given), images=made)
    Batch.objects.filter(pk=second.pk).update(state="running")
    open_queued(batch_id=second.pk, now=NOW)
    return second


def pause(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(state="paused")


def test_a_batch_with_a_shorter_entrance_elsewhere_gives_no_items_before_its_own() -> None:
    """ "The first 30 items a screened worker gets are all verification questions." """
    short = make_controlled("link", "trusted", questions=60, control={"entrance": 10})
    worker = make_worker(short.project)
    enter(worker)
    pause(short)
    long = with_second(short)
    for _ in range(2):
        held = claim_page(worker, stage="link")
        assert held.batch == long and held.items == [] and len(held.checks) == 10
        submit_page(held)
    assert claim_page(worker, stage="link").items


def test_who_is_entering_a_longer_entrance_may_have_passed_a_shorter_one() -> None:
    long = make_controlled("link", "trusted", questions=60)
    worker, careless = make_worker(long.project), make_worker(long.project)
    submit_page(claim_page(worker, stage="link"))
    submit_page(claim_page(careless, stage="link"), answering=lambda *_: {"same": False})
    pause(long)
    with_second(long, control={"entrance": 10})
    assert Standing.objects.filter(state="entering").count() == 2
    assert claim_page(worker, stage="link").items
    with pytest.raises(NotAdmittedError) as caught:
        claim_maybe(careless, stage="link")
    assert caught.value.standing == "closed"


def right_enough(answers: Sequence[bool], minimum: float) -> bool:
    """Return whether so many are right, as docs/quality.md, "Details of trusted", says."""
    needed = round(len(answers) * minimum, 9)
    return sum(answers) >= (floor(needed) if len(answers) < 30 else needed)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(1, 3),
    st.integers(1, 3),
    st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=3, max_size=9),
)
def test_nobody_gets_ordinary_items_before_passing(
    one: int, two: int, course: list[tuple[bool, int]]
) -> None:
    """docs/protocol.md, "Quality control". Two batches with different numbers run in turns.

    Each step says which of them runs, and how many answers of the page are wrong.
    """
    first = make_controlled(
        "link",
        "trusted",
        images=MANY,
        questions=80,
        control={"entrance": 5 * one, "trusted_share": 0.4},
        items_a_page=SMALL,
    )
    second = with_second(
        first,
        images=MANY,
        control={"entrance": 5 * two, "trusted_share": 0.4},
        items_a_page=SMALL,
        minimum_score={"link": 0.6},
    )
    worker = make_worker(first.project)
    entrance, minimum = {first.pk: 5 * one, second.pk: 5 * two}, {first.pk: 0.8, second.pk: 0.6}
    for which, wrong in course:
        running, resting = (first, second) if which else (second, first)
        Batch.objects.filter(pk=running.pk).update(state="running")
        pause(resting)
        answers = [
            bool(right)
            for right in Judgment.objects.filter(question__isnull=False, worker=worker).values_list(
                "correct", flat=True
            )
        ]
        try:
            found = claim_maybe(worker, stage="link")
        except NotAdmittedError:
            lost = Standing.objects.filter(worker=worker, state="lost").exists()
            assert lost or not right_enough(answers, minimum[running.pk]) or len(answers) > 30
            continue
        assert found, "nobody is stuck"
        held = found.assignment
        enough = len(answers) >= entrance[running.pk]
        assert bool(held.items) == enough
        assert not enough or right_enough(answers, minimum[running.pk])
        bad = iter([False] * wrong + [True] * 9)
        submit_page(held, answering=lambda *_, bad=bad: {"same": next(bad)})


def test_a_batch_may_ask_for_more_than_a_worker_reached_elsewhere() -> None:
    batch = make_controlled("link", "trusted", images=30, minimum_score={"link": 0.5})
    worker = make_worker(batch.project)
    answers = iter([True] * 24 + [False] * 6 + [True] * 99)
    for _ in range(3):
        submit_page(claim_page(worker, stage="link"), answering=lambda *_: {"same": next(answers)})
    assert claim_page(worker, stage="link").items
    return_page(worker_id=worker.pk, assignment_id=claim_page(worker, stage="link").pk)
    batch.settings["minimum_score"]["link"] = 0.9
    batch.save()
    with pytest.raises(NotAdmittedError):
        claim_maybe(worker, stage="link")

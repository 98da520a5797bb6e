"""Which problems come back once a person has closed them."""

from __future__ import annotations

import pytest

from tests.factories import NOW
from tests.workflows.crowd.scene import Scene, make_crowd_batch
from workflows.crowd.models import Problem
from workflows.crowd.problems import RECONCILE, close_problems, raise_problem
from workflows.money.models import LedgerEntry
from workflows.platforms.provider import RefusedError

pytestmark = pytest.mark.django_db


def said(kind: Problem.Kind, *, by: str, once: bool = False) -> bool:
    """Return whether a problem is open again after it was closed and found again."""
    for _ in range(2):
        raise_problem(key="k", kind=kind, detail="Look.", now=NOW, once=once)
        assert close_problems(keys=["k"], now=NOW, by=by) == 1
        raise_problem(key="k", kind=kind, detail="Look again.", now=NOW, once=once)
        if Problem.objects.get().closed_at is not None:
            return False
    assert Problem.objects.get().detail == "Look again."
    return True


@pytest.mark.parametrize("kind", [Problem.Kind.REFUSED, Problem.Kind.UNPAID])
def test_what_fails_again_is_said_again_whoever_closed_it(kind: Problem.Kind) -> None:
    assert said(kind, by="ada")


@pytest.mark.parametrize("kind", [Problem.Kind.STRANGER, Problem.Kind.LOST, Problem.Kind.OTHER])
def test_what_happened_once_stays_closed_by_a_person_alone(kind: Problem.Kind) -> None:
    assert not said(kind, by="ada")
    Problem.objects.all().delete()
    assert said(kind, by=RECONCILE)


def test_what_a_comparison_finds_again_stays_closed() -> None:
    assert not said(Problem.Kind.UNPAID, by="ada", once=True)


def test_a_stage_refused_again_after_its_problem_was_closed_stops_again(scene: Scene) -> None:
    """Otherwise each round would reserve money, be refused and release it, and nobody would be told."""
    make_crowd_batch()
    for _ in range(2):
        scene.fake.fail_next("publish", RefusedError("No."))
        scene.round()
        problem = Problem.objects.get(closed_at=None)
        assert problem.key.startswith("refused:")
        entries = LedgerEntry.objects.count()
        scene.round()
        assert LedgerEntry.objects.count() == entries, "nothing is planned while it is open"
        close_problems(keys=[problem.key], now=scene.now, by="ada")
    assert scene.round().published == 1

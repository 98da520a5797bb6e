"""Answers to verification questions in runs."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import NOW
from workflows.analysis.domain.accuracy_history import LENGTHS, Answer, Run, run_length, runs_of


def _answers(said: str) -> list[Answer]:
    """Return an answer for each letter, one a minute; `y` is right."""
    return [Answer(letter == "y", NOW + timedelta(minutes=n)) for n, letter in enumerate(said)]


@pytest.mark.parametrize(
    ("answers", "length"), [(0, 10), (120, 10), (121, 20), (240, 20), (241, 50), (600, 50), (601, 100)]
)
def test_a_run_is_longer_if_there_would_be_too_many(answers: int, length: int) -> None:
    assert run_length(answers, 12) == length


def test_of_more_answers_than_anybody_gives_the_runs_are_the_longest() -> None:
    assert run_length(10**9, 12) == LENGTHS[-1]


def test_runs_have_the_share_and_the_time_of_their_answers() -> None:
    first, second = runs_of(_answers("yyny" + "nnny"), 4)
    assert first == Run(1, 4, 3, NOW + timedelta(minutes=3))
    assert second == Run(5, 8, 1, NOW + timedelta(minutes=7))
    assert (first.accuracy, second.accuracy) == (0.75, 0.25)


@pytest.mark.parametrize(
    ("answers", "runs"),
    [
        (0, []),
        (1, [(1, 1)]),
        (4, [(1, 4)]),
        (5, [(1, 5)]),
        (6, [(1, 4), (5, 6)]),
        (9, [(1, 4), (5, 9)]),
        (10, [(1, 4), (5, 8), (9, 10)]),
    ],
)
def test_a_few_answers_at_the_end_belong_to_the_run_before(answers: int, runs: list[tuple[int, int]]) -> None:
    found = runs_of(_answers("y" * answers), 4)
    assert [(run.first, run.last) for run in found] == runs
    assert sum(run.right for run in found) == answers

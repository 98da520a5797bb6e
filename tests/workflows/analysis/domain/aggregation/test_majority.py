from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given

from evaluation.agreement import from_rows
from tests.evaluation.planted import CHOICES, planted
from tests.evaluation.test_agreement import some_votes
from tests.workflows.analysis.domain.aggregation.test_dawid_skene import CROWDKIT, in_order
from workflows.analysis.domain.aggregation.majority import majority


def test_shares_are_what_crowd_kit_says() -> None:
    rows, _ = planted([0.95, 0.9, 0.8, 0.6, 0.35], items=24, each=3)
    found = majority(from_rows(sorted(rows), CHOICES))
    np.testing.assert_allclose(found.shares, CROWDKIT["MajorityVote"]["posterior"], atol=1e-9)


@pytest.mark.parametrize(
    ("rows", "label", "tied"),
    [
        ([(1, "a", "yes"), (1, "b", "yes"), (1, "c", "no")], "yes", False),
        # the item's labels tie, and more of all judgments say yes
        ([(1, "a", "yes"), (1, "b", "no"), (2, "a", "yes")], "yes", True),
        # all judgments tie, too, so the first name wins
        ([(1, "a", "yes"), (1, "b", "no")], "no", True),
    ],
)
def test_ties_go_to_the_more_frequent_label_then_to_the_first(
    rows: list[tuple[int, str, str]], label: str, tied: bool
) -> None:
    found = majority(from_rows(rows, ("no", "yes")))
    assert ("no", "yes")[found.labels[0]] == label
    assert bool(found.tied[0]) is tied


def test_workers_are_measured_by_the_majority() -> None:
    rows = [(item, worker, "yes") for item in range(4) for worker in "ab"]
    rows += [(item, "c", "yes" if item else "no") for item in range(4)]
    found = majority(from_rows(rows, ("no", "yes")))
    assert found.accuracies.tolist() == [1, 1, 0.75]


def test_no_judgments_are_no_error() -> None:
    found = majority(from_rows([], ("no", "yes")))
    assert found.labels.shape == (0,) and found.shares.shape == (0, 2)


@given(some_votes)
def test_nothing_depends_on_the_order_of_the_judgments(rows: list[tuple[int, str, str]]) -> None:
    first = from_rows(rows, CHOICES)
    second = from_rows(random.Random(len(rows)).sample(rows, len(rows)), CHOICES)
    items, _ = in_order(first)
    other, _ = in_order(second)
    assert majority(first).labels[items].tolist() == majority(second).labels[other].tolist()

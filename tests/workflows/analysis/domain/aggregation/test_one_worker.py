"""One worker beside everybody else."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.agreement import Votes, cohen_kappa, from_ids
from workflows.analysis.domain.aggregation.one_worker import OneWorker, mean_of, worker_figures

NAMES = ("no", "yes")


def votes(rows: list[tuple[int, int, int]]) -> Votes:
    items, workers, labels = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return from_ids(items, workers, labels, NAMES)


def figures(rows: list[tuple[int, int, int]]) -> dict[int, OneWorker]:
    found = worker_figures(votes(rows), np.random.default_rng(0), resamples=200)
    return {one.worker: one for one in found}


def test_with_one_other_worker_kappa_is_cohens() -> None:
    rng = np.random.default_rng(3)
    rows = [(item, worker, int(rng.random() < 0.6)) for item in range(40) for worker in (7, 9)]
    expected = cohen_kappa(votes(rows), np.random.default_rng(0), resamples=0).value
    found = figures(rows)
    assert found[7].kappa.value == pytest.approx(expected)
    assert found[9].kappa.value == pytest.approx(expected)


def test_who_disagrees_with_everybody_stands_out() -> None:
    truth = [item % 2 for item in range(30)]
    rows = [(item, worker, label) for item, label in enumerate(truth) for worker in (1, 2, 3)]
    rows += [(item, 4, 1 - label) for item, label in enumerate(truth)]
    found = figures(rows)
    assert found[4].kappa.value == pytest.approx(-1)
    assert found[4].agreement.value == 0
    assert found[1].agreement.value == pytest.approx(2 / 3)
    assert found[1].kappa.low is not None and found[1].kappa.low > 0


def test_items_that_nobody_else_judged_say_nothing() -> None:
    found = figures([(1, 1, 0), (2, 1, 1), (2, 2, 1), (3, 3, 0)])
    assert set(found) == {1, 2}
    assert found[1].items == 1


def test_a_mean_of_nothing_has_a_reason() -> None:
    rng = np.random.default_rng(0)
    assert mean_of([], rng, undefined="nothing", resamples=10).reason == "nothing"
    found = mean_of([0.0, 1.0] * 20, rng, undefined="", resamples=200)
    assert found.value == 0.5 and found.low is not None and 0.2 < found.low < 0.5

"""Measure how far one worker agrees with everybody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.agreement import NO_ITEMS, ONE_LABEL, Votes, alpha, beyond_chance, patterns
from evaluation.arrays import Floats, Ints
from evaluation.significance import Estimate, estimate


@dataclass(frozen=True, slots=True)
class OneWorker:
    """A worker beside the others who judged the same items."""

    worker: int  # an id
    items: int  # that others judged as well
    agreement: Estimate
    kappa: Estimate
    alpha: Estimate  # of all judgments of the worker's items


def worker_figures(votes: Votes, rng: np.random.Generator, *, resamples: int) -> Iterator[OneWorker]:
    """Yield the figures of each worker who shares items with others, in the order of the workers' ids.

    The other voice of an item is the share of each label among the others' judgments, so every item has the
    same weight, whatever the number of judgments. With one other worker, kappa is Cohen's.
    """
    counts = votes.counts()
    order = np.argsort(votes.workers, kind="stable")
    ends = np.searchsorted(votes.workers[order], np.arange(len(votes.worker_ids) + 1))
    for code, worker in enumerate(votes.worker_ids):
        mine = order[ends[code] : ends[code + 1]]
        items, labels = votes.items[mine], votes.labels[mine]
        others = counts[items].copy()
        others[np.arange(len(items)), labels] -= 1
        shared = others.sum(axis=1) > 0
        if not shared.any():
            continue
        yield _figures(int(worker), labels[shared], others[shared], counts[items[shared]], rng, resamples)


def _figures(
    worker: int, labels: Ints, others: Ints, counts: Ints, rng: np.random.Generator, resamples: int
) -> OneWorker:
    own = np.eye(others.shape[1])[labels]
    theirs = others / others.sum(axis=1, keepdims=True)
    agree = (own * theirs).sum(axis=1)
    ones = np.ones(len(labels), dtype=np.int64)

    def agreement(weights: Floats) -> Floats:
        return np.asarray(weights @ agree / weights.sum(axis=1))

    def kappa(weights: Floats) -> Floats:
        total = weights.sum(axis=1)
        by_chance = ((weights @ own) * (weights @ theirs)).sum(axis=1) / total**2
        return beyond_chance(weights @ agree / total, by_chance)

    rows, times = patterns(counts)
    return OneWorker(
        worker=worker,
        items=len(labels),
        agreement=estimate(agreement, ones, rng, undefined=NO_ITEMS, resamples=resamples),
        kappa=estimate(kappa, ones, rng, undefined=ONE_LABEL, resamples=resamples),
        alpha=estimate(alpha(rows), times, rng, undefined=ONE_LABEL, resamples=resamples),
    )


def mean_of(values: Sequence[float], rng: np.random.Generator, *, undefined: str, resamples: int) -> Estimate:
    """Return the mean of these values, with its interval."""
    given = np.array(values, dtype=np.float64)

    def statistic(weights: Floats) -> Floats:
        return np.asarray(weights @ given / weights.sum(axis=1))

    ones = np.ones(len(given), dtype=np.int64)
    return estimate(statistic, ones, rng, undefined=undefined, resamples=resamples)

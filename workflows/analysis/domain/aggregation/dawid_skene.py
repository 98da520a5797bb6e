"""Estimate labels and workers' abilities together (Dawid and Skene 1979, Applied Statistics 28:20-28).

Each item has one true label. In the full model a worker has a confusion matrix: how likely they give label k
when j is true. In the one-coin model they are right with one probability, and all wrong labels are equally
likely. Expectation maximisation finds both from the judgments alone, in log space throughout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import Votes
from evaluation.arrays import Floats, Ints

UNKNOWN = -1
"""Stands for a label that is not known."""
_MIN_PROBABILITY = 1e-10  # a probability of zero would stay zero
MAX_CELLS = 50_000_000
"""The most workers x labels x labels: 400 MB of confusion matrices."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What the judgments say about items and workers."""

    posterior: Floats  # items x labels; rows sum to 1
    labels: Ints  # by item: the most probable label; if several are, the first in `votes.names`
    confusions: Floats  # workers x true labels x given labels; rows sum to 1
    accuracies: Floats  # by worker: the expected share of their judgments that are right, 0 to 1
    priors: Floats  # by label
    iterations: int
    converged: bool
    objective: tuple[float, ...]  # smoothed log likelihood by iteration; it never falls


def dawid_skene(
    votes: Votes,
    *,
    one_coin: bool = False,
    smoothing: float = 0.01,
    tolerance: float = 1e-7,
    most: int = 500,
    known: Ints | None = None,
) -> Fit:
    """Fit the full or the one-coin model, beginning with each item's shares of votes.

    `smoothing` is added to every count of the confusion matrices and priors (a Dirichlet prior), so that few
    judgments do not make a worker perfect. It stops when the objective grows by less than `tolerance` a
    judgment, or after `most` iterations (then `converged` is False). `known` anchors items: their true label
    by item code, UNKNOWN elsewhere. Raises ValueError for options out of range, and for more workers and
    labels than MAX_CELLS.
    """
    items, workers, names = len(votes.item_ids), len(votes.worker_ids), len(votes.names)
    if smoothing < 0 or tolerance < 0 or most < 1:
        raise ValueError("smoothing and tolerance must be at least 0, most at least 1")
    if workers * names * names > MAX_CELLS:
        raise ValueError(f"{workers} workers with {names} labels are more than fit into memory")
    if known is not None and len(known) != items:
        raise ValueError(f"known has {len(known)} labels for {items} items")
    counts = votes.counts()
    posterior = counts / counts.sum(axis=1, keepdims=True)
    if known is not None:
        _anchor(posterior, known)
    maximise = _one_coin if one_coin else _full
    objective: list[float] = []
    converged = not len(votes)
    priors, confusions = _priors(posterior, smoothing), maximise(votes, posterior, smoothing)
    while not converged and len(objective) < most:
        posterior, likelihood = _expect(votes, priors, confusions, known)
        objective.append(likelihood + smoothing * _prior_weight(priors, confusions, one_coin))
        priors, confusions = _priors(posterior, smoothing), maximise(votes, posterior, smoothing)
        converged = len(objective) > 1 and objective[-1] - objective[-2] < tolerance * len(votes)
    return Fit(
        posterior=posterior,
        labels=np.argmax(posterior, axis=1) if items else np.zeros(0, dtype=np.int64),
        confusions=confusions,
        accuracies=_right(votes, posterior) / np.bincount(votes.workers, minlength=workers),
        priors=priors,
        iterations=len(objective),
        converged=converged,
        objective=tuple(objective),
    )


def known_labels(votes: Votes, known: dict[int, int]) -> Ints:
    """Return the known label of each item by item code, or UNKNOWN."""
    return np.array([known.get(int(item), UNKNOWN) for item in np.asarray(votes.item_ids)], dtype=np.int64)


def _anchor(posterior: Floats, known: Ints) -> None:
    anchored = np.flatnonzero(known != UNKNOWN)
    posterior[anchored] = 0
    posterior[anchored, known[anchored]] = 1


def _priors(posterior: Floats, smoothing: float) -> Floats:
    return _normal(posterior.sum(axis=0) + smoothing)


def _full(votes: Votes, posterior: Floats, smoothing: float) -> Floats:
    """Return confusion matrices: the expected counts of (worker, true, given), with rows that sum to 1."""
    workers, names = len(votes.worker_ids), len(votes.names)
    cell = votes.workers * names + votes.labels
    counted = [
        np.bincount(cell, weights=posterior[votes.items, true], minlength=workers * names).reshape(-1, names)
        for true in range(names)
    ]
    return _normal(np.stack(counted, axis=1) + smoothing)


def _one_coin(votes: Votes, posterior: Floats, smoothing: float) -> Floats:
    """Return confusion matrices that depend on one number a worker: how often they are right."""
    names = len(votes.names)
    given = np.bincount(votes.workers, minlength=len(votes.worker_ids))
    right = (_right(votes, posterior) + smoothing) / (given + 2 * smoothing)
    right = np.clip(right, _MIN_PROBABILITY, 1 - _MIN_PROBABILITY)[:, None, None]
    return np.where(np.eye(names, dtype=bool), right, (1 - right) / max(names - 1, 1))


def _right(votes: Votes, posterior: Floats) -> Floats:
    """By worker: how many of their judgments are expected to be right."""
    chance = posterior[votes.items, votes.labels]
    return np.bincount(votes.workers, weights=chance, minlength=len(votes.worker_ids)).astype(np.float64)


def _expect(votes: Votes, priors: Floats, confusions: Floats, known: Ints | None) -> tuple[Floats, float]:
    """Posterior by item, and the log likelihood of all judgments (and of what is known)."""
    logs = np.log(confusions)
    joint = np.empty((len(votes.item_ids), len(priors)))
    for true, prior in enumerate(priors):
        said = logs[votes.workers, true, votes.labels]
        joint[:, true] = np.log(prior) + np.bincount(votes.items, weights=said, minlength=len(joint))
    if known is not None:
        anchored = np.flatnonzero(known != UNKNOWN)
        truth = joint[anchored, known[anchored]]
        joint[anchored] = -np.inf
        joint[anchored, known[anchored]] = truth
    most = joint.max(axis=1, keepdims=True)
    posterior = np.exp(joint - most)
    total = posterior.sum(axis=1, keepdims=True)
    return posterior / total, float((most + np.log(total)).sum())


def _prior_weight(priors: Floats, confusions: Floats, one_coin: bool) -> float:
    """Return the part that smoothing adds to the log likelihood: the sum of the logs of what it smooths."""
    if one_coin:
        right = confusions[:, 0, 0]
        return float(np.log(priors).sum() + np.log(right).sum() + np.log1p(-right).sum())
    return float(np.log(priors).sum() + np.log(confusions).sum())


def _normal(counts: NDArray[np.floating]) -> Floats:
    """Return counts as shares of their row, none of them zero."""
    some = np.maximum(counts, _MIN_PROBABILITY)
    return np.asarray(some / some.sum(axis=-1, keepdims=True))

"""Majority vote: the label that most workers gave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import Votes
from evaluation.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Majority:
    """By item: the share of each label (items x labels), the winning label, and whether it is tied."""

    shares: Floats
    labels: Ints
    tied: NDArray[np.bool_]
    accuracies: Floats  # by worker: the share of their judgments that agree with the majority


def majority(votes: Votes) -> Majority:
    """Return the most frequent label of each item.

    If labels tie, the one that is more frequent over all judgments wins; if they tie there, too, the first in
    `votes.names` wins. So the result does not depend on the order of items, workers or judgments.
    """
    counts = votes.counts()
    shares = counts / counts.sum(axis=1, keepdims=True)
    # Labels in the order in which they win ties; argmax takes the first of the greatest.
    order = np.argsort(-counts.sum(axis=0), kind="stable")
    labels = order[np.argmax(counts[:, order], axis=1)] if len(counts) else np.zeros(0, dtype=np.int64)
    tied = (counts == counts.max(axis=1, keepdims=True, initial=0)).sum(axis=1) > 1
    given = np.bincount(votes.workers, minlength=len(votes.worker_ids))
    agreed = np.bincount(votes.workers[labels[votes.items] == votes.labels], minlength=len(votes.worker_ids))
    return Majority(shares, labels.astype(np.int64), tied, agreed / given)

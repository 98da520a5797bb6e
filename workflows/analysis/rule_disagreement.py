"""Aggregate a stage's judgments and compare the labels with what the protocol's rules decided. Reads only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from evaluation.agreement import Votes
from evaluation.arrays import Floats, Ints
from workflows.analysis.domain.aggregation.dawid_skene import dawid_skene, known_labels
from workflows.analysis.domain.aggregation.majority import majority
from workflows.analysis.vote_arrays import known_answers, verdicts_of, votes_of

METHODS = ("majority", "one-coin", "dawid-skene")


@dataclass(frozen=True, slots=True)
class WorkerFigure:
    """A worker and the (expected) share of their judgments that have their item's label."""

    worker: int
    judgments: int
    accuracy: float


@dataclass(frozen=True, slots=True)
class Difference:
    """An item whose most probable label is not the label that the rules decided on."""

    item: int
    chain: int  # 0 for a link
    rules: str
    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class Aggregation:
    """The labels of a stage's items. Arrays are by item, without the verification questions."""

    method: str
    names: tuple[str, ...]
    items: Ints  # ids
    labels: Ints  # codes of names
    posterior: Floats  # items x names
    priors: dict[str, float]
    judgments: int  # with those on verification questions if these anchor the labels
    workers: list[WorkerFigure]
    iterations: int
    converged: bool
    decided: int  # items that the rules have decided
    differences: list[Difference]


def aggregate(
    *, project_id: int, stage: str, batch_id: int | None, method: str, anchor: bool = False
) -> Aggregation:
    """Aggregate a stage's judgments by one of METHODS. `anchor` adds verification questions as known items.

    By majority, a tied item is not compared with the rules, since its label says nothing.
    """
    votes = votes_of(project_id=project_id, stage=stage, batch_id=batch_id, questions=anchor)
    iterations, converged = 0, True
    if method == "majority":
        found = majority(votes)
        posterior, labels, accuracies, certain = found.shares, found.labels, found.accuracies, ~found.tied
        priors = _shares(votes)
    else:
        known = known_labels(votes, known_answers(project_id=project_id, stage=stage)) if anchor else None
        fit = dawid_skene(votes, one_coin=method == "one-coin", known=known)
        posterior, labels, accuracies, priors = fit.posterior, fit.labels, fit.accuracies, fit.priors
        iterations, converged = fit.iterations, fit.converged
        certain = np.ones(len(labels), dtype=bool)
    ids = np.asarray(votes.item_ids, dtype=np.int64)
    given = np.bincount(votes.workers, minlength=len(votes.worker_ids))
    ordinary = ids > 0
    decided, differences = 0, []
    for item, chain, rules in verdicts_of(project_id=project_id, stage=stage, batch_id=batch_id):
        if rules is None:
            continue
        decided += 1
        place = int(np.searchsorted(ids, item))  # np.unique sorted them
        if labels[place] != rules and certain[place]:
            share = float(posterior[place, labels[place]])
            name = votes.names[labels[place]]
            differences.append(Difference(item, chain, votes.names[rules], name, share))
    return Aggregation(
        method=method,
        names=votes.names,
        items=ids[ordinary],
        labels=labels[ordinary],
        posterior=posterior[ordinary],
        priors=dict(zip(votes.names, map(float, priors), strict=True)),
        judgments=len(votes),
        workers=[
            WorkerFigure(int(worker), int(count), float(share))
            for worker, count, share in zip(
                np.asarray(votes.worker_ids, dtype=np.int64), given, accuracies, strict=True
            )
        ],
        iterations=iterations,
        converged=converged,
        decided=decided,
        differences=differences,
    )


def label_lines(found: Aggregation) -> Iterator[bytes]:
    """Yield a line of JSON for each item: its id, its label, and the probability of each label.

    If the rules decided on another label, the line names it.
    """
    rules = {each.item: each.rules for each in found.differences}
    for item, label, shares in zip(found.items, found.labels, found.posterior, strict=True):
        row: dict[str, Any] = {
            "item": int(item),
            "label": found.names[label],
            "posterior": {n: round(float(p), 6) for n, p in zip(found.names, shares, strict=True)},
        }
        if int(item) in rules:
            row["rules"] = rules[int(item)]
        yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def _shares(votes: Votes) -> Floats:
    given = np.bincount(votes.labels, minlength=len(votes.names))
    return np.asarray(given / max(len(votes), 1))

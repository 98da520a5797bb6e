"""Measure agreement for a page: of each stage, and of its workers and verification questions. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from annotation.domain.answers import JointStage, Stage
from annotation.domain.geometry import Box, iou
from annotation.domain.protocols import ALL_STAGES
from evaluation.agreement import Votes
from evaluation.significance import Estimate
from workflows.analysis.counts.targets import stages_used
from workflows.analysis.domain.aggregation.one_worker import mean_of, worker_figures
from workflows.analysis.outcomes import judgments_of
from workflows.analysis.vote_arrays import Drawn, drawn_at_once, drawn_by_question, gold_boxes, votes_of
from workflows.analysis.worker_agreement import agreement_of

RESAMPLES = 500
MAX_LISTED = 200
"""The most workers, and the most questions, of a stage that are listed: the outliers first."""
MIN_ITEMS = 5
"""Somebody with fewer shared items is listed last: the figures say nothing yet [ours]."""

Row = dict[str, Any]


def agreement_report(*, project_id: int, batch_id: int | None, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the agreement of each stage as plain values. Judgments that were set aside do not count.

    A worker is an outlier if the interval of kappa ends below the stage's alpha, or that of agreement below
    the stage's agreement; a question, if that of its share of right answers ends below the stage's share.
    """
    stages = []
    used = stages_used(project_id=project_id, batch_id=batch_id)
    for number, stage in enumerate(ALL_STAGES):
        if stage not in used:
            continue
        rng = np.random.default_rng([0, number])
        found = agreement_of(
            project_id=project_id, batch_id=batch_id, stage=stage, rng=rng, resamples=resamples
        )
        votes = votes_of(project_id=project_id, stage=stage, batch_id=batch_id, questions=True)
        drawn = _drawn(project_id, stage, batch_id)
        gold = gold_boxes(project_id=project_id, stage=stage) if drawn else {}
        figures = found.to_json()
        questions = _questions(project_id, stage, batch_id, votes, drawn, gold, rng, resamples)
        of = figures["figures"]
        usual = {"kappa": of["alpha"]["value"], "agreement": of["percent"]["value"]}
        workers = _workers(votes, drawn, gold, rng, resamples)
        stages.append(
            {
                **{name: figures[name] for name in ("stage", "items", "judgments", "answered", "right")},
                "figures": of,
                "workers": _listed(workers, usual),
                "questions": _listed(questions, {"right": figures["right"]["value"]}),
            }
        )
    return {"stages": stages}


def _workers(
    votes: Votes,
    drawn: Mapping[int, Drawn],
    gold: Mapping[int, list[Box]],
    rng: np.random.Generator,
    resamples: int,
) -> list[Row]:
    overlaps: dict[int, list[float]] = defaultdict(list)
    for question, given in drawn.items():
        for worker, box in given:
            if box is not None and gold.get(question):
                overlaps[worker].append(_best(box, gold[question]))
    return [
        {
            "id": one.worker,
            "items": one.items,
            "agreement": asdict(one.agreement),
            "kappa": asdict(one.kappa),
            "alpha": asdict(one.alpha),
            "iou": asdict(_overlap(overlaps[one.worker], rng, resamples)),
        }
        for one in worker_figures(votes, rng, resamples=resamples)
    ]


def _questions(
    project_id: int,
    stage: str,
    batch_id: int | None,
    votes: Votes,
    drawn: Mapping[int, Drawn],
    gold: Mapping[int, list[Box]],
    rng: np.random.Generator,
    resamples: int,
) -> list[Row]:
    """Return the figures of each question that was answered. The intervals are over its answers."""
    rows = judgments_of(project_id=project_id, stage=stage, batch_id=batch_id, questions=True)
    right: dict[int, list[float]] = defaultdict(list)
    for question, regraded, correct in rows.values_list("question_id", "regraded", "correct"):
        right[question].append(float(bool(correct if regraded is None else regraded)))
    counts = votes.counts()
    shares = {
        -int(item): (row**2).sum() - row.sum() for item, row in zip(votes.item_ids, counts, strict=True)
    }
    found = []
    for question, given in sorted(right.items()):
        answers = len(given)
        boxes = [box for _, box in drawn.get(question, []) if box is not None]
        overlaps = [_best(box, gold[question]) for box in boxes if gold.get(question)]
        found.append(
            {
                "id": question,
                "items": answers,
                "right": asdict(mean_of(given, rng, undefined="no answers yet", resamples=resamples)),
                "agreement": float(shares[question] / (answers * (answers - 1))) if answers > 1 else None,
                "iou": asdict(_overlap(overlaps, rng, resamples)),
            }
        )
    return found


def _drawn(project_id: int, stage: str, batch_id: int | None) -> dict[int, Drawn]:
    """Return each worker's boxes on each question of the stage. A worker may have drawn several at once."""
    if stage == Stage.DRAWING:
        return drawn_by_question(project_id=project_id, batch_id=batch_id)
    if stage != JointStage.BOXES:
        return {}
    answers = drawn_at_once(project_id=project_id, batch_id=batch_id)
    return {
        question: [(worker, box) for worker, boxes in given for box in boxes]
        for question, given in answers.items()
    }


def _overlap(values: list[float], rng: np.random.Generator, resamples: int) -> Estimate:
    return mean_of(values, rng, undefined="no box to compare", resamples=resamples)


def _best(box: Box, known: list[Box]) -> float:
    """Return the IoU with the known box that it fits best."""
    return max(iou(box, one) for one in known)


def _listed(rows: list[Row], usual: Mapping[str, float | None]) -> list[Row]:
    """Return the rows with their outliers first, marked, and at most MAX_LISTED of them.

    `usual` are the values of the stage, by the figure that they are compared with.
    """
    for row in rows:
        row["outlier"] = any(
            value is not None and row[name]["high"] is not None and row[name]["high"] < value
            for name, value in usual.items()
        )
        row["few"] = row["items"] < MIN_ITEMS

    def order(row: Row) -> tuple[Any, ...]:
        values = (row[name]["value"] for name in usual)
        return row["few"], not row["outlier"], *(2.0 if value is None else value for value in values)

    return sorted(rows, key=order)[:MAX_LISTED]

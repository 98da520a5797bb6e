"""Measure how far workers agree in a stage, and how often they are right about questions. Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django.db.models import Count

from annotation.domain.answers import DRAWS_BOXES, Stage
from annotation.models import IS_RIGHT
from evaluation.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha, percent_agreement
from evaluation.arrays import Floats
from evaluation.significance import Estimate, estimate
from workflows.analysis.domain.aggregation.box_consensus import (
    against_gold,
    box_alpha,
    cluster,
    mean_iou,
    others_than_known,
)
from workflows.analysis.outcomes import judgments_of
from workflows.analysis.vote_arrays import (
    drawn_at_once,
    drawn_by_chain,
    drawn_by_item,
    drawn_by_question,
    drawn_of_one,
    gold_boxes,
    votes_of,
)


@dataclass(frozen=True, slots=True)
class StageAgreement:
    """The agreement of a stage. Verification questions count as items that many workers judge."""

    stage: str
    items: int  # items with two judgments or more
    judgments: int  # judgments on these items
    figures: Mapping[str, Estimate]
    answered: int  # answers to verification questions
    right: Estimate  # the share of right answers; the interval is over questions
    contested: tuple[int, ...]  # questions where the crowd agrees on a box that is not known

    redrawn: tuple[int, ...]  # chains for which several workers drew the same box, so that one was rejected

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "stage": str(self.stage),
            "items": self.items,
            "judgments": self.judgments,
            "figures": {name: asdict(found) for name, found in self.figures.items()},
            "answered": self.answered,
            "right": asdict(self.right),
            "contested": list(self.contested),
            "redrawn": list(self.redrawn),
        }


def agreement_of(
    *, project_id: int, stage: str, batch_id: int | None, rng: np.random.Generator, resamples: int
) -> StageAgreement:
    """Measure the agreement of a stage. Items and verification questions count alike.

    Judgments that were set aside do not count.
    """
    votes = votes_of(project_id=project_id, stage=stage, batch_id=batch_id, questions=True)
    figures = {
        "percent": percent_agreement(votes, rng, resamples=resamples),
        "cohen": cohen_kappa(votes, rng, resamples=resamples),
        "fleiss": fleiss_kappa(votes, rng, resamples=resamples),
        "alpha": krippendorff_alpha(votes, rng, resamples=resamples),
    }
    contested: tuple[int, ...] = ()
    redrawn: tuple[int, ...] = ()
    if stage in DRAWS_BOXES:
        several = drawn_of_one(project_id=project_id, stage=stage, batch_id=batch_id)
        if stage == Stage.DRAWING:
            several = [*drawn_by_item(project_id=project_id, batch_id=batch_id).values(), *several]
        boxes = [[box for _, box in drawn if box is not None] for drawn in several]
        figures["mean_iou"] = mean_iou(boxes, rng, resamples=resamples)
        answers = [[box for _, box in drawn] for drawn in several]
        figures["box_alpha"] = box_alpha(answers, rng, resamples=resamples)
        contested = _contested(project_id, stage, batch_id)
    if stage == Stage.DRAWING:
        chains = drawn_by_chain(project_id=project_id, batch_id=batch_id)
        redrawn = tuple(sorted(chain for chain, boxes in chains.items() if cluster(boxes)[0].support > 1))
    given = votes.counts().sum(axis=1)
    answered, right = _right(project_id, stage, batch_id, rng, resamples)
    return StageAgreement(
        stage=stage,
        items=int((given >= 2).sum()),
        judgments=int(given[given >= 2].sum()),
        figures=figures,
        answered=answered,
        right=right,
        contested=contested,
        redrawn=redrawn,
    )


def _contested(project_id: int, stage: str, batch_id: int | None) -> tuple[int, ...]:
    """Return the questions where the crowd agrees on a box that matches no known one."""
    gold = gold_boxes(project_id=project_id, stage=stage)
    if stage == Stage.DRAWING:
        asked = drawn_by_question(project_id=project_id, batch_id=batch_id)
    else:
        asked = {
            question: others_than_known(given, gold[question])
            for question, given in drawn_at_once(project_id=project_id, batch_id=batch_id).items()
        }
    return tuple(question for question, drawn in sorted(asked.items()) if against_gold(drawn, gold[question]))


def _right(
    project_id: int, stage: str, batch_id: int | None, rng: np.random.Generator, resamples: int
) -> tuple[int, Estimate]:
    """Return how many answers to verification questions there are, and the share that is right."""
    rows = judgments_of(project_id=project_id, stage=stage, batch_id=batch_id, questions=True)
    counts = rows.order_by().values("question_id").annotate(n=Count("pk"), r=Count("pk", filter=IS_RIGHT))
    pairs = np.array(list(counts.values_list("n", "r")), dtype=np.int64).reshape(-1, 2)
    patterns, times = np.unique(pairs, axis=0, return_counts=True)

    def statistic(weights: Floats) -> Floats:
        asked, right = (weights @ patterns).T
        return np.asarray(right / asked)

    found = estimate(statistic, times, rng, undefined="no answers yet", resamples=resamples)
    return int(pairs[:, 0].sum()), found

"""Answers of made-up judges about boxes, in a model whose rates are known."""

from __future__ import annotations

import random
from dataclasses import dataclass

from workflows.judges.domain.accuracy import Rated
from workflows.judges.domain.kinds import PEOPLE
from workflows.pipeline.domain.joint_verdicts import GOOD, PRIOR_GOOD


@dataclass(frozen=True, slots=True)
class Judge:
    """How often a judge is right. `shared`: the share of bad boxes that look good to people and to it."""

    sensitivity: float
    specificity: float
    shared: float = 0.0


def draw_rows(
    rng: random.Random,
    number: int,
    judge: Judge,
    *,
    known: bool = False,
    boxes: int = 9,
    prior: float = PRIOR_GOOD,
    kind: str = PEOPLE,
) -> list[Rated]:
    """Draw so many rows, with so many boxes an image. Known images have other ids than sealed ones."""
    rows = []
    for place in range(number):
        image = place // boxes + known * 1_000_000
        good = rng.random() < prior
        looks_good = good or rng.random() < judge.shared
        right = rng.random() < (judge.sensitivity if looks_good else judge.specificity)
        votes: list[bool] = []
        while not known and _asks(votes):
            votes.append((rng.random() < GOOD.accuracy) == looks_good)
        truth = good if known else None
        rows.append(Rated(image, kind, right == looks_good, votes.count(True), votes.count(False), truth))
    return rows


def _asks(votes: list[bool]) -> bool:
    if not votes:
        return True
    likely = GOOD.posterior(PRIOR_GOOD, votes.count(True), votes.count(False))
    return len(votes) < GOOD.most and GOOD.doubts(likely)

"""Links with a model's scores, for `research.models`: text and scores together, each join with a human yes.

The weights of the text stay as they were fitted without labels. What a score adds is fitted on pairs of known
images: text + a + b x score.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import NormalDist

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from annotation.domain.mentions import Mention, admissible
from evaluation.arrays import Floats
from research.protocols_model import Errors, Linked, LinkRow, link_image
from research.strategies import Sketch
from workflows.pipeline.domain.link_strategies import Pair, posterior
from workflows.priors.domain.prior import SUREST, Prior, TextPrior

AUC = 0.952
"""How often a pair that is the same thing has a higher score than one that is not, in all images alike."""
APART = 2**0.5 * NormalDist().inv_cdf(AUC)
"""How far apart the means of both kinds of pairs are, in standard deviations of normal scores."""


@dataclass(frozen=True)
class ScoredPrior(TextPrior):
    """A text prior to which the scores of one image are added."""

    scores: Mapping[Pair, float] = field(default_factory=dict)  # by mention ids
    added: float = 0.0
    times: float = 0.0

    def log_odds(self, a: Mention, b: Mention) -> float:
        text = super().log_odds(a, b)
        score = self.scores[min(a.id, b.id), max(a.id, b.id)]
        return max(-SUREST, min(SUREST, text + self.added + self.times * score))


def draw_scores(image: Sketch, seed: str) -> dict[Pair, float]:
    """Draw the score of each pair of mentions that may be the same thing.

    Half of the variance is the mentions' own: what a model misreads, it misreads in every pair.
    """
    rng = random.Random(f"scores/{seed}")
    own = {one.id: rng.gauss(0, 0.5) for one in image.mentions}
    found = {}
    for a, b in combinations(image.mentions, 2):
        if admissible(a, b):
            same = image.truth[a.id] == image.truth[b.id]
            noise = own[a.id] + own[b.id] + rng.gauss(0, 0.5**0.5)
            found[min(a.id, b.id), max(a.id, b.id)] = APART * same + noise
    return found


def fit_scores(known: Sequence[Sketch], text: TextPrior) -> tuple[float, float]:
    """Return a and b of text + a + b x score, by the greatest likelihood of the pairs of known images."""
    rows = []
    for place, image in enumerate(known):
        mention = {one.id: one for one in image.mentions}
        for (a, b), score in draw_scores(image, f"known/{place}").items():
            rows.append((text.log_odds(mention[a], mention[b]), score, image.truth[a] == image.truth[b]))
    table: Floats = np.array(rows, dtype=np.float64).reshape(-1, 3)

    def loss(fitted: Floats) -> float:
        total = table[:, 0] + fitted[0] + fitted[1] * table[:, 1]
        return float(np.logaddexp(0, np.where(table[:, 2] == 1, -total, total)).sum())

    def slope(fitted: Floats) -> Floats:
        wrong = expit(table[:, 0] + fitted[0] + fitted[1] * table[:, 1]) - table[:, 2]
        return np.array([wrong.sum(), (wrong * table[:, 1]).sum()])

    found = minimize(loss, np.zeros(2), jac=slope, method="BFGS").x
    return float(found[0]), float(found[1])


def link_with_scores(
    images: Sequence[Sketch], known: Sequence[Sketch], text: TextPrior, errors: Errors
) -> list[Linked]:
    """Return what the chains of each image take. Every membership rests on a human yes."""
    added, times = fit_scores(known, text)
    found = []
    for place, image in enumerate(images):
        # `posterior` remembers pairs by their words and types. So that each pair has its own score, each
        # mention gets a type of its own, too.
        mentions = [replace(one, types=(*one.types, f"#{one.id}")) for one in image.mentions]
        prior = ScoredPrior(text.weights, text.heads, draw_scores(image, str(place)), added, times)
        strategy = posterior(Prior(prior), "careful", human_yes=True)
        found.append(
            link_image(
                replace(image, mentions=mentions), LinkRow(strategy, verified=False), errors, str(place)
            )
        )
    return found

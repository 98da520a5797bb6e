"""Fit what a model's score of a pair adds to what its words say: text + a + b x score.

The weights of the text stay as they were fitted on captions alone; a and b are fitted by logistic regression
on pairs whose chains are known. Scores are *not* one more feature of the fit to captions (`fit`). Its pairs
that are not the same thing are pairs of one caption. A model that sees captions knows those, so it would be
believed far too much. To one that does not see them they are what it confuses most, so its scores would look
as if they spoke against one thing. Therefore only pairs that workers may be asked about are used, and without
known chains nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.domain.mentions import Mention
from workflows.priors.domain.assessment import known_pairs
from workflows.priors.domain.prior import PairScores, ScoresError, ScoreWeights, TextPrior, pair_key
from workflows.priors.domain.regression import regress

MIN_PAIRS = 20
"""Known pairs that are the same thing, and known pairs that are not, that are needed at least [ours]."""
RIDGE = 1.0
"""How strongly a, and b for scores of variance 1, are drawn to 0, in pairs [ours]. Otherwise a few pairs that
scores tell apart would make b infinite."""
MIN_SPREAD = 1e-6
"""Of the largest score: how far scores of known pairs are apart at least, so that b has digits."""
DIGITS = 12
"""Significant digits of a and b: what processors round differently is beyond them."""


@dataclass(frozen=True, slots=True)
class KnownImage:
    """An image whose chains are known: its mentions, the chain of each by its id, and a model's scores."""

    mentions: Sequence[Mention]
    chain_of: Mapping[int, int]
    scores: PairScores


@dataclass(frozen=True, slots=True)
class ScoresFittedOn:
    """What the weights of scores were fitted on: known pairs of different captions with a score."""

    images: int
    pairs: int
    same: int


def fit_scores(
    text: TextPrior, known: Iterable[KnownImage], *, number: int
) -> tuple[ScoreWeights, ScoresFittedOn]:
    """Fit what the scores of the set of this number add to a text prior. Raises ScoresError.

    Pairs that workers may not be asked about change nothing, whatever scores they have: those of one caption.
    """
    rows: list[tuple[float, float, float]] = []
    images = 0
    for image in known:
        before = len(rows)
        for a, b, same in known_pairs(image.mentions, image.chain_of):
            score = image.scores.get(pair_key(a.id, b.id))
            if score is not None:
                rows.append((text.log_odds(a, b), score, float(same)))
        images += len(rows) > before
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    fitted_on = ScoresFittedOn(images, len(rows), int(table[:, 2].sum()))
    if min(fitted_on.same, fitted_on.pairs - fitted_on.same) < MIN_PAIRS:
        raise ScoresError(
            f"of the pairs of mentions with a score in set {number}, {fitted_on.same:,} are known to be the "
            f"same thing, and {fitted_on.pairs - fitted_on.same:,} to be different things: at least "
            f"{MIN_PAIRS} of each are needed to learn what a score means. Import known chains (as gold), or "
            "finish a batch with the link strategy every_pair, and let the model score its images, too"
        )
    largest = np.abs(table[:, 1]).max() or 1.0  # so that no sum is infinite
    scores = table[:, 1] / largest
    if scores.max() - scores.min() < MIN_SPREAD:
        raise ScoresError(
            f"all known pairs have the same score in set {number}, or nearly so: let the model give scores "
            "that differ more"
        )
    middle, spread = float(scores.mean()), float(scores.std())
    columns = np.column_stack([np.ones(len(scores)), (scores - middle) / spread])
    ridge = np.full(2, RIDGE)
    added, times = regress(
        columns, table[:, 2], counts=np.ones(len(scores)), ridge=ridge, offset=table[:, 0]
    ).tolist()
    if times < 0:
        raise ScoresError(
            f"in set {number}, known pairs that are the same thing have lower scores than pairs with the same"
            " words that are not. A higher score must speak for one thing: if the file has distances, import "
            "their negatives"
        )
    return ScoreWeights(
        number, _rounded(added - times * middle / spread), _rounded(times / spread / largest)
    ), fitted_on


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")

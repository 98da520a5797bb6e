"""Fit a prior on captions alone: nobody has to say which mentions are the same thing.

Two mentions of one caption are never the same thing. Two mentions of different captions of one image may be.
If the things of an image are mentioned independently of each other, a pair of *different* things is found in
two different captions `captions - 1` times as often as in one caption. So among the pairs of different
captions, the pairs of one caption, each counted `captions - 1` times, stand for those that are not the same
thing. What is left over are those that are.

A first logistic regression tells pairs of different captions from the weighted pairs of one caption. If it
says that a pair is of different captions with probability q, then of `q` such pairs `1 - q` are not the same
thing, so that the pair is the same thing with probability `(q - (1 - q)) / q`. (Elkan and Noto 2008,
"Learning classifiers from only positive and unlabeled data", has the same with the roles exchanged.) Where
that is below 0, it is raised to a little; then all others are lowered until the mean is what the two numbers
of pairs say. A second logistic regression is fitted to these probabilities. It is the prior: its weights can
be read, and it says nothing for certain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np
from numpy.typing import NDArray

from annotation.domain.mentions import Mention, admissible
from workflows.priors.domain.prior import (
    HEADS,
    INTERCEPT,
    NAMES,
    TextPrior,
    TooFewPairsError,
    features_of,
    heads_key,
)
from workflows.priors.domain.regression import regress
from workflows.priors.domain.words import words_of

Image = Sequence[Mention]

RIDGE = 5.0
"""How strongly weights are drawn to 0, in pairs. The intercept is drawn a fifth as strongly."""
MIN_PROBABILITY, MAX_PROBABILITY = 0.02, 0.98
"""The probabilities that the second regression is fitted to are kept between these [ours]."""
RARE = 4.0
"""Pairs of head nouns that are found less often than this are left out."""
SMOOTHING = 3.0
STRONGEST = 2.5
"""The most that a pair of head nouns says, either way."""
MIN_PAIRS = 20


@dataclass(frozen=True, slots=True)
class FittedOn:
    """What a prior was fitted on."""

    images: int
    across: int  # pairs of mentions of different captions that share a type
    within: int  # pairs of mentions of one caption that share a type
    same: float  # the share of the pairs across that are estimated to be the same thing


@dataclass(frozen=True, slots=True)
class _Pair:
    a: Mention
    b: Mention
    weight: float  # 0 for a pair of different captions; otherwise how many pairs across it stands for
    half: int
    heads: str


def fit_text_prior(images: Sequence[Image]) -> tuple[TextPrior, FittedOn]:
    """Fit the text prior to the mentions of these images. Raises TooFewPairsError.

    The same images in the same order give the same prior.
    """
    pairs = [pair for number, image in enumerate(images) for pair in _pairs(image, number % 2)]
    within = sum(pair.weight > 0 for pair in pairs)
    if len(pairs) - within < MIN_PAIRS or within < MIN_PAIRS:
        raise TooFewPairsError(
            f"the captions have {len(pairs) - within} pairs of mentions of different captions and {within} "
            f"of one caption that share a type: a prior needs at least {MIN_PAIRS} of each"
        )
    # Each half is described by what the other half says about head nouns. Otherwise a rare pair of nouns
    # would describe itself.
    tables = [_head_table([pair for pair in pairs if pair.half != half]) for half in (0, 1)]
    described = [
        {**features_of(pair.a, pair.b), HEADS: tables[pair.half].get(pair.heads, 0.0)} for pair in pairs
    ]
    names = tuple(dict.fromkeys([*NAMES, *sorted({name for features in described for name in features})]))
    matrix = _matrix(described, names)
    within_weight = np.array([pair.weight for pair in pairs])
    across = within_weight == 0
    ridge = np.full(len(names), RIDGE)
    ridge[NAMES.index(INTERCEPT)] = RIDGE / 5
    separations = matrix[across] @ regress(
        matrix, across.astype(float), counts=np.where(across, 1.0, within_weight), ridge=ridge
    )
    same = _with_mean(np.exp(-separations), 1 - float(within_weight.sum()) / len(separations))
    weights = regress(matrix[across], same, counts=np.ones(len(same)), ridge=ridge)
    prior = TextPrior(
        {name: round(float(value), 4) for name, value in zip(names, weights, strict=True)},
        {key: round(value, 4) for key, value in sorted(_head_table(pairs).items())},
    )
    return prior, FittedOn(len(images), len(same), within, round(float(same.mean()), 4))


def _with_mean(ratio: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return `1 - factor * ratio` within the limits, with the factor that gives this mean."""
    low, high = 0.0, 1e6
    for _ in range(100):
        factor = (low + high) / 2
        too_many = np.clip(1 - factor * ratio, MIN_PROBABILITY, MAX_PROBABILITY).mean() > mean
        low, high = (factor, high) if too_many else (low, factor)
    return np.clip(1 - high * ratio, MIN_PROBABILITY, MAX_PROBABILITY)


def _pairs(image: Image, half: int) -> Iterator[_Pair]:
    captions = len({mention.caption for mention in image})
    heads = {mention.id: words_of(mention.text).head for mention in image}
    for a, b in combinations(image, 2):
        if admissible(a, b):
            yield _Pair(a, b, 0.0, half, heads_key(heads[a.id], heads[b.id]))
        elif a.caption == b.caption and captions > 1 and not set(a.types).isdisjoint(b.types):
            yield _Pair(a, b, captions - 1.0, half, heads_key(heads[a.id], heads[b.id]))


def _head_table(pairs: Sequence[_Pair]) -> dict[str, float]:
    """Return for pairs of head nouns by how much more often they are found across captions than expected."""
    across: Counter[str] = Counter()
    within: dict[str, float] = defaultdict(float)
    for pair in pairs:
        if pair.weight:
            within[pair.heads] += pair.weight
        else:
            across[pair.heads] += 1
    found = {}
    for key in across.keys() | within.keys():
        if across[key] + within.get(key, 0.0) >= RARE:
            ratio = (across[key] + SMOOTHING) / (within.get(key, 0.0) + SMOOTHING)
            found[key] = max(-STRONGEST, min(STRONGEST, log(ratio)))
    return found


def _matrix(described: Sequence[Mapping[str, float]], names: Sequence[str]) -> NDArray[np.float64]:
    place = {name: n for n, name in enumerate(names)}
    matrix = np.zeros((len(described), len(names)))
    for row, features in enumerate(described):
        for name, value in features.items():
            matrix[row, place[name]] = value
    return matrix

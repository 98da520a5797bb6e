"""What a model's scores add to the words of pairs, fitted on pairs whose chains are known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from annotation.domain.mentions import Mention, admissible
from evaluation.arrays import Floats
from tests.workflows.priors.domain.captions import worded_images
from workflows.priors.domain.assessment import auc, known_pairs
from workflows.priors.domain.prior import Prior, ScoresError, ScoreWeights, TextPrior, pair_key, probability
from workflows.priors.domain.regression import regress
from workflows.priors.domain.scores import MIN_PAIRS, RIDGE, KnownImage, fit_scores

UNKNOWN = TextPrior({}, {})
WORDED = worded_images(60, seed=3)
TEXT = TextPrior({"intercept": -1.0, "overlap": 1.5}, {})
"""Words that leave much to be told."""
Pairs = list[tuple[Mention, Mention, float, bool]]


def scored(one_caption: Callable[[random.Random], float], seed: int = 5) -> list[KnownImage]:
    """Return images whose scores tell what is the same thing: by 2 standard deviations of a normal noise.

    Pairs of one caption, which are never the same thing, have scores that `one_caption` draws.
    """
    rng, found = random.Random(seed), []
    for mentions, truth in WORDED:
        scores = {}
        for a, b in combinations(mentions, 2):
            same = truth[a.id] == truth[b.id]
            drawn = 2.0 * same + rng.gauss(0, 1)
            scores[pair_key(a.id, b.id)] = one_caption(rng) if a.caption == b.caption else drawn
        chains = {thing: number for number, thing in enumerate(sorted(set(truth.values())))}
        found.append(KnownImage(mentions, {pk: chains[thing] for pk, thing in truth.items()}, scores))
    return found


def pairs_of(images: Sequence[KnownImage]) -> Pairs:
    return [
        (a, b, image.scores[pair_key(a.id, b.id)], same)
        for image in images
        for a, b, same in known_pairs(image.mentions, image.chain_of)
    ]


def pair_images(*scores: tuple[float, bool]) -> list[KnownImage]:
    """Return one image for each pair, with this score, whose mentions are the same thing or not."""
    return [
        KnownImage(
            [Mention(1, 0, 0, 2, "a man", ("people",)), Mention(2, 1, 0, 2, "a guy", ("people",))],
            {1: 1, 2: 1 if same else 2},
            {(1, 2): score},
        )
        for score, same in scores
    ]


MANY = [(0.1 * n + same, same) for n in range(MIN_PAIRS) for same in (True, False)]


def test_both_weights_are_those_of_the_greatest_likelihood() -> None:
    images = scored(lambda rng: 0.0)
    found, fitted_on = fit_scores(TEXT, images, number=3)
    rows = np.array([(TEXT.log_odds(a, b), score, same) for a, b, score, same in pairs_of(images)])
    assert (fitted_on.images, fitted_on.pairs, fitted_on.same) == (60, len(rows), rows[:, 2].sum())
    middle, spread = rows[:, 1].mean(), rows[:, 1].std()

    def loss(fitted: Floats) -> float:
        total = rows[:, 0] + fitted[0] + fitted[1] * rows[:, 1]
        drawn = (fitted[0] + fitted[1] * middle) ** 2 + (fitted[1] * spread) ** 2
        return float((np.logaddexp(0, total) - rows[:, 2] * total).sum() + RIDGE * drawn / 2)

    best = minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9}).x
    assert [found.added, found.times] == pytest.approx(best.tolist(), abs=1e-5)
    assert found.set == 3 and found.times > 0


def test_words_keep_their_weights_and_scores_tell_more() -> None:
    images = scored(lambda rng: 0.0)
    weights, _ = fit_scores(TEXT, images, number=1)
    told: dict[bool, list[tuple[float, bool]]] = {False: [], True: []}
    for image in images:
        prior = Prior(TEXT, scores=weights, of_pairs=image.scores)
        for a, b, same in known_pairs(image.mentions, image.chain_of):
            told[False].append((TEXT.log_odds(a, b), same))
            told[True].append((prior.log_odds(a, b), same))
    by_text, by_both = auc(told[False]), auc(told[True])
    assert by_text is not None and by_both is not None and by_both > by_text + 0.02


MODELS: dict[str, Callable[[random.Random], float]] = {
    "sees captions": lambda rng: rng.gauss(-6, 1),  # so that it knows that these are two things
    "sees none": lambda rng: rng.gauss(4, 1),  # two things of one type in a photograph look alike
}


@pytest.mark.parametrize("model", MODELS)
def test_pairs_of_one_caption_change_nothing(model: str) -> None:
    """They would be the negatives of a fit to captions alone, which models make useless."""
    known = scored(MODELS[model])
    found, fitted_on = fit_scores(TEXT, known, number=1)
    others = [
        KnownImage(
            image.mentions,
            image.chain_of,
            {
                pair_key(a.id, b.id): image.scores[pair_key(a.id, b.id)]
                for a, b in combinations(image.mentions, 2)
                if admissible(a, b)
            },
        )
        for image in known
    ]
    assert (found, fitted_on) == fit_scores(TEXT, others, number=1)
    assert (
        fitted_on.pairs == sum(len(image.scores) for image in others) < sum(len(one.scores) for one in known)
    )


def fit_to_captions(images: Sequence[KnownImage]) -> ScoreWeights:
    """Fit as the words are fitted: pairs of different captions against pairs of one."""
    rows = [
        (TEXT.log_odds(a, b), image.scores[pair_key(a.id, b.id)], a.caption != b.caption)
        for image in images
        for a, b in combinations(image.mentions, 2)
        if set(a.types) & set(b.types)
    ]
    table = np.array(rows, dtype=np.float64)
    columns = np.column_stack([np.ones(len(table)), table[:, 1]])
    counts = np.where(table[:, 2] == 1, 1.0, 4.0)
    added, times = regress(columns, table[:, 2], counts=counts, ridge=np.ones(2), offset=table[:, 0])
    return ScoreWeights(1, float(added), float(times))


def test_pairs_of_one_caption_would_spoil_the_fit() -> None:
    seeing, blind = scored(MODELS["sees captions"]), scored(MODELS["sees none"])
    wrong = fit_to_captions(seeing)
    called, right = sure_pairs(seeing, wrong)
    assert called > 0.4 and right < 0.7, (
        "most pairs are called the same thing, because captions tell them apart"
    )
    called, right = sure_pairs(seeing, fit_scores(TEXT, seeing, number=1)[0])
    assert called > 0.05 and right > 0.93, "what is called at least 95% is right so often"
    assert fit_to_captions(blind).times < 0, "its scores are turned round"
    assert fit_scores(TEXT, blind, number=1)[0].times > 0


def sure_pairs(images: Sequence[KnownImage], weights: ScoreWeights) -> tuple[float, float]:
    """Return the share of pairs that are called the same thing with 95% or more, and how many of them are."""
    called = [
        (Prior(TEXT, scores=weights, of_pairs=image.scores).log_odds(a, b), same)
        for image in images
        for a, b, same in known_pairs(image.mentions, image.chain_of)
    ]
    sure = [same for log_odds, same in called if probability(log_odds) >= 0.95]
    return len(sure) / len(called), sum(sure) / len(sure)


def test_without_labels_nothing_is_fitted() -> None:
    images = [KnownImage(image.mentions, {}, image.scores) for image in scored(lambda rng: 0.0)]
    with pytest.raises(ScoresError, match=r"set 4, 0 are known .* and 0 to be different .*every_pair"):
        fit_scores(TEXT, images, number=4)
    for few in (True, False):
        left = [(score, same) for score, same in MANY if same is not few]
        with pytest.raises(ScoresError, match="at least 20 of each"):
            fit_scores(UNKNOWN, pair_images(*left, *[(1.0, few)] * (MIN_PAIRS - 1)), number=4)
        fit_scores(UNKNOWN, pair_images(*left, *[(1.0, few)] * MIN_PAIRS), number=4)


def test_scores_that_speak_against_one_thing_are_refused() -> None:
    with pytest.raises(ScoresError, match=r"in set 2, .* lower scores .* import their negatives"):
        fit_scores(UNKNOWN, pair_images(*[(-score, same) for score, same in MANY]), number=2)
    assert fit_scores(UNKNOWN, pair_images(*MANY), number=2)[0].times > 0


def test_scores_that_are_all_the_same_tell_nothing() -> None:
    for score in (0.0, 0.7, -1e300):
        with pytest.raises(ScoresError, match="the same score in set 1"):
            fit_scores(UNKNOWN, pair_images(*[(score, same) for _, same in MANY]), number=1)


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e6, 1e300])
def test_the_scale_and_zero_of_scores_do_not_matter(scale: float) -> None:
    plain = fit_scores(UNKNOWN, pair_images(*MANY), number=1)[0]
    other = fit_scores(UNKNOWN, pair_images(*[(score * scale, same) for score, same in MANY]), number=1)[0]
    moved = fit_scores(UNKNOWN, pair_images(*[(score + 1000, same) for score, same in MANY]), number=1)[0]
    a, b = pair_images((0.0, True))[0].mentions
    for score, _ in MANY:
        expected = Prior(UNKNOWN, scores=plain, of_pairs={(1, 2): score}).log_odds(a, b)
        for weights, given in ((other, score * scale), (moved, score + 1000)):
            found = Prior(UNKNOWN, scores=weights, of_pairs={(1, 2): given}).log_odds(a, b)
            assert found == pytest.approx(expected, abs=1e-5)


def test_scores_that_tell_everything_do_not_make_the_weight_infinite() -> None:
    found, _ = fit_scores(UNKNOWN, pair_images(*[(float(same), same) for _, same in MANY]), number=1)
    assert 0 < found.times < 20
    outlier = [(1e9, True), *MANY]
    assert fit_scores(UNKNOWN, pair_images(*outlier), number=1)[0].times > 0

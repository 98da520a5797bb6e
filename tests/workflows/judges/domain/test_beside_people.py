"""How models compare with people: checked against scikit-learn, and resampling by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from workflows.judges.domain.beside_people import ALIKE, Pair, correlation, kappa, share

WEIGHTS = st.sampled_from([1.0, 0.5, 0.25])
PAIRS = st.lists(
    st.builds(Pair, st.integers(1, 5), st.booleans(), st.booleans(), WEIGHTS), min_size=1, max_size=30
)


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def columns(pairs: list[Pair]) -> tuple[list[bool], list[bool], list[float]]:
    return [one.model for one in pairs], [one.person for one in pairs], [one.weight for one in pairs]


@given(PAIRS)
def test_kappa_is_that_of_scikit_learn(pairs: list[Pair]) -> None:
    model, person, weights = columns(pairs)
    found = kappa(pairs, rng(), resamples=0)
    if len({*model, *person}) == 1:
        assert (found.value, found.reason) == (None, ALIKE)
    else:
        assert found.value == pytest.approx(cohen_kappa_score(model, person, sample_weight=weights))


@given(PAIRS)
def test_the_correlation_is_that_of_scikit_learn(pairs: list[Pair]) -> None:
    model, person, weights = columns(pairs)
    found = correlation(pairs, rng(), resamples=0)
    if len(set(model)) == 1 or len(set(person)) == 1:
        assert found.value is None
    else:
        assert found.value == pytest.approx(matthews_corrcoef(model, person, sample_weight=weights))


def made(images: int = 40, seed: int = 3) -> list[Pair]:
    """Return two pairs an image, in which both sides are alike more often than by chance."""
    draw = np.random.default_rng(seed)
    pairs = []
    for image in range(images):
        for _ in range(2):
            model = bool(draw.random() < 0.3)
            pairs.append(Pair(image, model, model if draw.random() < 0.6 else bool(draw.random() < 0.3)))
    return pairs


@pytest.mark.parametrize("measure", [kappa, correlation])
def test_intervals_come_from_resampling_images(measure: object) -> None:
    assert callable(measure)
    pairs = made()
    found = measure(pairs, rng(), resamples=4000)
    of_image = [[one for one in pairs if one.image == image] for image in range(40)]
    draw, drawn = np.random.default_rng(11), []
    for _ in range(4000):
        some = [pair for image in draw.integers(0, 40, 40) for pair in of_image[image]]
        value = measure(some, rng(), resamples=0).value
        drawn.append(math.nan if value is None else value)
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.02) and found.high == pytest.approx(high, abs=0.02)
    assert found.low < found.value < found.high


@given(PAIRS, st.randoms())
def test_the_order_of_pairs_does_not_matter(pairs: list[Pair], shuffle: object) -> None:
    before = kappa(pairs, rng(), resamples=20)
    getattr(shuffle, "shuffle")(pairs)  # noqa: B009 - hypothesis' generator has no public type
    after = kappa(pairs, rng(), resamples=20)
    assert before.value == pytest.approx(after.value, nan_ok=True) if before.value else before == after


def test_errors_apart_together_and_at_random() -> None:
    together = [Pair(image, image % 4 == 0, image % 4 == 0) for image in range(40)]
    apart = [Pair(image, image % 2 == 0, image % 2 == 1) for image in range(40)]
    crossed = [Pair(image, image % 2 == 0, image % 4 < 2) for image in range(40)]
    values = [correlation(one, rng()).value for one in (together, apart, crossed)]
    assert values == pytest.approx([1, -1, 0])


def test_shares_weigh_people_by_what_they_have_of_a_thing() -> None:
    pairs = [Pair(1, True, True, 0.5), Pair(1, True, False, 0.5), Pair(2, False, False)]
    assert (share(pairs, model=True), share(pairs, model=False)) == (0.5, 0.25)
    assert share([], model=True) is None and kappa([], rng()).value is None

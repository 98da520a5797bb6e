"""Fisher vectors are gradients of the likelihood of a mixture that fits words better and better."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from baselines.fisher import FisherVectors, mean_vectors
from evaluation.arrays import Floats


def planted(number: int = 3000) -> Floats:
    """Return words of two centres: the first dimension is Gaussian within them, the second Laplacian."""
    rng = np.random.default_rng(2)
    centre = np.where(rng.random(number) < 0.5, 6.0, -6.0)
    return np.stack([centre + rng.normal(0, 1, number), centre + rng.laplace(0, 1, number)], axis=1)


def test_each_dimension_of_a_centre_takes_the_likelier_kind() -> None:
    found = FisherVectors(centres=2).fit(planted(), np.ones(3000))
    assert found.laplacian_.tolist() == [[False, True], [False, True]]
    assert np.sort(found.places_, axis=0) == pytest.approx(np.array([[-6, -6], [6, 6]]), abs=0.1)
    assert found.spreads_ == pytest.approx(np.ones((2, 2)), abs=0.1)


def test_the_likelihood_never_falls_and_is_that_of_scipy() -> None:
    vectors = planted(500)
    found = FisherVectors(centres=3, tolerance=-1.0, iterations=20).fit(vectors, np.ones(500))
    assert np.diff(found.likelihoods_).min() > -1e-9
    density = np.zeros(500)
    for weight, places, spreads, laplacian in zip(
        found.weights_, found.places_, found.spreads_, found.laplacian_, strict=True
    ):
        own = np.full(500, weight)
        for at in range(2):
            kind = stats.laplace if laplacian[at] else stats.norm
            own *= kind.pdf(vectors[:, at], places[at], spreads[at])
        density += own
    assert found.score(vectors) == pytest.approx(np.log(density))


def test_a_word_that_occurs_often_counts_as_often() -> None:
    vectors = planted(40)
    counts = np.arange(1.0, 41.0)
    once = FisherVectors(centres=2).fit(vectors, counts)
    repeated = FisherVectors(centres=2).fit(np.repeat(vectors, counts.astype(int), axis=0), np.ones(820))
    assert np.sort(once.weights_) == pytest.approx(np.sort(repeated.weights_), abs=1e-6)


def test_gradients_are_those_of_the_likelihood() -> None:
    """Each is the derivative by a centre's place or spread, over the square root of its information."""
    vectors = planted(300)
    model = FisherVectors(centres=2).fit(vectors, np.ones(300))
    word = np.array([[5.2, 7.3]])
    found = model.gradients(word).reshape(2, 2, 2)
    step = 1e-6
    for at, kind in enumerate(("places_", "spreads_")):
        for centre in range(2):
            for dimension in range(2):
                values = getattr(model, kind)
                values[centre, dimension] += step
                above = model.score(word)[0]
                values[centre, dimension] -= 2 * step
                below = model.score(word)[0]
                values[centre, dimension] += step
                laplacian = model.laplacian_[centre, dimension]
                information = model.weights_[centre] / model.spreads_[centre, dimension] ** 2
                information *= 2 if at == 1 and not laplacian else 1
                expected = (above - below) / (2 * step) / np.sqrt(information)
                assert found[at, centre, dimension] == pytest.approx(expected, abs=1e-3)


def test_a_phrase_is_the_sum_of_its_words_with_signed_roots_and_unit_length() -> None:
    vectors = planted(100)
    model = FisherVectors(centres=4).fit(vectors, np.ones(100))
    words = {"red": vectors[0], "shirt": vectors[1]}
    found = model.transform([("red", "shirt"), ("shirt", "red", "unknown"), ("unknown",)], words)
    each = model.gradients(vectors[:2]).sum(axis=0)
    expected = np.sign(each) * np.sqrt(np.abs(each))
    assert found[0] == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    assert found[1] == pytest.approx(found[0], abs=1e-6)
    assert not found[2].any()


def test_the_papers_numbers_give_18_000_features() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((60, 300))
    model = FisherVectors(iterations=2).fit(vectors, np.ones(60))
    assert model.transform([("a",)], {"a": vectors[0]}).shape == (1, 18_000)


def test_mean_vectors_have_unit_length() -> None:
    words = {"a": np.array([3.0, 0.0]), "b": np.array([3.0, 8.0])}
    found = mean_vectors([("a", "b"), ("c",)], words)
    assert found == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]), abs=1e-6)


@pytest.mark.parametrize("last_bits", [0.0, 1e-9])
def test_fewer_words_that_differ_than_centres_give_fewer_centres(last_bits: float) -> None:
    """KMeans warns of clusters that stay empty, and warnings are errors."""
    rng = np.random.default_rng(6)
    words = np.repeat(rng.standard_normal((5, 4)), 10, axis=0)
    words *= 1 + last_bits * rng.standard_normal(words.shape)
    found = FisherVectors(centres=12).fit(words, np.ones(50))
    assert len(found.weights_) == 5

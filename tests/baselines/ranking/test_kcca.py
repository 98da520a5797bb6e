"""Kernel CCA: beside the paper's eigenproblem, linear CCA, and planted pairs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import eig

from baselines.ranking.kcca import (
    DIMENSIONS,
    Factor,
    correlate,
    cosines,
    exact_factor,
    incomplete_factor,
)
from evaluation.arrays import Floats


def two_views(number: int = 60, seed: int = 1) -> tuple[Floats, Floats]:
    """Return two views, of shapes (number, 5) and (number, 4), that share three noisy dimensions."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(number, 3))
    x = np.hstack([shared + 0.5 * rng.normal(size=(number, 3)), rng.normal(size=(number, 2))])
    y = np.hstack([shared[:, ::-1] + 0.5 * rng.normal(size=(number, 3)), rng.normal(size=(number, 1))])
    return x @ rng.normal(size=(5, 5)), y @ rng.normal(size=(4, 4))


def gaussian(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.exp(-((x[:, None] - y[None]) ** 2).sum(axis=2) / 10))


def factor_of(kernel: Floats, *, center: bool = True, rank: int = 10_000) -> Factor:
    return incomplete_factor(
        np.diag(kernel), lambda at: kernel[:, at], rank=rank, tolerance=1e-14, center=center
    )


def correlations(x: Factor, y: Factor, kappa: float) -> Floats:
    return correlate(x, y, kappa, 10_000).correlations


@pytest.mark.parametrize("kappa", [0.1, 0.5, 1.0, 5.0])
def test_correlations_and_weights_solve_the_papers_eigenproblem(kappa: float) -> None:
    x, y = two_views(30)
    kx, ky = gaussian(x, x), gaussian(y, y)
    identity = np.eye(30)
    problem = np.linalg.inv(kx + kappa * identity) @ ky @ np.linalg.inv(ky + kappa * identity) @ kx
    expected = np.sqrt(np.sort(eig(problem)[0].real)[::-1])
    first, second = exact_factor(kx, center=False), exact_factor(ky, center=False)
    found = correlate(first, second, kappa, 30)
    np.testing.assert_allclose(found.correlations[:20], expected[:20], atol=1e-8)
    # The first ten alphas are eigenvectors: problem @ alpha = λ² alpha.
    alphas = first.weights @ found.first[:, :10]
    np.testing.assert_allclose(problem @ alphas, alphas * found.correlations[:10] ** 2, atol=1e-7)


def test_linear_kernels_give_linear_cca() -> None:
    x, y = two_views()
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    orthogonal = [np.linalg.qr(one)[0] for one in (x, y)]
    expected = np.linalg.svd(orthogonal[0].T @ orthogonal[1])[1]  # Björck and Golub's canonical correlations
    first, second = exact_factor(x @ x.T), exact_factor(y @ y.T)
    found = correlate(first, second, 0.0, 10)
    np.testing.assert_allclose(found.correlations, expected, atol=1e-9)
    projected = [first.rows @ found.first, second.rows @ found.second]
    for dimension in range(4):
        correlation = np.corrcoef(projected[0][:, dimension], projected[1][:, dimension])[0, 1]
        assert correlation == pytest.approx(expected[dimension])


@pytest.mark.parametrize("kappa", [0.1, 5.0])
@pytest.mark.parametrize("center", [True, False])
def test_a_full_incomplete_factor_is_as_good_as_an_exact_one(kappa: float, center: bool) -> None:
    x, y = two_views(40)
    kx, ky = gaussian(x, x), gaussian(y, y)
    exact = [exact_factor(one, center=center) for one in (kx, ky)]
    whole = [factor_of(one, center=center) for one in (kx, ky)]
    np.testing.assert_allclose(
        correlations(whole[0], whole[1], kappa)[:30], correlations(exact[0], exact[1], kappa)[:30], atol=1e-7
    )


def test_an_incomplete_factor_takes_what_is_described_worst_until_little_is_left() -> None:
    x, _ = two_views(50)
    kernel = x @ x.T  # of rank 5
    factor = incomplete_factor(np.diag(kernel), lambda at: kernel[:, at], rank=30, center=False)
    assert factor.rows.shape == (50, 5)
    assert factor.pivots[0] == np.diag(kernel).argmax()
    np.testing.assert_allclose(factor.rows @ factor.rows.T, kernel, atol=1e-8)


def test_the_rank_limits_how_many_columns_are_computed() -> None:
    x, _ = two_views(50)
    kernel = gaussian(x, x)
    asked: list[int] = []

    def column(at: int) -> Floats:
        asked.append(at)
        return kernel[:, at]

    factor = incomplete_factor(np.diag(kernel), column, rank=7)
    assert asked == factor.pivots.tolist()
    assert len(asked) == 7
    plain = incomplete_factor(np.diag(kernel), column, rank=7, center=False)
    assert np.linalg.eigvalsh(kernel - plain.rows @ plain.rows.T).min() > -1e-9


@pytest.mark.parametrize("center", [True, False])
def test_training_items_are_placed_where_they_are(center: bool) -> None:
    x, _ = two_views(30)
    kernel = gaussian(x, x)
    for factor in (exact_factor(kernel, center=center), factor_of(kernel, center=center)):
        np.testing.assert_allclose(factor.place(kernel[:, factor.pivots]), factor.rows, atol=1e-4)


def test_planted_pairs_are_found() -> None:
    x, y = two_views(300, seed=3)
    kx, ky = gaussian(x[:200], x[:200]), gaussian(y[:200], y[:200])
    first, second = exact_factor(kx), exact_factor(ky)
    found = correlate(first, second, 1.0, 3)
    scores = cosines(
        first.place(gaussian(x[200:], x[:200])) @ found.first,
        second.place(gaussian(y[200:], y[:200])) @ found.second,
    )
    ranks = (scores > np.diag(scores)[:, None]).sum(axis=1)
    assert np.median(ranks) < 15  # of 100; by chance it is 50


def test_a_smaller_kappa_never_lowers_a_correlation() -> None:
    x, y = two_views(40)
    first, second = exact_factor(gaussian(x, x)), exact_factor(gaussian(y, y))
    found = [correlations(first, second, kappa) for kappa in (0.1, 0.5, 1, 5)]
    for less, more in pairwise(found):
        assert (less >= more - 1e-12).all()


def test_a_negative_kappa_is_refused() -> None:
    factor = exact_factor(np.eye(3))
    with pytest.raises(ValueError, match="-1"):
        correlate(factor, factor, -1, 2)


def test_the_dimensions_to_try_are_46_from_10_to_6000() -> None:
    assert (len(DIMENSIONS), DIMENSIONS[0], DIMENSIONS[-1]) == (46, 10, 6000)


def test_the_cosine_of_nothing_is_zero() -> None:
    assert cosines(np.array([[0.0, 0], [2, 0]]), np.array([[1.0, 0], [0, 3]])).tolist() == [[0, 0], [1, 0]]

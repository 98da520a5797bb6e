"""CCA finds what scikit-learn's finds, and correlations that were planted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cross_decomposition import CCA as Oracle

from baselines.cca import CCA, Pairs, row_basis
from evaluation.arrays import Floats
from evaluation.errors import InputError

PLANTED = np.array([0.9, 0.6, 0.3])


def planted(number: int, seed: int = 1) -> tuple[Floats, Floats]:
    """Return two views, mixed at random, between whose directions these correlations are planted."""
    rng = np.random.default_rng(seed)
    shared, own_x, own_y = (rng.standard_normal((number, 3)) for _ in range(3))
    x = np.concatenate([np.sqrt(PLANTED) * shared + np.sqrt(1 - PLANTED) * own_x, rng.random((number, 2))], 1)
    y = np.concatenate([np.sqrt(PLANTED) * shared + np.sqrt(1 - PLANTED) * own_y, rng.random((number, 1))], 1)
    return x @ rng.standard_normal((5, 5)) + 7, y @ rng.standard_normal((4, 4)) - 3


def correlation(a: Floats, b: Floats) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def test_planted_correlations_are_recovered() -> None:
    x, y = planted(20_000)
    found = CCA(regularization=0.0).fit(x, y)
    assert np.abs(found.correlations_[:3] - PLANTED).max() < 0.02
    assert found.correlations_[3] < 0.05


def test_it_finds_what_scikit_learn_finds() -> None:
    x, y = planted(400)
    found = CCA(components=3, regularization=0.0).fit(x, y)
    left, right = Oracle(n_components=3, max_iter=5000, tol=1e-12).fit_transform(x, y)
    oracle = [correlation(left[:, at], right[:, at]) for at in range(3)]
    assert found.correlations_ == pytest.approx(oracle, abs=1e-6)
    mine = (x - found.means_[0]) @ found.projections_[0]
    assert [abs(correlation(mine[:, at], left[:, at])) for at in range(3)] == pytest.approx(
        [1.0] * 3, abs=1e-4
    )


def test_what_is_projected_is_uncorrelated_with_unit_variance() -> None:
    x, y = planted(500)
    found = CCA(regularization=0.0).fit(x, y)
    mine, other = (
        (view - mean) @ weights
        for view, mean, weights in zip((x, y), found.means_, found.projections_, strict=True)
    )
    assert mine.T @ mine / 500 == pytest.approx(np.eye(4), abs=1e-8)
    assert mine.T @ other / 500 == pytest.approx(np.diag(found.correlations_), abs=1e-8)


def test_columns_are_scaled_by_the_correlations_and_rows_have_unit_length() -> None:
    x, y = planted(300)
    found = CCA().fit(x, y)
    scaled = ((x - found.means_[0]) @ found.projections_[0]) * found.correlations_
    assert found.project(x, 0) == pytest.approx(
        scaled / np.linalg.norm(scaled, axis=1, keepdims=True), abs=1e-5
    )
    score = found.score(x[:5], y[:7])
    assert score.shape == (5, 7) and np.abs(score).max() <= 1 + 1e-6
    assert found.project(found.means_[0][None], 0).tolist() == [[0.0] * 4]


@given(regularization=st.sampled_from([1e-3, 0.1, 10.0]), seed=st.integers(0, 50))
def test_regularization_lowers_correlations_and_allows_dependent_columns(
    regularization: float, seed: int
) -> None:
    x, y = planted(60, seed)
    doubled = np.concatenate([x, x], axis=1)
    with pytest.raises(ValueError, match="give a larger regularization"):
        CCA(regularization=0.0).fit(np.concatenate([x, np.zeros((60, 1))], axis=1), y)
    found = CCA(regularization=regularization).fit(doubled, y).correlations_
    more = CCA(regularization=2 * regularization).fit(doubled, y).correlations_
    assert (more <= found + 1e-9).all() and (found <= 1).all()


def test_blocks_and_owners_give_what_all_pairs_give() -> None:
    """A row of the first view with several of the second counts once for each of them."""
    rng = np.random.default_rng(3)
    x, y = rng.random((6, 3)), rng.random((40, 4))
    owner = rng.integers(0, 6, 40)
    whole = CCA().fit(x[owner], y)
    parts = [Pairs(x, y[begin : begin + 13], owner[begin : begin + 13]) for begin in range(0, 40, 13)]
    found = CCA().fit_blocks(parts)
    assert found.correlations_ == pytest.approx(whole.correlations_)
    assert found.score(x, y) == pytest.approx(whole.score(x, y), abs=1e-5)


def test_with_fewer_rows_than_columns_a_basis_of_the_rows_gives_the_same() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.random((12, 40)), rng.random((30, 5))
    pairs = [Pairs(x, y, rng.integers(0, 12, 30))]
    whole, found = CCA().fit_blocks(pairs), CCA().fit_blocks(pairs, row_basis(x))
    assert found.correlations_ == pytest.approx(whole.correlations_)
    assert found.means_[0] == pytest.approx(whole.means_[0])
    unseen = rng.random((4, 40))
    assert found.score(unseen, y) == pytest.approx(whole.score(unseen, y), abs=1e-5)


def test_a_model_is_the_same_after_it_was_written_and_read(tmp_path: Path) -> None:
    x, y = planted(50)
    model = CCA(components=2, regularization=0.5, power=2.0).fit(x, y)
    model.save(tmp_path / "cca.npz")
    again = CCA.load(tmp_path / "cca.npz")
    assert (again.components, again.regularization, again.power) == (2, 0.5, 2.0)
    assert again.score(x, y) == pytest.approx(model.score(x, y), abs=1e-5)


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "cca.npz").write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(InputError, match=r"cca\.npz: is no \.npz file, or damaged"):
        CCA.load(tmp_path / "cca.npz")


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (np.zeros((3, 2)), np.zeros((2, 2)), "the views have 3 and 2 rows"),
        (np.zeros((1, 2)), np.zeros((1, 2)), "1 pair is not enough"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(x: Floats, y: Floats, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CCA().fit(x, y)

"""CCA finds what scikit-learn's finds, and correlations that were planted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag, eigh
from sklearn.cross_decomposition import CCA as Oracle

from baselines.cca import CCA, SCALINGS, Eigenvalue, Pairs, row_basis, scaled_cosines
from baselines.model_file import save_model
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


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 4.0])
@pytest.mark.parametrize(("eigenvalue", "plus"), [("rho", 0), ("1+rho", 1)])
def test_columns_are_scaled_by_a_power_of_the_eigenvalue_and_rows_have_unit_length(
    eigenvalue: Eigenvalue, plus: int, power: float
) -> None:
    x, y = planted(300)
    found = CCA(eigenvalue=eigenvalue, power=power).fit(x, y)
    scaled = ((x - found.means_[0]) @ found.projections_[0]) * (plus + found.correlations_) ** power
    assert found.project(x, 0) == pytest.approx(
        scaled / np.linalg.norm(scaled, axis=1, keepdims=True), abs=1e-5
    )
    score = found.score(x[:5], y[:7])
    assert score.shape == (5, 7) and np.abs(score).max() <= 1 + 1e-6
    assert found.project(found.means_[0][None], 0).tolist() == [[0.0] * 4]


def test_the_eigenvalues_of_the_three_problems_are_those_that_the_docstring_says() -> None:
    """With regularization on both sides, as in the program of Gong et al.: 1 + ρ; ρ; and ρ²."""
    x, y = planted(200)
    share = 0.3
    rho = CCA(regularization=share).fit(x, y).correlations_
    xx, yy = np.cov(x.T, bias=True), np.cov(y.T, bias=True)
    xx += share * np.trace(xx) / 5 * np.eye(5)
    yy += share * np.trace(yy) / 4 * np.eye(4)
    xy = (x - x.mean(axis=0)).T @ (y - y.mean(axis=0)) / 200
    own = block_diag(xx, yy)
    between = np.block([[np.zeros((5, 5)), xy], [xy.T, np.zeros((4, 4))]])
    assert eigh(own + between, own, eigvals_only=True)[::-1][:4] == pytest.approx(1 + rho)
    assert eigh(between, own, eigvals_only=True)[::-1][:4] == pytest.approx(rho)
    squares = eigh(xy @ np.linalg.solve(yy, xy.T), xx, eigvals_only=True)[::-1][:4]
    assert squares == pytest.approx(rho**2)


def test_scaling_anew_is_as_if_it_had_been_learnt_so() -> None:
    x, y = planted(100)
    for scaling in SCALINGS:
        learnt = CCA(eigenvalue=scaling.eigenvalue, power=scaling.power).fit(x, y)
        again = CCA().fit(x, y).rescale(scaling)
        assert again.score(x, y) == pytest.approx(learnt.score(x, y), abs=1e-6)
        coordinates = again.coordinates(x, 0), again.coordinates(y, 1)
        found = scaled_cosines(*coordinates, scaling.factors(again.correlations_))
        assert found == pytest.approx(learnt.score(x, y), abs=1e-5)
    zeros = np.zeros((2, 4), np.float32)
    assert (scaled_cosines(zeros, zeros + 1, np.ones(4)) == 0).all()


def test_a_high_power_of_small_correlations_still_has_a_direction() -> None:
    rng = np.random.default_rng(6)
    x, y = rng.standard_normal((4000, 5)), rng.standard_normal((4000, 4))
    found = CCA(eigenvalue="rho", power=20.0).fit(x, y)
    assert found.correlations_.max() < 0.2
    assert np.linalg.norm(found.project(x, 0), axis=1) == pytest.approx(np.ones(4000), abs=1e-5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"eigenvalue": "sigma"}, "eigenvalue: sigma is none of rho, 1"),
        ({"power": -1.0}, "power: -1 is not from 0 to 20"),
        ({"power": 21.0}, "power: 21 is not from 0 to 20"),
        ({"power": float("nan")}, "power: nan is not from 0 to 20"),
    ],
)
def test_a_scaling_that_cannot_be_meant_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CCA(**parameters)


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
    model = CCA(components=2, regularization=0.5, eigenvalue="rho", power=2.0).fit(x, y)
    model.save(tmp_path / "cca.npz")
    again = CCA.load(tmp_path / "cca.npz")
    assert (again.components, again.regularization, again.power) == (2, 0.5, 2.0)
    assert again.score(x, y) == pytest.approx(model.score(x, y), abs=1e-5)


@dataclass
class _Older:
    """The parameters of a file of before scalings were chosen."""

    components: int = 4096
    regularization: float = 0.01
    power: float = 1.0


def test_an_older_file_keeps_its_power_of_the_correlation(tmp_path: Path) -> None:
    x, y = planted(50)
    model = CCA(eigenvalue="rho", power=1.0).fit(x, y)
    _Older.__name__ = "CCA"
    save_model(tmp_path / "older.npz", _Older(), model.arrays())
    again = CCA.load(tmp_path / "older.npz")
    assert (again.eigenvalue, again.power) == ("rho", 1.0)
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

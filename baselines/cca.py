"""Regularized canonical correlation analysis of two views, and distances between them.

The sources are Flickr30k Entities (Plummer et al. 2017, IJCV), section 4.1.1, and the normalized formulation
of Gong et al. 2014 (*A multi-view embedding space*, IJCV) that it names: columns of the projections are
scaled by powers of eigenvalues (`Scaling`), what is projected gets unit length, and the distance is one minus
the cosine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, eigh, solve_triangular, svd

from baselines.model_file import load_model, save_model
from evaluation.arrays import Floats, Ints

Single = NDArray[np.float32]
Eigenvalue = Literal["rho", "1+rho"]
EIGENVALUES: tuple[Eigenvalue, ...] = ("rho", "1+rho")


@dataclass(frozen=True, slots=True)
class Scaling:
    """By what columns of the projections are multiplied: the power of an eigenvalue.

    CCA can be written as several eigenvalue problems. For a pair of directions with the correlation ρ, their
    eigenvalues differ:

    | problem | eigenvalue |
    | --- | --- |
    | ((0, C_xy), (C_yx, 0)) w = λ ((C_xx, 0), (0, C_yy)) w | ρ |
    | C_xy C_yy⁻¹ C_yx w = λ C_xx w | ρ²: so ρ² to the power of p is ρ to the power of 2p |
    | ((C_xx, C_xy), (C_yx, C_yy)) w = λ ((C_xx, 0), (0, C_yy)) w | 1 + ρ |

    The last problem is that of Gong et al. 2014. Their program (`MultiviewCCA.m`) adds the regularization to
    C_xx and C_yy on both sides, as here, and says "set power to be 2, 3, or 4". Flickr30k Entities names them
    and says "by the eigenvalues", but neither of which problem nor to which power.
    """

    eigenvalue: Eigenvalue
    power: float

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        if self.eigenvalue not in EIGENVALUES:
            raise ValueError(f"eigenvalue: {self.eigenvalue} is none of {', '.join(EIGENVALUES)}")
        if not 0 <= self.power <= MAX_POWER:
            raise ValueError(f"power: {self.power:g} is not from 0 to {MAX_POWER}")

    def factors(self, correlations: Floats) -> Floats:
        """Return the factor of each column, of shape (components,), the largest of them 1.

        Only their ratios matter, since rows get unit length afterwards.

        >>> Scaling("rho", 2).factors(np.array([0.8, 0.4])).tolist()
        [1.0, 0.25]
        >>> Scaling("1+rho", 1).factors(np.array([1.0, 0.5])).tolist()
        [1.0, 0.75]
        """
        values = correlations if self.eigenvalue == "rho" else 1 + correlations
        largest = float(values.max(initial=0.0))
        return np.asarray((values / largest if largest else values) ** self.power)

    def __str__(self) -> str:
        name = "ρ" if self.eigenvalue == "rho" else "(1 + ρ)"
        return f"{name}^{self.power:g}"


EIGENVALUE: Eigenvalue = "1+rho"
POWER = 4.0
"""The scaling where nothing else is said: the source's eigenvalue, and the largest of the powers that its
program names [ours]."""
MAX_POWER = 20
SCALINGS = (
    *(Scaling("rho", power) for power in (1.0, 2.0, 3.0, 4.0, 6.0, 8.0)),
    *(Scaling("1+rho", power) for power in (1.0, 2.0, 3.0, 4.0)),
)
"""What is tried on validation images: eigenvalues of all three problems, to powers from 1 to 4 [ours]."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Rows of the first view, and those of the second that belong to them.

    `owner` has, for each row of `y`, the place in `x` of what it belongs to. So what occurs with many others,
    such as a common phrase with many regions, is in memory once.
    """

    x: NDArray[Any]
    y: NDArray[Any]
    owner: Ints


@dataclass(kw_only=True)
class CCA:
    """Finds projections of two views between which the correlation is largest.

    `components` is the largest number of output dimensions; there are never more than the smaller view has.
    `regularization` is added to the variance of each column, as a share of the mean variance of its view
    [ours]: the paper does not say how much. `eigenvalue` and `power` are those of the `Scaling`.
    """

    components: int = 4096
    regularization: float = 0.01
    eigenvalue: Eigenvalue = EIGENVALUE
    power: float = POWER
    correlations_: Floats = field(init=False, repr=False)
    """ρ of each output dimension, falling. With regularization, it is below the correlation of the rows."""
    means_: tuple[Floats, Floats] = field(init=False, repr=False)
    projections_: tuple[Floats, Floats] = field(init=False, repr=False)
    """Of shape (columns, components) for each view, not scaled: what they give has unit variance."""

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        if self.components < 1:
            raise ValueError(f"components: {self.components} is not 1 or more")
        if self.regularization < 0:
            raise ValueError(f"regularization: {self.regularization} is below 0")
        Scaling(self.eigenvalue, self.power)  # it checks its own

    def fit(self, x: NDArray[Any], y: NDArray[Any]) -> Self:
        """Learn from rows of two views that belong together: of shapes (n, a) and (n, b).

        Raise ValueError if the numbers of rows differ, if there are fewer than two, or if a view has columns
        that depend on each other and there is no regularization.
        """
        if len(x) != len(y):
            raise ValueError(f"the views have {len(x)} and {len(y)} rows")
        return self.fit_blocks([Pairs(x, y, np.arange(len(x)))])

    def fit_blocks(self, blocks: Iterable[Pairs], basis: Floats | None = None) -> Self:
        """Learn as `fit` does, from one block of pairs after the other. Memory does not grow with them.

        `basis` spans the rows of `x` (`row_basis`). If these are fewer than its columns, the result is the
        same in much less time, because the projections lie within what they span.
        """
        moments = _Moments()
        columns = 0
        for block in blocks:
            columns = block.x.shape[1]
            moments.add(block if basis is None else Pairs(block.x @ basis, block.y, block.owner))
        if moments.count < 2:
            raise ValueError(f"{moments.count} pair is not enough; two are the least")
        mean_x, mean_y, xx, yy, xy = moments.finished()
        lower_x = _whitening(xx, self.regularization, columns)
        lower_y = _whitening(yy, self.regularization, len(yy))
        half = solve_triangular(lower_x, xy, lower=True, overwrite_b=True)
        whitened = solve_triangular(lower_y, half.T, lower=True).T
        left, found, right = svd(whitened, full_matrices=False, overwrite_a=True)
        kept = slice(0, self.components)
        self.correlations_ = np.clip(found[kept], 0.0, 1.0)
        of_x = solve_triangular(lower_x, left[:, kept], lower=True, trans="T")
        of_y = solve_triangular(lower_y, right[kept].T, lower=True, trans="T")
        if basis is not None:
            mean_x, of_x = basis @ mean_x, basis @ of_x
        self.means_, self.projections_ = (mean_x, mean_y), (of_x, of_y)
        return self._prepare()

    def project(self, rows: NDArray[Any], view: int) -> Single:
        """Return rows of a view (0 or 1) in the common space, of shape (n, components), with unit length.

        A row at the mean of its view has no direction, and is zeros.
        """
        found = self.coordinates(rows, view) * self._factors
        length = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(np.divide(found, length, out=np.zeros_like(found), where=length > 0))

    def coordinates(self, rows: NDArray[Any], view: int) -> Single:
        """Return rows of a view in the common space before they are scaled, of shape (n, components)."""
        return np.asarray((rows - self.means_[view]).astype(np.float32) @ self._weights[view])

    def rescale(self, scaling: Scaling) -> Self:
        """Scale the projections anew. What was learnt stays."""
        self.eigenvalue, self.power = scaling.eigenvalue, scaling.power
        self._factors = scaling.factors(self.correlations_).astype(np.float32)
        return self

    def score(self, x: NDArray[Any], y: NDArray[Any]) -> Floats:
        """Return the cosine of each row of `x` with each of `y` in the common space, of shape (n, m)."""
        return np.asarray(self.project(x, 0) @ self.project(y, 1).T, dtype=np.float64)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learnt, for a file. Projections are stored as 32-bit numbers."""
        of_x, of_y = (one.astype(np.float32) for one in self.projections_)
        values: list[NDArray[Any]] = [self.correlations_, *self.means_, of_x, of_y]
        return dict(zip(ARRAYS, values, strict=True))

    def set_arrays(self, arrays: dict[str, NDArray[Any]]) -> Self:
        """Take what `arrays` returned. Raise ValueError if the shapes do not belong together."""
        found, *rest = (arrays[name].astype(np.float64) for name in ARRAYS)
        means, projections = rest[:2], rest[2:]
        for mean, projection in zip(means, projections, strict=True):
            if projection.shape != (*mean.shape, *found.shape):
                raise ValueError(f"projection of shape {projection.shape} for {mean.shape} and {found.shape}")
        self.correlations_ = found
        self.means_ = (means[0], means[1])
        self.projections_ = (projections[0], projections[1])
        return self._prepare()

    def _prepare(self) -> Self:
        of_x, of_y = (one.astype(np.float32) for one in self.projections_)
        self._weights = (of_x, of_y)
        return self.rescale(Scaling(self.eigenvalue, self.power))

    def save(self, path: Path) -> None:
        """Write the model. Raise InputError if the file cannot be written."""
        save_model(path, self, self.arrays())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model. Raise InputError if the file is none."""
        model, arrays = load_model(path, cls, dict.fromkeys(ARRAYS, "f"), of_older)
        return model.set_arrays(arrays)


def candidates(eigenvalue: Eigenvalue | None, power: float | None) -> tuple[Scaling, ...]:
    """Return the scalings to choose from. What is given is kept; None leaves the choice.

    >>> [str(one) for one in candidates("rho", 5)]
    ['ρ^5']
    >>> len(candidates(None, 2.5)), len(candidates("1+rho", None)), len(candidates(None, None))
    (2, 4, 10)
    """
    kept = EIGENVALUES if eigenvalue is None else (eigenvalue,)
    if power is not None:
        return tuple(Scaling(one, power) for one in kept)
    return tuple(one for one in SCALINGS if one.eigenvalue in kept)


def scaled_cosines(x: Single, y: Single, factors: Floats) -> Floats:
    """Return the cosine of each row of `x` with each of `y` after columns are multiplied: of shape (n, m).

    Rows are `CCA.coordinates`. With the model's own factors, this is `CCA.score`. It is 0 for rows of zeros.
    """
    squares = np.square(factors).astype(np.float32)
    lengths = np.sqrt(np.outer(np.square(x) @ squares, np.square(y) @ squares).astype(np.float64))
    products = np.asarray((x * squares) @ y.T, dtype=np.float64)
    return np.asarray(np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0))


ARRAYS = ("correlations", "mean_x", "mean_y", "projection_x", "projection_y")
"""The names of what is learnt, in a file."""


def of_older(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model file as of today. Older ones only have the power of ρ."""
    return {"eigenvalue": "rho", **parameters}


class _Moments:
    """Sums of products over pairs, from which means and covariances follow."""

    def __init__(self) -> None:
        self.count = 0
        self._sums: list[Any] = []
        self._shift: tuple[Floats, Floats] | None = None

    def add(self, block: Pairs) -> None:
        x, y = np.asarray(block.x, dtype=np.float64), np.asarray(block.y, dtype=np.float64)
        if self._shift is None and len(y):  # near the mean, so that sums of products keep their digits
            self._shift = (x[block.owner].mean(axis=0), y.mean(axis=0))
        if self._shift is None:
            return
        x, y = x - self._shift[0], y - self._shift[1]
        number = np.bincount(block.owner, minlength=len(x)).astype(np.float64)
        of_x = np.zeros((len(x), y.shape[1]))
        np.add.at(of_x, block.owner, y)
        weighted = x * number[:, None]
        own = [weighted.sum(axis=0), y.sum(axis=0), weighted.T @ x, y.T @ y, x.T @ of_x]
        if self._sums:
            for total, more in zip(self._sums, own, strict=True):
                total += more
        else:
            self._sums = own
        self.count += len(y)

    def finished(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Return the means, and the covariances of x with x, y with y and x with y."""
        assert self._shift is not None
        sum_x, sum_y, xx, yy, xy = self._sums
        mean_x, mean_y = sum_x / self.count, sum_y / self.count
        for products, a, b in ((xx, mean_x, mean_x), (yy, mean_y, mean_y), (xy, mean_x, mean_y)):
            products /= self.count
            products -= np.outer(a, b)
        return mean_x + self._shift[0], mean_y + self._shift[1], xx, yy, xy


def row_basis(rows: NDArray[Any]) -> Floats:
    """Return orthonormal columns that span these rows, of shape (columns, rank).

    >>> np.abs(row_basis(np.array([[3.0, 0.0, 0.0], [6.0, 0.0, 0.0]]))).round(6).tolist()
    [[1.0], [0.0], [0.0]]
    """
    products = np.asarray(rows @ rows.T, dtype=np.float64)
    values, vectors = eigh(products)
    kept = values > values.max(initial=0.0) * 1e-7  # 32-bit rows know no more
    return np.asarray(rows.T @ vectors[:, kept] / np.sqrt(values[kept]), dtype=np.float64)


def _whitening(covariance: Floats, regularization: float, columns: int) -> Floats:
    """Return the lower triangle L of which L Lᵀ is the regularized covariance.

    `columns` is how many columns the view has, also if it is given in fewer coordinates.
    """
    places = np.diag_indices_from(covariance)
    covariance[places] += regularization * covariance[places].sum() / columns
    try:
        return np.asarray(cholesky(covariance, lower=True, overwrite_a=True))
    except np.linalg.LinAlgError as error:
        raise ValueError(
            "columns of a view depend on each other or do not vary; give a larger regularization"
        ) from error

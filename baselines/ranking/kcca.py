"""Kernel canonical correlation analysis, exact or with incomplete Cholesky factors (R, 3.2.1).

The paper solves (K_X + κI)⁻¹ K_Y (K_Y + κI)⁻¹ K_X α = λ² α. With K = G Gᵀ, that is regularized linear CCA of
the rows of G_X and G_Y: w = G_Xᵀ α and v = G_Yᵀ β maximize wᵀ G_Xᵀ G_Y v, where wᵀ (G_Xᵀ G_X + κI) w = 1, and
the same for v. So only the factors differ. Exact ones have as many columns as there are training items. An
incomplete Cholesky factor has a column for each of some items, and only these columns of the kernel are
computed: the partial Gram-Schmidt orthogonalization of the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, solve_triangular, svd

from evaluation.arrays import Floats, Ints

KAPPAS = (0.1, 0.5, 1.0, 5.0)
"""The values of κ in the paper."""
DIMENSIONS = tuple(sorted({round(float(n)) for n in np.geomspace(10, 6000, 46)}))
"""46 numbers of dimensions between 10 and 6,000. The paper does not say which it tried [ours]."""
_SMALL = 1e-10
"""Eigenvalues below this share of the largest are rounding."""


@dataclass(frozen=True, slots=True)
class Factor:
    """K ≈ G Gᵀ of n training items along m principal axes, and how to find the row of G of another item.

    G is `left` times `values`. The columns of `left` are orthogonal and have length 1.
    """

    left: Floats
    """Of shape (n, m)."""
    values: Floats
    """Of shape (m,)."""
    pivots: Ints
    """The training items whose kernel with an item gives its row, of shape (p,)."""
    weights: Floats
    """A row is the item's kernel with the pivots times this, of shape (p, m), less `mean`."""
    mean: Floats
    """Of shape (m,)."""

    @property
    def rows(self) -> Floats:
        """Return G, of shape (n, m)."""
        return np.asarray(self.left * self.values, dtype=np.float64)

    def place(self, kernel: Floats) -> Floats:
        """Return the rows of items with this kernel with the pivots: (items, p) to (items, m)."""
        return np.asarray(kernel @ self.weights - self.mean, dtype=np.float64)


def exact_factor(kernel: Floats, *, center: bool = True) -> Factor:
    """Return the factor of a whole kernel matrix, from its eigenvectors, without negative eigenvalues."""
    means = kernel.mean(axis=0) if center else np.zeros(len(kernel))
    centred = kernel - means - means[:, None] + means.mean()
    left, values = _axes(centred)
    weights = left / values
    return Factor(left, values, np.arange(len(kernel)), weights, means @ weights)


def incomplete_factor(
    diagonal: Floats,
    column: Callable[[int], Floats],
    *,
    rank: int,
    tolerance: float = 1e-6,
    center: bool = True,
) -> Factor:
    """Return an incomplete Cholesky factor with at most `rank` columns.

    `column(i)` returns column i of the kernel. The next column is that of the item that is described worst so
    far. No more are taken when what is left is at most `tolerance` of the kernel's trace.
    """
    number = len(diagonal)
    rows = np.zeros((number, min(rank, number)), order="F")
    left = diagonal.astype(np.float64).copy()
    pivots: list[int] = []
    while len(pivots) < rows.shape[1] and left.sum() > tolerance * diagonal.sum():
        pivot, done = int(left.argmax()), len(pivots)
        new = column(pivot) - rows[:, :done] @ rows[pivot, :done]
        new /= np.sqrt(left[pivot])
        new[pivots] = 0
        new[pivot] = np.sqrt(left[pivot])
        rows[:, done] = new
        left = np.maximum(left - new**2, 0)
        left[[*pivots, pivot]] = 0
        pivots.append(pivot)
    kept = rows[:, : len(pivots)]
    chosen = np.array(pivots, dtype=np.int64)
    mean = kept.mean(axis=0) if center else np.zeros(len(pivots))
    turned, values = _axes((kept - mean).T @ (kept - mean))
    weights = solve_triangular(kept[chosen], turned, lower=True, trans="T")
    return Factor((kept - mean) @ turned / values, values, chosen, weights, mean @ turned)


def _axes(products: Floats) -> tuple[Floats, Floats]:
    """Return the axes of a matrix of products, the longest first, and their lengths, without rounding."""
    squares, axes = eigh(products, overwrite_a=True, check_finite=False)
    kept = squares > _SMALL * max(float(squares[-1]), 0.0)
    return axes[:, kept][:, ::-1], np.sqrt(squares[kept])[::-1]


@dataclass(frozen=True, slots=True)
class Correlated:
    """Weights of the shared space, the most correlated dimensions first, and their correlations."""

    first: Floats
    """Of shape (columns of the first factor, dimensions)."""
    second: Floats
    correlations: Floats


def correlate(first: Factor, second: Factor, kappa: float, dimensions: int) -> Correlated:
    """Return at most `dimensions` dimensions of regularized CCA. Raise ValueError if κ is negative."""
    if kappa < 0:
        raise ValueError(f"kappa is {kappa}, and must not be negative")
    lengths = [np.sqrt(one.values**2 + kappa) for one in (first, second)]
    shrunk = [one.values / length for one, length in zip((first, second), lengths, strict=True)]
    both = shrunk[0][:, None] * (first.left.T @ second.left) * shrunk[1]
    left, values, right = svd(both, full_matrices=False, overwrite_a=True, check_finite=False)
    kept = min(dimensions, len(values))
    return Correlated(
        left[:, :kept] / lengths[0][:, None], right[:kept].T / lengths[1][:, None], values[:kept]
    )


def cosines(first: Floats, second: Floats) -> Floats:
    """Return the cosine of each pair of rows, of shape (rows, other rows). It is 0 for a row of zeros."""
    lengths = [np.linalg.norm(one, axis=1) for one in (first, second)]
    scaled = [
        one / np.where(length > 0, length, 1)[:, None]
        for one, length in zip((first, second), lengths, strict=True)
    ]
    return np.asarray(scaled[0] @ scaled[1].T, dtype=np.float64)

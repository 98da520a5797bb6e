"""A logistic regression for the fits of priors."""

from __future__ import annotations

import numpy as np

from evaluation.arrays import Floats

STEPS = 50


def regress(
    matrix: Floats, labels: Floats, *, counts: Floats, ridge: Floats, offset: Floats | float = 0.0
) -> Floats:
    """Return the weights of a logistic regression, of shape (columns,).

    `matrix` is (rows, columns). `labels` are from 0 to 1, rows count `counts` times, and `offset` is what is
    added to their log odds beside the weights: all of shape (rows,). `ridge`, of shape (columns,), says how
    strongly each weight is drawn to 0, in rows. Newton's steps are each halved until they lead down.
    """

    def loss(weights: Floats) -> float:
        scores = offset + matrix @ weights
        return float(counts @ (np.logaddexp(0, scores) - labels * scores) + (ridge * weights**2).sum() / 2)

    weights = np.zeros(matrix.shape[1])
    now = loss(weights)
    for _ in range(STEPS):
        with np.errstate(over="ignore"):  # the share is 0 then
            said = 1 / (1 + np.exp(-(offset + matrix @ weights)))
        slope = (counts * (said - labels)) @ matrix + ridge * weights
        curve = (matrix * (counts * said * (1 - said))[:, None]).T @ matrix + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while (then := loss(weights - size * step)) > now and size > 1e-4:
            size /= 2
        weights, before, now = weights - size * step, now, then
        if before - now < 1e-9 * max(1.0, abs(before)):
            break
    return weights

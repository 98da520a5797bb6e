"""A classifier of regions that says how likely each class is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression

from evaluation.arrays import Floats


@dataclass(kw_only=True)
class Softmax:
    """Multinomial logistic regression. `penalty` is the strength of its regularization [ours]."""

    penalty: float = 10.0
    iterations: int = 300
    classes_: tuple[str, ...] = field(init=False, repr=False, default=())
    """None before `fit`, and if there was nothing to tell apart."""
    weights_: Floats = field(init=False, repr=False)
    """Of shape (features, classes)."""
    biases_: Floats = field(init=False, repr=False)

    def fit(self, rows: NDArray[Any], classes: Sequence[str]) -> Self:
        """Learn from rows and the class of each. With fewer than two classes, nothing is learnt."""
        if len({*classes}) < 2:
            return self
        # Newton's method of lbfgs may end at the most iterations: what it has then is good enough here.
        model = LogisticRegression(C=1 / self.penalty, max_iter=self.iterations, tol=1e-3)
        model.fit(rows, np.array(classes, dtype=np.str_))
        weights, biases = np.asarray(model.coef_), np.asarray(model.intercept_)
        if len(model.classes_) == 2:  # scikit-learn has one column for both
            weights, biases = np.concatenate([-weights, weights]) / 2, np.concatenate([-biases, biases]) / 2
        self.classes_ = tuple(map(str, model.classes_))
        self.weights_, self.biases_ = weights.T.astype(np.float64), biases.astype(np.float64)
        return self

    def score(self, rows: NDArray[Any]) -> Floats:
        """Return how likely each class is for each row, of shape (rows, classes)."""
        if not self.classes_:
            return np.zeros((len(rows), 0))
        return np.asarray(softmax(rows @ self.weights_ + self.biases_, axis=1))

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Return what was learnt, for a file."""
        known = bool(self.classes_)
        return {
            f"{prefix}_classes": np.array(self.classes_, dtype=np.str_),
            f"{prefix}_weights": self.weights_ if known else np.zeros((0, 0)),
            f"{prefix}_biases": self.biases_ if known else np.zeros(0),
        }

    def set_arrays(self, arrays: dict[str, NDArray[Any]], prefix: str) -> Self:
        """Take what `arrays` returned."""
        self.classes_ = tuple(arrays[f"{prefix}_classes"].tolist())
        self.weights_, self.biases_ = arrays[f"{prefix}_weights"], arrays[f"{prefix}_biases"]
        return self


def array_kinds(prefix: str) -> dict[str, str]:
    """Return which arrays a classifier has in a file, and of which kind each is."""
    return {f"{prefix}_classes": "U", f"{prefix}_weights": "f", f"{prefix}_biases": "f"}

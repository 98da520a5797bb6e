"""Fisher vectors of the words of a phrase, by a hybrid Gaussian-Laplacian mixture model (HGLMM).

The source is Klein et al. 2014, which Flickr30k Entities names in section 4.1.1: 30 centres and word vectors
of 300 dimensions give a phrase 30 × 300 × 2 = 18,000. In every dimension, each centre is either Gaussian or
Laplacian, whichever makes the words that belong to it likelier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import logsumexp
from sklearn.cluster import KMeans

from baselines.distinct_rows import distinct_rows
from evaluation.arrays import Bools, Floats

CENTRES = 30
MIN_SPREAD = 1e-3
"""The least spread of a centre, as a share of the whole spread of its dimension [ours]."""


@dataclass(kw_only=True)
class FisherVectors:
    """The mixture model, and phrases as gradients of their words' likelihood.

    There are fewer than `centres` if fewer words differ. `iterations` is the most of expectation and
    maximization; it ends when the mean log-likelihood grows by less than `tolerance`.
    """

    centres: int = CENTRES
    iterations: int = 50
    tolerance: float = 1e-4
    seed: int = 1
    weights_: Floats = field(init=False, repr=False)
    """Of each centre, of shape (centres,)."""
    places_: Floats = field(init=False, repr=False)
    """Mean or median of each centre in each dimension, of shape (centres, dimensions)."""
    spreads_: Floats = field(init=False, repr=False)
    """Standard deviation, or mean distance to the median: of shape (centres, dimensions)."""
    laplacian_: Bools = field(init=False, repr=False)
    """Whether a centre is Laplacian in a dimension, of shape (centres, dimensions)."""
    likelihoods_: list[float] = field(init=False, repr=False)
    """The mean log-likelihood of a word after each iteration."""

    def fit(self, vectors: Floats, counts: Floats) -> Self:
        """Learn from the vectors of distinct words, of shape (words, d), and how often each occurs."""
        share = np.asarray(counts, dtype=np.float64) / counts.sum()
        distinct, place = distinct_rows(vectors)
        number = min(self.centres, len(distinct))
        together = np.bincount(place, weights=share)
        means = KMeans(number, n_init=1, random_state=self.seed)
        nearest = means.fit_predict(distinct, sample_weight=together)[place]
        belongs = np.zeros((len(vectors), number))
        belongs[np.arange(len(vectors)), nearest] = 1.0
        order = np.argsort(vectors, axis=0, kind="stable")
        centre = share @ vectors
        floor = MIN_SPREAD * np.sqrt(share @ np.square(vectors - centre)) + 1e-12
        self.likelihoods_ = []
        for _ in range(self.iterations):
            self._maximize(vectors, belongs * share[:, None], order, floor)
            joint = self._log_joint(vectors)
            whole = logsumexp(joint, axis=1)
            belongs = np.exp(joint - whole[:, None])
            self.likelihoods_.append(float(share @ whole))
            if len(self.likelihoods_) > 1 and np.diff(self.likelihoods_[-2:])[0] < self.tolerance:
                break
        return self

    def score(self, vectors: Floats) -> Floats:
        """Return the log-likelihood of each word's vector, of shape (words,)."""
        return np.asarray(logsumexp(self._log_joint(vectors), axis=1))

    def gradients(self, vectors: Floats) -> NDArray[np.float32]:
        """Return the gradients of single words, of shape (words, 2 × centres × dimensions).

        Each is divided by the square root of its Fisher information. Those by the centres' places come first.
        """
        joint = self._log_joint(vectors)
        belongs = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        found = np.empty((len(vectors), 2, *self.places_.shape), dtype=np.float32)
        for at in range(len(self.weights_)):
            away = (vectors - self.places_[at]) / self.spreads_[at]
            laplacian = self.laplacian_[at]
            by_place = np.where(laplacian, np.sign(away), away)
            by_spread = np.where(laplacian, np.abs(away) - 1, (np.square(away) - 1) / np.sqrt(2))
            scale = belongs[:, at, None] / np.sqrt(self.weights_[at])
            found[:, 0, at], found[:, 1, at] = scale * by_place, scale * by_spread
        return found.reshape(len(vectors), -1)

    def transform(self, phrases: Sequence[Sequence[str]], words: Mapping[str, Floats]) -> NDArray[np.float32]:
        """Return the vector of each phrase, of shape (phrases, 2 × centres × dimensions).

        It is the sum over words that are known, with signed roots of its numbers and unit length. A phrase
        without a known word is zeros.
        """
        places: dict[str, int] = {}
        rows: list[int] = []
        columns: list[int] = []
        for row, phrase in enumerate(phrases):
            for word in phrase:
                if word in words:
                    rows.append(row)
                    columns.append(places.setdefault(word, len(places)))
        if not places:
            return np.zeros((len(phrases), 2 * self.places_.size), dtype=np.float32)
        each = self.gradients(np.stack([words[word] for word in places]))
        ones = np.ones(len(rows), dtype=np.float32)
        sums = csr_matrix((ones, (rows, columns)), shape=(len(phrases), len(places))) @ each
        return unit_length(np.sign(sums) * np.sqrt(np.abs(sums)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learnt, for a file."""
        return {
            "centre_weights": self.weights_,
            "centre_places": self.places_,
            "centre_spreads": self.spreads_,
            "centre_laplacian": self.laplacian_,
        }

    def set_arrays(self, arrays: dict[str, NDArray[Any]]) -> Self:
        """Take what `arrays` returned."""
        self.weights_, self.places_ = arrays["centre_weights"], arrays["centre_places"]
        self.spreads_, self.laplacian_ = arrays["centre_spreads"], arrays["centre_laplacian"]
        return self

    def _log_joint(self, vectors: Floats) -> Floats:
        """Return the log of each centre's weight times the density of each word: (words, centres)."""
        found = np.empty((len(vectors), len(self.weights_)))
        for at, weight in enumerate(self.weights_):
            away = np.abs(vectors - self.places_[at]) / self.spreads_[at]
            laplacian = self.laplacian_[at]
            exponent = np.where(laplacian, away, 0.5 * np.square(away)).sum(axis=1)
            constant = np.where(laplacian, np.log(2.0), 0.5 * np.log(2 * np.pi)) + np.log(self.spreads_[at])
            found[:, at] = np.log(weight) - exponent - constant.sum()
        return found

    def _maximize(self, vectors: Floats, belongs: Floats, order: NDArray[np.int64], floor: Floats) -> None:
        """Set weights, places and spreads from how far words belong to centres, times their frequency."""
        whole = np.maximum(belongs.sum(axis=0), 1e-12)
        self.weights_ = whole / whole.sum()
        shape = (belongs.shape[1], vectors.shape[1])
        self.places_, self.spreads_ = np.empty(shape), np.empty(shape)
        self.laplacian_ = np.empty(shape, dtype=bool)
        columns = np.arange(vectors.shape[1])
        for at in range(len(whole)):
            share = belongs[:, at] / whole[at]
            mean = share @ vectors
            deviation = np.maximum(np.sqrt(share @ np.square(vectors - mean)), floor)
            reached = np.cumsum(share[order], axis=0)
            median = vectors[order[np.argmax(reached >= 0.5 * reached[-1], axis=0), columns], columns]
            distance = np.maximum(share @ np.abs(vectors - median), floor)
            # The mean log-likelihoods, of which each is largest at its own place and spread.
            gaussian = -np.log(deviation) - 0.5 * np.log(2 * np.pi) - 0.5
            laplacian = -np.log(distance) - np.log(2.0) - 1.0
            self.laplacian_[at] = laplacian > gaussian
            self.places_[at] = np.where(self.laplacian_[at], median, mean)
            self.spreads_[at] = np.where(self.laplacian_[at], distance, deviation)


def mean_vectors(phrases: Sequence[Sequence[str]], words: Mapping[str, Floats]) -> NDArray[np.float32]:
    """Return the mean of the vectors of each phrase's known words, with unit length; zeros without any."""
    size = len(next(iter(words.values())))
    found = np.zeros((len(phrases), size), dtype=np.float32)
    for row, phrase in enumerate(phrases):
        known = [words[word] for word in phrase if word in words]
        if known:
            found[row] = np.mean(known, axis=0)
    return unit_length(found)


def unit_length(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length 1; zeros stay zeros."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, length, out=np.zeros_like(rows), where=length > 0))

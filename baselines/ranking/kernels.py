"""What all text kernels share, and the two that only see which words a text has.

A text kernel compares documents: the captions of an image, or one caption. `represent` turns documents into
what `compare` works on, so that each is prepared once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from scipy import sparse

from baselines.ranking.words import (
    Document,
    inverse_frequencies,
    lemmas,
    unknown_weight,
)
from evaluation.arrays import Floats, Ints

Idf = Literal["none", "root", "full"]
"""Whether words weigh the same, the root of their inverse document frequency, or all of it."""
_ROWS = 500
"""Rows of a product that are dense at a time."""


class TextKernel(Protocol):
    """A kernel over documents."""

    def fit(self, documents: Sequence[Document]) -> Any:
        """Learn weights and the vocabulary from the captions of training images. Return self."""
        ...

    def represent(self, documents: Sequence[Document]) -> Any:
        """Return documents as `compare` takes them."""
        ...

    def compare(self, documents: Any, training: Any) -> Floats:
        """Return the kernel between documents and training documents, of shape (documents, training)."""
        ...

    def diagonal(self, documents: Any) -> Floats:
        """Return the kernel of each document with itself, of shape (documents,)."""
        ...


class Rows:
    """Documents as rows of a sparse matrix, whose products are the kernel."""

    def __init__(self, matrix: sparse.csr_matrix) -> None:
        self.matrix = matrix

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def take(self, rows: Ints) -> Rows:
        return Rows(self.matrix[rows])

    def squares(self) -> Floats:
        """Return the product of each document with itself."""
        return np.asarray(self.matrix.multiply(self.matrix).sum(axis=1), dtype=np.float64).ravel()

    def products(self, other: Rows) -> Floats:
        """Return all products, of shape (documents, documents of `other`)."""
        right = other.matrix.T.tocsr()
        found = np.empty((len(self), len(other)))
        for at in range(0, len(self), _ROWS):
            found[at : at + _ROWS] = (self.matrix[at : at + _ROWS] @ right).toarray()
        return found


def unit_rows(counts: Sequence[dict[Any, float]], places: dict[Any, int]) -> Rows:
    """Return rows of values, scaled so that each has length 1 with those that have no place.

    Features without a place are not in any training document, so they only count for the length.
    """
    data: list[float] = []
    columns: list[int] = []
    ends = [0]
    for row in counts:
        length = float(np.sqrt(sum(value * value for value in row.values()))) or 1.0
        for feature, value in row.items():
            if feature in places and value:
                columns.append(places[feature])
                data.append(value / length)
        ends.append(len(columns))
    shape = (len(counts), len(places))
    return Rows(sparse.csr_matrix((data, columns, ends), shape=shape, dtype=np.float64))


class Weights:
    """The weight of each word: 1, or its inverse frequency in the captions that it was fitted to."""

    def __init__(self, idf: Idf) -> None:
        self.idf: Idf = idf
        self._known: dict[str, float] = {}
        self._unknown = 1.0

    def fit(self, documents: Sequence[Document]) -> Weights:
        if self.idf != "none":
            power = 0.5 if self.idf == "root" else 1.0
            found = inverse_frequencies(documents)
            self._known = {word: weight**power for word, weight in found.items()}
            self._unknown = unknown_weight(len(documents)) ** power
        return self

    def __call__(self, word: str) -> float:
        return self._known.get(word, self._unknown)


class BagOfWords:
    """The cosine of the words' frequencies (R, 3.4.1). The captions of a document are merged."""

    def __init__(self, *, idf: Idf = "none") -> None:
        self._weights = Weights(idf)
        self._places: dict[str, int] = {}

    def fit(self, documents: Sequence[Document]) -> BagOfWords:
        self._weights.fit(documents)
        self._places = _places(word for document in documents for word in _bag(document))
        return self

    def represent(self, documents: Sequence[Document]) -> Rows:
        rows = [
            {word: count * self._weights(word) for word, count in _bag(document).items()}
            for document in documents
        ]
        return unit_rows(rows, self._places)

    def compare(self, documents: Rows, training: Rows) -> Floats:
        return documents.products(training)

    def diagonal(self, documents: Rows) -> Floats:
        return documents.squares()


class SharedWords:
    """F1 of two bags of words weighed by inverse document frequency: the similarity of NN (R, 3.1).

    What two bags share is divided by the size of either for precision and recall.
    """

    def __init__(self, *, idf: Idf = "full") -> None:
        self._weights = Weights(idf)
        self._places: dict[tuple[str, int], int] = {}

    def fit(self, documents: Sequence[Document]) -> SharedWords:
        self._weights.fit(documents)
        self._places = _places(unit for document in documents for unit in _units(document))
        return self

    def represent(self, documents: Sequence[Document]) -> Sized:
        data: list[float] = []
        columns: list[int] = []
        ends, sizes = [0], []
        for document in documents:
            units = _units(document)
            sizes.append(sum(self._weights(word) for word, _ in units))
            for unit in units:
                if unit in self._places:
                    columns.append(self._places[unit])
                    data.append(float(np.sqrt(self._weights(unit[0]))))
            ends.append(len(columns))
        shape = (len(documents), len(self._places))
        rows = Rows(sparse.csr_matrix((data, columns, ends), shape=shape, dtype=np.float64))
        return Sized(rows, np.array(sizes, dtype=np.float64))

    def compare(self, documents: Sized, training: Sized) -> Floats:
        shared = documents.rows.products(training.rows)
        sizes = documents.sizes[:, None] + training.sizes[None, :]
        return 2 * shared / np.where(sizes > 0, sizes, 1)

    def diagonal(self, documents: Sized) -> Floats:
        return (documents.sizes > 0).astype(np.float64)


class Sized:
    """Rows whose products are what two bags share, and the size of each bag."""

    def __init__(self, rows: Rows, sizes: Floats) -> None:
        self.rows, self.sizes = rows, sizes

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Ints) -> Sized:
        return Sized(self.rows.take(rows), self.sizes[rows])


def _bag(document: Document) -> Counter[str]:
    return Counter(lemma for caption in document for lemma in lemmas(caption))


def _units(document: Document) -> list[tuple[str, int]]:
    """Return each word with 0, 1, … for each time it occurs: what two lists share is the smaller count."""
    return [(word, time) for word, count in _bag(document).items() for time in range(count)]


def _places(features: Iterable[Any]) -> dict[Any, int]:
    return {feature: place for place, feature in enumerate(dict.fromkeys(features))}

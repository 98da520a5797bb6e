"""Similarities of words, as kernels: the cosine of vectors that a corpus gives the words (R, 3.5).

A word outside of a similarity's vocabulary equals itself and nothing else (R, 3.5.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from scipy import sparse

from evaluation.arrays import Floats

_ROWS = 500
"""Rows of a product that are dense at a time."""


class WordSimilarity:
    """Similarities of the words in `words`: `matrix` is symmetric, sparse, and has ones on its diagonal."""

    def __init__(self, words: Sequence[str], matrix: sparse.csr_matrix) -> None:
        self.words = tuple(words)
        self.matrix = matrix
        self._places = {word: place for place, word in enumerate(self.words)}

    def between(self, words: Sequence[str]) -> sparse.csc_matrix:
        """Return the similarities of these words, of shape (words, words)."""
        known = [(at, self._places[word]) for at, word in enumerate(words) if word in self._places]
        rows = np.array([at for at, _ in known], dtype=np.int64)
        places = np.array([place for _, place in known], dtype=np.int64)
        inner = self.matrix[places][:, places].tocoo()
        outer = np.setdiff1d(np.arange(len(words)), rows)
        data = np.concatenate([inner.data, np.ones(len(outer))])
        cells = (np.concatenate([rows[inner.row], outer]), np.concatenate([rows[inner.col], outer]))
        return sparse.csc_matrix((data, cells), shape=(len(words), len(words)))


class WordVectors:
    """Vectors of words of length 1, as rows of a sparse matrix. Their products are the similarities."""

    def __init__(self, words: Sequence[str], vectors: sparse.csr_matrix) -> None:
        lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
        kept = np.flatnonzero(lengths > 0)
        self.words = tuple(words[at] for at in kept.tolist())
        self.vectors = (sparse.diags(1 / lengths[kept]) @ vectors[kept]).tocsr()
        self._places = {word: place for place, word in enumerate(self.words)}

    def similarity(self, least: float) -> WordSimilarity:
        """Return the similarities. Those below `least` count as nothing."""
        right = self.vectors.T.tocsr()
        blocks = []
        for at in range(0, len(self.words), _ROWS):
            block = (self.vectors[at : at + _ROWS] @ right).toarray()
            block[block < least] = 0
            blocks.append(sparse.csr_matrix(block))
        matrix = sparse.vstack(blocks, format="csr") if blocks else sparse.csr_matrix((0, 0))
        return WordSimilarity(self.words, matrix)

    def nearest(self, word: str, number: int) -> list[tuple[str, float]]:
        """Return the words most like a word with their similarities, the most like first; [] if unknown.

        >>> vectors = WordVectors(["pup", "dog", "car"], sparse.csr_matrix([[1.0, 1], [1, 0.9], [0, 1]]))
        >>> [word for word, _ in vectors.nearest("dog", 1)]
        ['pup']
        """
        if word not in self._places:
            return []
        place = self._places[word]
        similar = (self.vectors[place] @ self.vectors.T).toarray().ravel()
        similar[place] = -1
        best = np.argsort(-similar, kind="stable")[:number]
        return [(self.words[at], float(similar[at])) for at in best.tolist() if similar[at] > 0]


def average(first: WordSimilarity, second: WordSimilarity) -> WordSimilarity:
    """Return the mean of two similarities, such as those of two corpora (R, 3.5.6)."""
    words = tuple(dict.fromkeys([*first.words, *second.words]))
    return WordSimilarity(words, ((first.between(words) + second.between(words)) / 2).tocsr())


def larger(first: WordSimilarity, second: WordSimilarity) -> WordSimilarity:
    """Return the larger of two similarities for each pair (R, 3.5.6).

    It need not be a kernel in the strict sense, as the paper says: it may have negative eigenvalues.
    """
    words = tuple(dict.fromkeys([*first.words, *second.words]))
    return WordSimilarity(words, first.between(words).maximum(second.between(words)).tocsr())


def distributional(
    captions: Iterable[Sequence[str]], *, least: int = 5, only: Collection[str] | None = None
) -> WordVectors:
    """Return vectors of positive pointwise mutual information within captions or sentences (R, 3.5.3).

    A component of w is max(0, log(P(w, w') / (P(w) P(w')))), where P is the share of sentences that have the
    words. Words and components are the words that occur at least `least` times; `only` limits the words, not
    the components.

    >>> vectors = distributional([["dog", "ball"], ["pup", "ball"], ["cat", "sofa"]], least=1)
    >>> [word for word, _ in vectors.nearest("dog", 2)]
    ['ball', 'pup']
    """
    sentences = [list(caption) for caption in captions]
    counts = Counter(word for sentence in sentences for word in sentence)
    words = [word for word, count in counts.items() if count >= least]
    places = {word: place for place, word in enumerate(words)}
    columns: list[int] = []
    ends = [0]
    for sentence in sentences:
        columns += sorted({places[word] for word in sentence if word in places})
        ends.append(len(columns))
    shape = (len(sentences), len(words))
    present = sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape=shape)
    together = (present.T @ present).tocoo()
    number: Floats = np.asarray(present.sum(axis=0)).ravel()
    information = np.log(together.data * len(sentences) / (number[together.row] * number[together.col]))
    positive = np.maximum(information, 0)
    vectors = sparse.csr_matrix((positive, (together.row, together.col)), shape=together.shape)
    vectors.eliminate_zeros()
    if only is None:
        return WordVectors(words, vectors)
    kept = [place for place, word in enumerate(words) if word in only]
    return WordVectors([words[place] for place in kept], vectors[kept])

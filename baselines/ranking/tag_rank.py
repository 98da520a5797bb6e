"""Hwang and Grauman's kernel: words weigh more the earlier they are in a caption (R, 3.4.2).

Two vectors describe a caption. In the first, a word at place p (from 1; the mean of its places) has
1 / log2(1 + p). In the second, it has the share of its occurrences in the training captions that are after p.
The kernel of two captions is the mean of two χ² kernels exp(-χ² / Ω), where Ω is the mean χ² of training
captions [ours: the paper leaves Ω open]. The kernel of two images is the mean over pairs of their captions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from baselines.ranking.words import Caption, Document, lemmas
from evaluation.arrays import Floats, Ints

_CAPTIONS = 500
"""Captions that are compared at a time."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Captions with the place of each word, and the document of each caption."""

    captions: tuple[dict[str, float], ...]
    owners: Ints
    documents: int

    def __len__(self) -> int:
        return self.documents

    def take(self, rows: Ints) -> Ranked:
        new = {row: place for place, row in enumerate(rows.tolist())}
        kept = [at for at, owner in enumerate(self.owners.tolist()) if owner in new]
        owners = np.array([new[int(self.owners[at])] for at in kept], dtype=np.int64)
        return Ranked(tuple(self.captions[at] for at in kept), owners, len(rows))


class TagRank:
    """The kernel. `sample` captions, drawn with `seed`, are enough to find Ω in a large set."""

    def __init__(self, *, sample: int = 2000, seed: int = 1) -> None:
        self.sample, self.seed = sample, seed
        self._after: dict[str, Ints] = {}
        self._scales = (1.0, 1.0)

    def fit(self, documents: Sequence[Document]) -> TagRank:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for document in documents:
            for caption in document:
                for place, word in enumerate(lemmas(caption), 1):
                    places[word].append(place)
        self._after = {word: np.sort(np.array(found)) for word, found in places.items()}
        captions = [word_places(caption) for document in documents for caption in document]
        rng = np.random.default_rng(self.seed)
        if len(captions) > self.sample:
            drawn = np.sort(rng.choice(len(captions), self.sample, replace=False))
            captions = [captions[at] for at in drawn.tolist()]
        means = [float(_distances(captions, captions, weigh).mean()) for weigh in (absolute, self.relative)]
        self._scales = (means[0] or 1.0, means[1] or 1.0)
        return self

    def represent(self, documents: Sequence[Document]) -> Ranked:
        captions = [word_places(caption) for document in documents for caption in document]
        owners = [at for at, document in enumerate(documents) for _ in document]
        return Ranked(tuple(captions), np.array(owners, dtype=np.int64), len(documents))

    def compare(self, documents: Ranked, training: Ranked) -> Floats:
        found = np.zeros((len(documents), len(training)))
        columns = _means(training)
        rows = _means(documents)
        for at in range(0, len(documents.captions), _CAPTIONS):
            part = documents.captions[at : at + _CAPTIONS]
            kernel = sum(
                np.exp(-_distances(part, training.captions, weigh) / scale) / 2
                for weigh, scale in zip((absolute, self.relative), self._scales, strict=True)
            )
            found += rows[:, at : at + _CAPTIONS] @ (columns @ np.transpose(kernel)).T
        return found

    def diagonal(self, documents: Ranked) -> Floats:
        alone = (documents.take(np.array([at])) for at in range(len(documents)))
        return np.array([self.compare(one, one)[0, 0] for one in alone], dtype=np.float64)

    def relative(self, word: str, place: float) -> float:
        """Return the share of the word's occurrences that are after this place; 0 for an unknown word.

        >>> kernel = TagRank()
        >>> kernel._after = {"dog": np.array([1, 1, 3, 7])}
        >>> kernel.relative("dog", 2)
        0.5
        """
        known = self._after.get(word)
        if known is None:
            return 0.0
        return 1 - int(np.searchsorted(known, place, side="right")) / len(known)


def absolute(word: str, place: float) -> float:
    """Return 1 / log2(1 + place), the same for every word."""
    return 1 / float(np.log2(1 + place))


def word_places(caption: Caption) -> dict[str, float]:
    """Return the mean place of each word, from 1."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(lemmas(caption), 1):
        found[word].append(place)
    return {word: sum(places) / len(places) for word, places in found.items()}


def _means(ranked: Ranked) -> sparse.csr_matrix:
    """Return the matrix, of shape (documents, captions), that takes the mean over a document's captions."""
    counts = np.bincount(ranked.owners, minlength=len(ranked))
    shape = (len(ranked), len(ranked.captions))
    cells = (1 / counts[ranked.owners], (ranked.owners, np.arange(len(ranked.captions))))
    return sparse.csr_matrix(cells, shape=shape)


def _distances(
    captions: Sequence[dict[str, float]],
    others: Sequence[dict[str, float]],
    weigh: Callable[[str, float], float],
) -> Floats:
    """Return χ², of shape (captions, others): the sum over words of (a - b)² / (a + b).

    That is the sum of all weights less 4ab / (a + b) of the words that both have. A word has few places, so
    these terms are a matrix from its places to its places.
    """
    features: dict[tuple[str, float], int] = {}
    rows = [_features(one, features) for one in captions]
    columns = [_features(one, features) for one in others]
    if not features:
        return np.zeros((len(captions), len(others)))
    weights = np.array([weigh(word, place) for word, place in features])
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for (word, _), number in features.items():
        by_word[word].append(number)
    data, firsts, seconds = [], [], []
    for numbers in by_word.values():
        mine = weights[numbers]
        total = mine[:, None] + mine
        data.append((4 * mine[:, None] * mine / np.where(total > 0, total, 1)).ravel())
        firsts.append(np.repeat(numbers, len(numbers)))
        seconds.append(np.tile(numbers, len(numbers)))
    shape = (len(features), len(features))
    cells = (np.concatenate(data), (np.concatenate(firsts), np.concatenate(seconds)))
    shared = sparse.csr_matrix(cells, shape=shape)
    left, right = _indicators(rows, len(features)), _indicators(columns, len(features))
    common = (left @ shared @ right.T.tocsr()).toarray()
    return np.asarray((left @ weights)[:, None] + (right @ weights)[None, :] - common, dtype=np.float64)


def _features(places: dict[str, float], features: dict[tuple[str, float], int]) -> list[int]:
    return [features.setdefault(one, len(features)) for one in places.items()]


def _indicators(rows: Sequence[Sequence[int]], width: int) -> sparse.csr_matrix:
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([one for row in rows for one in row], dtype=np.int64)
    return sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), width))

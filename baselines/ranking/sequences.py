"""The trigram kernel: word sequences of up to three words that two captions share (R, 3.4.3 and 3.5.1).

A caption `s` matches a sequence once for each pair of places (i, j) where it begins and ends with the
sequence's first and last word and has the middle word between them. A single word matches at its own place
only, as in a bag of words. The kernel of two images sums over all pairs of their captions, and is then
divided by the geometric mean of the images' kernels with themselves.

With a similarity of words, two sequences match as far as their words do, one by one. Sequences of other words
are then not enumerated: sums over places are taken in order, for one training image at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.linalg import block_diag

from baselines.ranking.kernels import Idf, Rows, Weights, unit_rows
from baselines.ranking.similarities import WordSimilarity
from baselines.ranking.words import Caption, Document, lemmas
from evaluation.arrays import Floats, Ints

_Sequence = tuple[str, ...]
_DOCUMENTS = 250
"""Documents that are compared with one training image at a time."""


class Trigrams:
    """The kernel of exact matches.

    `match` is λ_m: every shared word counts `match` in either caption. `gap` is λ_g: every word between two
    words of a sequence counts `gap`. `length` is the number of words of the longest sequences, 1 to 3.
    """

    def __init__(self, *, length: int = 3, match: float = 0.5, gap: float = 1.0, idf: Idf = "none") -> None:
        if not 1 <= length <= 3:
            raise ValueError(f"sequences have 1 to 3 words, not {length}")
        self.length, self.match, self.gap = length, match, gap
        self._weights = Weights(idf)
        self._places: dict[_Sequence, int] = {}

    def fit(self, documents: Sequence[Document]) -> Trigrams:
        self._weights.fit(documents)
        self._places = {}
        for document in documents:
            for sequence in self._counts(document):
                self._places.setdefault(sequence, len(self._places))
        return self

    def represent(self, documents: Sequence[Document]) -> Rows:
        return unit_rows([self._values(document) for document in documents], self._places)

    def compare(self, documents: Rows, training: Rows) -> Floats:
        return documents.products(training)

    def diagonal(self, documents: Rows) -> Floats:
        return documents.squares()

    def _values(self, document: Document) -> dict[_Sequence, float]:
        """Return the feature of each sequence: with idf, λ_w stands once in a product of two of them."""
        return {
            sequence: count * float(np.prod([np.sqrt(self._weights(word)) for word in sequence]))
            for sequence, count in self._counts(document).items()
        }

    def _counts(self, document: Document) -> dict[_Sequence, float]:
        found: defaultdict[_Sequence, float] = defaultdict(float)
        for caption in document:
            for (sequence, gaps), count in matches(lemmas(caption), self.length).items():
                found[sequence] += count * self.match ** len(sequence) * self.gap**gaps
        return found


def matches(words: Sequence[str], length: int) -> Counter[tuple[_Sequence, int]]:
    """Return how often a caption matches each sequence with each number of words in its gaps.

    >>> sorted(matches("dog catch ball".split(), 3))  # doctest: +NORMALIZE_WHITESPACE
    [(('ball',), 0), (('catch',), 0), (('catch', 'ball'), 0), (('dog',), 0), (('dog', 'ball'), 1),
     (('dog', 'catch'), 0), (('dog', 'catch', 'ball'), 0)]
    """
    found: Counter[tuple[_Sequence, int]] = Counter()
    for start, first in enumerate(words):
        found[(first,), 0] += 1
        between: dict[str, None] = {}
        for span, last in enumerate(words[start + 1 :] if length > 1 else ()):
            found[(first, last), span] += 1
            if length > 2:
                for middle in between:
                    found[(first, middle, last), span - 1] += 1
            between[last] = None
    return found


@dataclass(frozen=True, slots=True)
class _Group:
    """Captions with the same number of words."""

    words: Ints
    """Of shape (captions, words)."""
    owners: Ints
    """The document of each caption."""
    starts: Floats
    """What a sequence's second word weighs for each first: of shape (captions, words, words)."""


class Sequences:
    """Documents as numbers of words, and each one's kernel with itself."""

    def __init__(self, documents: Sequence[tuple[Ints, ...]], own: Floats, gap: float) -> None:
        self.documents, self.own, self._gap = documents, own, gap

    def __len__(self) -> int:
        return len(self.documents)

    def take(self, rows: Ints) -> Sequences:
        return Sequences([self.documents[row] for row in rows.tolist()], self.own[rows], self._gap)

    @cached_property
    def parts(self) -> list[tuple[slice, list[_Group]]]:
        """Return the captions of some documents at a time, by their numbers of words."""
        places = range(0, len(self), _DOCUMENTS)
        return [(slice(at, at + _DOCUMENTS), self._groups(at)) for at in places]

    @cached_property
    def words(self) -> int:
        """Return one more than the largest number of a word."""
        return 1 + max(
            (int(one.max(initial=-1)) for document in self.documents for one in document), default=-1
        )

    def _groups(self, start: int) -> list[_Group]:
        by_length: defaultdict[int, list[tuple[int, Ints]]] = defaultdict(list)
        for owner, captions in enumerate(self.documents[start : start + _DOCUMENTS]):
            for words in captions:
                if len(words):
                    by_length[len(words)].append((owner, words))
        return [
            _Group(
                np.array([words for _, words in group]),
                np.array([owner for owner, _ in group]),
                np.array([_starts(words, self._gap) for _, words in group]),
            )
            for group in by_length.values()
        ]


class SimilarTrigrams:
    """The trigram kernel with a similarity of words. Parameters are those of Trigrams.

    With idf, the match of two sequences is multiplied by √(λ_w λ_w'). Words that neither the training
    captions nor the similarity have equal themselves and nothing else.
    """

    def __init__(
        self,
        similarity: WordSimilarity,
        *,
        length: int = 3,
        match: float = 0.5,
        gap: float = 1.0,
        idf: Idf = "none",
    ) -> None:
        if not 1 <= length <= 3:
            raise ValueError(f"sequences have 1 to 3 words, not {length}")
        self.similarity, self.length, self.match, self.gap = similarity, length, match, gap
        self._weights = Weights(idf)
        self._places: dict[str, int] = {}
        self._scales: Floats = np.empty(0)
        self._similar = sparse.csc_matrix((0, 0))

    def fit(self, documents: Sequence[Document]) -> SimilarTrigrams:
        self._weights.fit(documents)
        seen = [word for document in documents for caption in document for word in lemmas(caption)]
        words = list(dict.fromkeys([*seen, *self.similarity.words]))
        self._places = {word: place for place, word in enumerate(words)}
        self._scales = np.sqrt([self._weights(word) for word in words])
        self._similar = self.similarity.between(words)
        return self

    def represent(self, documents: Sequence[Document]) -> Sequences:
        """Return documents, each with its kernel with itself."""
        unknown: dict[str, int] = {}
        numbered = tuple(tuple(self._numbers(text, unknown) for text in one) for one in documents)
        scales = np.concatenate([self._scales, np.sqrt([self._weights(word) for word in unknown])])
        own = [self._column(Sequences([one], np.empty(0), self.gap), one, scales)[0] for one in numbered]
        return Sequences(numbered, np.array(own, dtype=np.float64), self.gap)

    def compare(self, documents: Sequences, training: Sequences) -> Floats:
        # Words that only `documents` have match no training word, so their weight does not matter.
        extra = max(0, documents.words - len(self._scales))
        scales = np.concatenate([self._scales, np.zeros(extra)])
        columns = [self._column(documents, other, scales) for other in training.documents]
        found = np.stack(columns, axis=1) if columns else np.empty((len(documents), 0))
        length = np.sqrt(documents.own[:, None] * training.own[None, :])
        return np.asarray(found / np.where(length > 0, length, 1), dtype=np.float64)

    def diagonal(self, documents: Sequences) -> Floats:
        return (documents.own > 0).astype(np.float64)

    def _numbers(self, caption: Caption, unknown: dict[str, int]) -> Ints:
        known = len(self._places)
        return np.array(
            [
                self._places[word] if word in self._places else unknown.setdefault(word, known + len(unknown))
                for word in lemmas(caption)
            ],
            dtype=np.int64,
        )

    def _column(self, documents: Sequences, other: tuple[Ints, ...], scales: Floats) -> Floats:
        """Return the sum over captions of the kernel of each document with one other: (documents,)."""
        words = np.concatenate(other) if other else np.empty(0, dtype=np.int64)
        found = np.zeros(len(documents))
        if not len(words):
            return found
        similar = self._similar_to(words, scales)
        second = _blocks(other, lambda one: _starts(one, self.gap))
        third = _blocks(other, lambda one: _later(len(one), self.gap))
        for rows, groups in documents.parts:
            for group in groups:
                sums = self._captions(group, similar, second, third)
                found[rows] += np.bincount(group.owners, weights=sums, minlength=len(found[rows]))
        return found

    def _captions(self, group: _Group, similar: Floats, second: Floats, third: Floats) -> Floats:
        """Return the sums of captions of one length, over their sequences and those of the other document."""
        later = _later(group.words.shape[1], self.gap).T
        pairs = similar[group.words]  # of shape (captions, their words, the other's words)
        total = self.match**2 * pairs.sum(axis=(1, 2))
        if self.length > 1:
            total += self.match**4 * (pairs * (later @ (pairs @ third))).sum(axis=(1, 2))
        if self.length > 2:
            middles = pairs * (group.starts.transpose(0, 2, 1) @ (pairs @ second))
            total += self.match**6 * (pairs * (later @ (middles @ third))).sum(axis=(1, 2))
        return np.asarray(total, dtype=np.float64)

    def _similar_to(self, words: Ints, scales: Floats) -> Floats:
        """Return how far each word matches these, with both weights: of shape (all words, these)."""
        known = len(self._places)
        found = np.zeros((len(scales), len(words)))
        inside = np.flatnonzero(words < known)
        found[:known, inside] = self._similar[:, words[inside]].toarray()
        outside = np.flatnonzero(words >= known)
        found[words[outside], outside] = 1
        found[:, outside] = (np.arange(len(scales))[:, None] == words[outside]).astype(np.float64)
        return np.asarray(found * scales[:, None] * scales[words], dtype=np.float64)


def _later(count: int, gap: float) -> Floats:
    """Return gap**(j - i - 1) where place j comes after place i, else 0."""
    apart = np.arange(count)[None, :] - np.arange(count)[:, None]
    return np.where(apart > 0, gap ** np.maximum(apart - 1, 0).astype(np.float64), 0.0)


def _starts(words: Ints, gap: float) -> Floats:
    """Return the same, but only where j is the first place of its word after i: middle words count once."""
    found = _later(len(words), gap)
    for later in range(len(words)):
        earlier = np.flatnonzero(words[:later] == words[later])
        if len(earlier):
            found[: earlier[-1], later] = 0
    return found


def _blocks(captions: Sequence[Ints], block: Callable[[Ints], Floats]) -> Floats:
    return np.asarray(block_diag(*(block(words) for words in captions)), dtype=np.float64)

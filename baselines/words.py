"""Vectors of words: learnt from captions, or read from a file of the user's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix
from sklearn.utils.extmath import randomized_svd

from evaluation.arrays import Floats
from evaluation.dataset import Dataset
from evaluation.predictions.vectors import Vectors, read_vectors

DIMENSIONS = 300
"""Of a word's vector (Flickr30k Entities, section 4.1.1)."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SKIPPED = _set(
    "a an the this that these those some any each every another other "
    "he she it they we you i him her them us me his hers its their theirs our your my "
    "himself herself itself themselves who whom whose which what "
    "and or but nor so as while when then than if because though although "
    "is are was were be been being am has have had having do does did doing will would can could may might "
    "not there here very just also 's"
)
"""Words that have no part in phrases: the paper encodes only nouns, adjectives and prepositions. So that
no tagger is needed, words of other kinds that are few are left out by their names, and verbs stay [ours]."""


def content_words(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a phrase or sentence that count, in lower case and in their order.

    >>> content_words("A man in the red shirt .".split())
    ('man', 'in', 'red', 'shirt')
    """
    lowered = (token.lower() for token in tokens)
    return tuple(word for word in lowered if word not in SKIPPED and any(map(str.isalnum, word)))


def sentences_of(dataset: Dataset) -> list[tuple[str, ...]]:
    """Return the words that count of each caption."""
    return [content_words(caption.tokens) for image in dataset.images for caption in image.captions]


@dataclass(kw_only=True)
class WordVectors:
    """Vectors of words by positive pointwise mutual information and a singular value decomposition [ours].

    Two words occur together if they are at most `window` words apart; nearer ones count more, by the inverse
    of their distance. `smoothing` is the exponent of the frequencies of contexts, and `least` how often a
    word has to occur. There are fewer than `dimensions` if there are fewer words.
    """

    dimensions: int = DIMENSIONS
    window: int = 5
    smoothing: float = 0.75
    least: int = 1
    seed: int = 1
    words_: tuple[str, ...] = field(init=False, repr=False)
    vectors_: Floats = field(init=False, repr=False)
    """Of shape (words, dimensions)."""

    def fit(self, sentences: Sequence[Sequence[str]]) -> Self:
        """Learn from sentences of words. Raise ValueError if fewer than two words occur often enough."""
        counts = Counter(word for sentence in sentences for word in sentence)
        words = sorted(word for word, count in counts.items() if count >= self.least)
        if len(words) < 2:
            raise ValueError(f"captions have {len(words)} words that occur {self.least} times or more")
        together = self._cooccurrence(sentences, {word: at for at, word in enumerate(words)})
        information = _positive_information(together, self.smoothing)
        size = min(self.dimensions, len(words) - 1)
        left, values, _ = randomized_svd(information, size, random_state=self.seed)
        self.words_, self.vectors_ = tuple(words), as_stored(left * np.sqrt(values))
        return self

    def score(self, word: str, other: str) -> float:
        """Return the cosine of two words' vectors; 0 if one is not known.

        >>> captions = [("red", "shirt"), ("blue", "shirt"), ("red", "car"), ("blue", "car"), ("cat", "nap")]
        >>> words = WordVectors(dimensions=3).fit(captions)
        >>> words.score("red", "blue") > words.score("red", "nap")
        True
        """
        places = {one: at for at, one in enumerate(self.words_)}
        if word not in places or other not in places:
            return 0.0
        a, b = self.vectors_[places[word]], self.vectors_[places[other]]
        lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(a @ b) / lengths if lengths else 0.0

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Return the vectors of a file: text of word2vec, fastText or GloVe, word2vec's `.bin`, or `.npz`.

        Raise InputError if it cannot be read.
        """
        return cls.of(read_vectors(path))

    @classmethod
    def of(cls, vectors: Vectors) -> Self:
        """Return these vectors."""
        found = cls(dimensions=vectors.length)
        found.words_ = tuple(vectors.by_word)
        found.vectors_ = as_stored(np.stack([*vectors.by_word.values()]))
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learnt, for a file."""
        return {"words": np.array(self.words_, dtype=np.str_), "vectors": self.vectors_.astype(np.float32)}

    def set_arrays(self, arrays: dict[str, NDArray[Any]]) -> Self:
        """Take what `arrays` returned."""
        self.words_ = tuple(arrays["words"].tolist())
        self.vectors_ = arrays["vectors"].astype(np.float64)
        return self

    def _cooccurrence(self, sentences: Iterable[Sequence[str]], places: dict[str, int]) -> csr_matrix:
        sums: Counter[tuple[int, int]] = Counter()
        for sentence in sentences:
            known = [(at, places[word]) for at, word in enumerate(sentence) if word in places]
            for nth, (at, word) in enumerate(known):
                for later, other in known[nth + 1 :]:
                    if later - at > self.window:
                        break
                    sums[min(word, other), max(word, other)] += 1 / (later - at)  # type: ignore[assignment]
        pairs = np.array(list(sums), dtype=np.int64).reshape(-1, 2)
        weights = np.array(list(sums.values()), dtype=np.float64)
        half = coo_matrix((weights, (pairs[:, 0], pairs[:, 1])), shape=(len(places),) * 2)
        return csr_matrix(half + half.T)


def as_stored(vectors: Floats) -> Floats:
    """Return the vectors as a file of 32-bit numbers gives them back.

    So a model is exactly the same after it was written and read: the median of a centre is often a word's
    own vector, and on which side of the median a word lies may not depend on rounding.
    """
    return vectors.astype(np.float32).astype(np.float64)


def _positive_information(together: csr_matrix, smoothing: float) -> csr_matrix:
    found = together.tocoo()
    own = np.asarray(together.sum(axis=1)).ravel()
    context = own**smoothing
    share = own[found.row] / max(own.sum(), 1e-300) * context[found.col] / max(context.sum(), 1e-300)
    information = np.log(found.data / max(found.data.sum(), 1e-300) / share)
    return csr_matrix((np.maximum(information, 0.0), (found.row, found.col)), shape=found.shape)

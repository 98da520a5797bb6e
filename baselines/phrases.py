"""Features of phrases and sentences, and what their words say: a head noun, a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from baselines.fisher import CENTRES, FisherVectors, mean_vectors
from baselines.words import DIMENSIONS, WordVectors
from evaluation.arrays import Floats

Kind = Literal["fisher", "mean"]
KINDS: tuple[Kind, ...] = ("fisher", "mean")
COLOURS = ("black", "white", "red", "blue", "green", "yellow", "pink", "gray", "orange", "brown", "purple")
"""The eleven colours. The paper has those that occur 1,000 times, and does not list them [ours]."""
_SPELLED = {"grey": "gray"}


@dataclass(kw_only=True)
class PhraseFeatures:
    """The words of a phrase as one row of numbers: Fisher vectors of their vectors, or the mean of these."""

    kind: Kind = "fisher"
    dimensions: int = DIMENSIONS
    centres: int = CENTRES
    seed: int = 1
    vectors_: WordVectors = field(init=False, repr=False)
    fisher_: FisherVectors = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter cannot be meant."""
        if self.kind not in KINDS:
            raise ValueError(f"kind: {self.kind} is none of {', '.join(KINDS)}")
        for name, value in (("dimensions", self.dimensions), ("centres", self.centres)):
            if value < 1:
                raise ValueError(f"{name}: {value} is not 1 or more")

    def fit(self, sentences: Sequence[Sequence[str]], vectors: WordVectors | None = None) -> Self:
        """Learn from sentences of words: also the vectors, if there are none.

        Raise ValueError if the vectors have no word of the sentences, or the sentences fewer than two.
        """
        if vectors is None:
            vectors = WordVectors(dimensions=self.dimensions, seed=self.seed).fit(sentences)
        self.vectors_ = vectors
        self._by_word = self._known()
        if self.kind == "fisher":
            counts: dict[str, int] = {}
            for sentence in sentences:
                for word in sentence:
                    if word in self._by_word:
                        counts[word] = counts.get(word, 0) + 1
            if not counts:
                raise ValueError("the word vectors have no word of the captions")
            rows = np.stack([self._by_word[word] for word in counts])
            self.fisher_ = FisherVectors(centres=self.centres, seed=self.seed)
            self.fisher_.fit(rows, np.array(list(counts.values()), dtype=np.float64))
        return self

    @property
    def width(self) -> int:
        """Return how many numbers a phrase has."""
        return self.vectors_.vectors_.shape[1] if self.kind == "mean" else 2 * self.fisher_.places_.size

    def transform(self, phrases: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """Return a row of unit length for each phrase; zeros where no word is known."""
        if self.kind == "fisher":
            return self.fisher_.transform(phrases, self._by_word)
        return mean_vectors(phrases, self._by_word)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learnt, for a file."""
        return {**self.vectors_.arrays(), **(self.fisher_.arrays() if self.kind == "fisher" else {})}

    def set_arrays(self, arrays: dict[str, NDArray[Any]]) -> Self:
        """Take what `arrays` returned."""
        self.vectors_ = WordVectors(dimensions=self.dimensions).set_arrays(arrays)
        self._by_word = self._known()
        if self.kind == "fisher":
            self.fisher_ = FisherVectors(centres=self.centres).set_arrays(arrays)
        return self

    def array_kinds(self) -> dict[str, str]:
        """Return which arrays a file has, and of which kind each is."""
        found = {"words": "U", "vectors": "f"}
        if self.kind == "fisher":
            places = dict.fromkeys(("centre_weights", "centre_places", "centre_spreads"), "f")
            found |= {**places, "centre_laplacian": "b"}
        return found

    def _known(self) -> dict[str, Floats]:
        return dict(zip(self.vectors_.words_, self.vectors_.vectors_, strict=True))


def head_noun(words: Sequence[str]) -> str:
    """Return the last word of a phrase, which is its head noun; "" without words.

    >>> head_noun(("red", "shirt"))
    'shirt'
    """
    return words[-1] if words else ""


def colour_of(words: Sequence[str]) -> str:
    """Return the colour that a phrase names; "" if it names none, or several (section 4.1.3, footnote 4).

    >>> colour_of(("grey", "shirt")), colour_of(("black", "white", "dog")), colour_of(("dog",))
    ('gray', '', '')
    """
    named = {_SPELLED.get(word, word) for word in words} & {*COLOURS}
    return named.pop() if len(named) == 1 else ""

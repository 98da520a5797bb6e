"""Features of phrases and sentences, and what their words say: a head noun, a category, a colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from baselines.fisher import CENTRES, FisherVectors, mean_vectors
from baselines.words import DIMENSIONS, WordVectors
from evaluation.arrays import Floats

Kind = Literal["fisher", "mean"]
KINDS: tuple[Kind, ...] = ("fisher", "mean")
_NAMES = (
    "black white red blue green yellow pink gray orange brown purple tan beige gold silver navy turquoise "
    "maroon teal khaki violet magenta cyan lavender burgundy crimson scarlet indigo fuchsia"
)
COLOURS = (*_NAMES.split(),)
"""Words that name a colour [ours]: the paper takes those that are common, and lists none."""
LEAST_OF_COLOUR = 1_000
"""How often a colour has to occur in the training images (section 4.1.3)."""
COLOUR_SHARE = 500
"""In smaller data sets, a colour has to occur in one of so many mentions [ours], which is about as rare: the
paper's training images have nearly half a million mentions."""
FEWEST_OF_COLOUR = 10
"""A colour has to occur so often in any case [ours]."""
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


def category_of(words: Sequence[str], categories: Mapping[str, str]) -> str:
    """Return the category of a phrase by a map of phrases: that of all its words, else of its head noun.

    It is "" if the map has neither. Without a map, a head noun is a category of its own [ours].

    >>> by_hand = {"man": "person", "hot dog": ""}
    >>> [category_of(words.split(), by_hand) for words in ("old man", "hot dog", "dog")]
    ['person', '', '']
    >>> category_of(("brown", "dog"), {})
    'dog'
    """
    if not categories:
        return head_noun(words)
    whole = " ".join(words)
    return categories[whole] if whole in categories else categories.get(head_noun(words), "")


def colour_of(words: Sequence[str]) -> str:
    """Return the colour that a phrase names; "" if it names none, or several (section 4.1.3, footnote 4).

    >>> colour_of(("grey", "shirt")), colour_of(("black", "white", "dog")), colour_of(("dog",))
    ('gray', '', '')
    """
    named = {_SPELLED.get(word, word) for word in words} & {*COLOURS}
    return named.pop() if len(named) == 1 else ""


def common_colours(
    phrases: Iterable[Sequence[str]], mentions: int, least: int | None = None
) -> tuple[str, ...]:
    """Return the colours that `least` of these phrases or more name, the commonest first.

    Without `least`, it is LEAST_OF_COLOUR, or fewer in a data set with few mentions: one of COLOUR_SHARE, but
    FEWEST_OF_COLOUR at the fewest. Equally common colours are in the order of COLOURS.

    >>> common_colours([("red", "hat")] * 12 + [("blue", "hat")] * 9, 500)
    ('red',)
    """
    if least is None:
        least = min(max(-(-mentions // COLOUR_SHARE), FEWEST_OF_COLOUR), LEAST_OF_COLOUR)
    counts = Counter(colour_of(words) for words in phrases)
    found = sorted(COLOURS, key=lambda colour: -counts[colour])
    return tuple(colour for colour in found if counts[colour] >= max(least, 1))

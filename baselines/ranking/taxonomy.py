"""Lin's similarity over a taxonomy of nouns, such as WordNet (R, 3.5.2).

The taxonomy is a folder of the user's with `index.noun` and `data.noun` as WordNet has them (in its `dict`
folder, and in NLTK's `corpora/wordnet`). It is not part of this project, and nothing downloads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import sparse

from baselines.ranking.similarities import WordVectors
from evaluation.errors import InputError, Place

_MAX_BYTES = 64 * 1024 * 1024
_PARENTS = ("@", "@i")
"""Marks of pointers from a sense to what it is a kind or an instance of."""


@dataclass(frozen=True)
class Taxonomy:
    """The first noun sense of each word, and the senses that each sense is a kind of."""

    senses: Mapping[str, str]
    parents: Mapping[str, tuple[str, ...]]
    _above: dict[str, frozenset[str]] = field(default_factory=dict)

    def above(self, sense: str) -> frozenset[str]:
        """Return a sense with all senses that it is a kind of.

        >>> animals = Taxonomy({}, {"poodle": ("dog",), "dog": ("animal",), "animal": ()})
        >>> sorted(animals.above("poodle"))
        ['animal', 'dog', 'poodle']
        """
        if sense not in self._above:
            found, left = {sense}, [sense]
            while left:
                left = [one for this in left for one in self.parents.get(this, ()) if one not in found]
                found.update(left)
            self._above[sense] = frozenset(found)
        return self._above[sense]


def read_taxonomy(folder: Path) -> Taxonomy:
    """Return the nouns of WordNet's files. Raise InputError for the first line that is not as theirs."""
    senses: dict[str, str] = {}
    for place, parts in _lines(folder / "index.noun"):
        number = _number(parts, 3, place)
        offsets = parts[6 + number :]
        if not offsets:
            raise place.error("", "has no sense; a line is: word pos senses pointers … offsets")
        senses[parts[0].lower()] = offsets[0]
    parents: dict[str, tuple[str, ...]] = {}
    for place, parts in _lines(folder / "data.noun"):
        start = 4 + 2 * _number(parts, 3, place, base=16)
        number = _number(parts, start, place)
        pointers = parts[start + 1 : start + 1 + 4 * number]
        if len(pointers) < 4 * number:
            raise place.error("", f"has fewer than its {number} pointers")
        parents[parts[0]] = tuple(
            pointers[at + 1] for at in range(0, len(pointers), 4) if pointers[at] in _PARENTS
        )
    return Taxonomy(senses, parents)


def lin(words: Iterable[str], taxonomy: Taxonomy) -> WordVectors:
    """Return vectors of Lin's similarity of each word's first sense s to each sense s' above it.

    `words` are all words of the training captions, as often as they occur: P(s) is the share of those with a
    sense whose sense is s or a kind of s. A component is 2 log P(s') / (log P(s) + log P(s')).

    >>> animals = {"poodle": ("dog",), "dog": ("animal",), "cat": ("animal",), "animal": ()}
    >>> taxonomy = Taxonomy({word: word for word in animals}, animals)
    >>> vectors = lin(["poodle", "dog", "cat", "cat"], taxonomy)
    >>> [word for word, _ in vectors.nearest("dog", 2)]
    ['poodle']
    """
    counts = Counter(word for word in words if word in taxonomy.senses)
    below: Counter[str] = Counter()
    for word, count in counts.items():
        for sense in taxonomy.above(taxonomy.senses[word]):
            below[sense] += count
    total = counts.total()
    information = {sense: -float(np.log(count / total)) for sense, count in below.items()}
    places = {sense: place for place, sense in enumerate(below)}
    data: list[float] = []
    columns: list[int] = []
    ends = [0]
    for word in counts:
        own = information[taxonomy.senses[word]]
        for sense in sorted(taxonomy.above(taxonomy.senses[word])):
            if information[sense] > 0:
                data.append(2 * information[sense] / (own + information[sense]))
                columns.append(places[sense])
        ends.append(len(columns))
    shape = (len(counts), len(places))
    return WordVectors(tuple(counts), sparse.csr_matrix((data, columns, ends), shape=shape))


def _lines(path: Path) -> Iterable[tuple[Place, list[str]]]:
    """Yield the lines after the licence, which is at the beginning and indented."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: has more than {_MAX_BYTES:,} bytes; give WordNet's own files")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({error}); give a folder with index.noun and data.noun of WordNet"
        ) from error
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith(" "):
            yield Place(str(path), number), line.partition("|")[0].split()


def _number(parts: list[str], at: int, place: Place, *, base: int = 10) -> int:
    try:
        return int(parts[at], base)
    except (IndexError, ValueError) as error:
        raise place.error("", f"field {at + 1} is not a number, so this is no file of WordNet's") from error

"""Vectors of words, from a file.

It is `.npz` with `words` (n texts) and `vectors` (n x d), or text: lines of a word and its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.arrays import Floats
from evaluation.errors import InputError, Place
from evaluation.predictions.compact import opened, read_array
from evaluation.readers.files import read_lines

MAX_LINE = 64 * 1024
MAX_WORDS = 2_000_000
MAX_BYTES = 2 * 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vector of each word, all of one length."""

    by_word: Mapping[str, Floats]
    length: int

    def of_texts(self, texts: Sequence[str]) -> Floats:
        """Return the mean vector of each text's words, of shape (texts, length); zeros if none is known."""
        found = np.zeros((len(texts), self.length))
        for at, text in enumerate(texts):
            known = [self.by_word[word] for word in text.lower().split() if word in self.by_word]
            if known:
                found[at] = np.mean(known, axis=0)
        return found


def read_vectors(path: Path) -> Vectors:
    """Return the vectors in a file. Raise InputError if it cannot be read."""
    found = _read_npz(path) if path.suffix == ".npz" else _read_text(path)
    if not found:
        raise InputError(f"{path}: has no word with a vector")
    return Vectors(found, len(next(iter(found.values()))))


def _read_npz(path: Path) -> dict[str, Floats]:
    place = Place(str(path))
    with opened(path) as archive:
        words, vectors = (read_array(archive, name, place, MAX_BYTES) for name in ("words", "vectors"))
    if words.dtype.kind != "U" or words.ndim != 1:
        raise place.error("words", "is not a list of texts")
    if vectors.dtype.kind not in "fiu" or vectors.ndim != 2 or words.shape != vectors.shape[:1]:
        raise place.error("vectors", f"are not numbers of shape ({len(words)}, d)")
    numbers = vectors.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise place.error("vectors", "have NaN or infinity")
    return {str(word): vector for word, vector in zip(words, numbers, strict=True)}


def _read_text(path: Path) -> dict[str, Floats]:
    found: dict[str, Floats] = {}
    length = 0
    for line, content in read_lines(path, MAX_LINE):
        place = Place(str(path), line)
        try:
            word, *numbers = content.decode().split()
            vector = np.array(numbers, dtype=np.float64)
        except ValueError as error:
            raise place.error("", f"is not a word and numbers: {error}") from error
        if line == 1 and len(numbers) == 1:
            continue  # word2vec's text files begin with the numbers of words and of dimensions
        length = length or len(vector)
        if not length or len(vector) != length:
            raise place.error("", f"has {len(vector)} numbers that should be {length or 'one or more'}")
        if not np.isfinite(vector).all():
            raise place.error("", "has NaN or infinity")
        found[word] = vector
        if len(found) > MAX_WORDS:
            raise place.error("", f"there are more than {MAX_WORDS:,} words")
    return found

"""Vectors of words, from a file.

It is `.npz` with `words` (n texts) and `vectors` (n x d), word2vec's binary (`.bin`, plain or gzip), or text:
lines of a word and its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from evaluation.arrays import Floats
from evaluation.errors import InputError, Place
from evaluation.predictions.compact import opened, read_array
from evaluation.readers.files import opened_file, read_lines

MAX_LINE = 64 * 1024
MAX_WORDS = 2_000_000
MAX_BYTES = 2 * 1024 * 1024 * 1024
MAX_WORD = 4_096
"""Bytes of a word of a binary file."""
MAX_DIMENSIONS = 10_000
MAX_ENTRIES = 20_000_000
"""Words of a binary file, of which only those are kept that can occur."""


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
    if path.suffix == ".npz":
        found = _read_npz(path)
    elif path.suffixes[-2:] == [".bin", ".gz"] or path.suffix == ".bin":
        found = _read_binary(path)
    else:
        found = _read_text(path)
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


def _read_binary(path: Path) -> dict[str, Floats]:
    """Read what word2vec writes with `-binary 1`: a line "words dimensions", then each word and its numbers.

    A word ends with a space. Its numbers are of 32 bits, the smallest byte first, and a line feed may follow.
    Words with capital letters are skipped, since words are looked up in lower case.
    """
    found: dict[str, Floats] = {}
    with opened_file(path) as file:
        words, length = _head_of_binary(file, path)
        for at in range(words):
            place = Place(str(path), f"word {at + 1:,} of {words:,}")
            word = _word_of_binary(file, place)
            content = file.read(4 * length)
            if len(content) < 4 * length:
                raise place.error("", f"has less than {length} numbers: the file ends early")
            if word != word.lower():
                continue
            vector = np.frombuffer(content, dtype="<f4").astype(np.float64)
            if not np.isfinite(vector).all():
                raise place.error("", "has NaN or infinity")
            found.setdefault(word, vector)
            if len(found) > MAX_WORDS or 4 * length * len(found) > MAX_BYTES:
                raise place.error("", f"there are more than {MAX_WORDS:,} words, or {MAX_BYTES:,} bytes")
        if file.read(2).strip():
            raise Place(str(path)).error("", f"has more than the {words:,} words that its first line says")
    return found


def _head_of_binary(file: BinaryIO, path: Path) -> tuple[int, int]:
    place = Place(str(path), 1)
    head = file.readline(64).split()
    if len(head) != 2 or not all(one.isdigit() for one in head):
        raise place.error(
            "", "is not the numbers of words and of dimensions, with which word2vec's .bin begins"
        )
    words, length = map(int, head)
    if not 0 < length <= MAX_DIMENSIONS:
        raise place.error("", f"says {length:,} dimensions, not from 1 to {MAX_DIMENSIONS:,}")
    if words > MAX_ENTRIES:
        raise place.error("", f"says {words:,} words, which is more than {MAX_ENTRIES:,}")
    return words, length


def _word_of_binary(file: BinaryIO, place: Place) -> str:
    """Return the word before the next space. What is no UTF-8 in it is replaced: no caption has it."""
    letters = bytearray()
    while (letter := file.read(1)) != b" ":
        if not letter:
            raise place.error("", "is missing: the file ends early")
        letters += letter
        if len(letters) > MAX_WORD:
            raise place.error("", f"has more than {MAX_WORD:,} bytes: this is no binary file of word2vec")
    return letters.decode("utf-8", errors="replace").lstrip("\n")


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

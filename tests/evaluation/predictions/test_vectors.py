"""Vectors of words are read, and a text has the mean of its words' vectors."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from evaluation.errors import InputError
from evaluation.predictions.vectors import read_vectors


def test_both_formats_are_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "v.npz", words=["dog", "red"], vectors=[[1.0, 0.0], [0.0, 2.0]])
    (tmp_path / "v.txt").write_text("2 2\ndog 1 0\nred 0 2\n")
    for name in ("v.npz", "v.txt"):
        vectors = read_vectors(tmp_path / name)
        assert vectors.of_texts(["Red dog", "a cat"]).tolist() == [[0.5, 1.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("dog 1 0\nred 0\n", r"v\.txt, line 2: has 1 numbers that should be 2"),
        ("dog 1 x\n", r"v\.txt, line 1: is not a word and numbers"),
        ("dog 1 nan\n", r"v\.txt, line 1: has NaN or infinity"),
        ("dog\nred\n", r"v\.txt, line 1: has 0 numbers that should be one or more"),
        ("", r"v\.txt: has no word with a vector"),
    ],
)
def test_a_bad_file_is_named(content: str, error: str, tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text(content)
    with pytest.raises(InputError, match=error):
        read_vectors(tmp_path / "v.txt")


def test_bad_arrays_are_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "v.npz", words=["dog"], vectors=[[1.0], [2.0]])
    with pytest.raises(InputError, match=r"v\.npz: vectors: are not numbers of shape \(1, d\)"):
        read_vectors(tmp_path / "v.npz")
    (tmp_path / "v.npz").write_bytes(b"x")
    with pytest.raises(InputError, match=r"v\.npz: is no \.npz file, or damaged"):
        read_vectors(tmp_path / "v.npz")
    for words in ("dog", ["dog"] * 2, [1]):
        np.savez(tmp_path / "v.npz", words=words, vectors=[[1.0]])
        with pytest.raises(InputError, match=r"v\.npz: (words: is not a list of texts|vectors: are not)"):
            read_vectors(tmp_path / "v.npz")


def binary(*words: tuple[bytes, list[float]], head: bytes | None = None, end: bytes = b"\n") -> bytes:
    """Return what word2vec writes: each word, a space, its numbers, and a line feed or nothing."""
    length = len(words[0][1])
    first = b"%d %d\n" % (len(words), length) if head is None else head
    return first + b"".join(w + b" " + np.array(v, dtype="<f4").tobytes() + end for w, v in words)


WORDS = ((b"dog", [1.0, 0.0]), (b"Dog", [9.0, 9.0]), (b"red", [0.0, 2.0]), (b"caf\xe9", [1.0, 1.0]))


@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize("name", ["v.bin", "v.bin.gz"])
def test_word2vecs_binary_files_are_read(name: str, end: bytes, tmp_path: Path) -> None:
    """A number may have the byte of a space or of a line feed in it, and words with capitals are left out."""
    spaces = np.frombuffer(b"    \n\n\n\n", dtype="<f4").tolist()
    content = binary(*WORDS, (b"sky", spaces), end=end)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    vectors = read_vectors(tmp_path / name)
    assert vectors.of_texts(["Red dog", "a cat", "sky"]).tolist() == [[0.5, 1.0], [0.0, 0.0], spaces]
    assert "Dog" not in vectors.by_word and len(vectors.by_word) == 4


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"dog 1 0\n", r"v\.bin, line 1: is not the numbers of words and of dimensions"),
        (b"1 0\n", r"v\.bin, line 1: says 0 dimensions, not from 1 to 10,000"),
        (b"30000000 2\n", r"v\.bin, line 1: says 30,000,000 words, which is more than"),
        (binary(*WORDS)[:-3], r"v\.bin, word 4 of 4: has less than 2 numbers: the file ends early"),
        (binary(*WORDS, head=b"5 2\n"), r"v\.bin, word 5 of 5: is missing: the file ends early"),
        (binary(*WORDS, head=b"2 2\n"), r"v\.bin: has more than the 2 words that its first line says"),
        (binary((b"dog", [np.nan, 1.0])), r"v\.bin, word 1 of 1: has NaN or infinity"),
        (binary((b"d" * 5000, [1.0])), r"v\.bin, word 1 of 1: has more than 4,096 bytes"),
        (binary((b"DOG", [1.0])), r"v\.bin: has no word with a vector"),
    ],
)
def test_a_damaged_binary_file_is_named(content: bytes, error: str, tmp_path: Path) -> None:
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(InputError, match=error):
        read_vectors(tmp_path / "v.bin")

"""Vectors of words are read, and a text has the mean of its words' vectors."""

from __future__ import annotations

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

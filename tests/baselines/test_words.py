"""Word vectors are learnt from captions, or read from the files that people have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from baselines.words import WordVectors, content_words

CAPTIONS = [
    content_words(f"a {colour} {thing} {where}".split())
    for colour in ("red", "blue", "green")
    for thing in ("shirt", "car", "ball")
    for where in ("outside", "near a lake")
] + [content_words(["two", "cats", "nap"])] * 5


def test_words_that_occur_in_the_same_places_are_alike() -> None:
    found = WordVectors(dimensions=8).fit(CAPTIONS)
    assert found.score("red", "blue") > 0.8 > found.score("red", "nap")
    assert found.score("red", "submarine") == 0.0


def test_the_same_seed_gives_the_same_vectors() -> None:
    first, second = (WordVectors(dimensions=4, seed=5).fit(CAPTIONS) for _ in range(2))
    assert first.words_ == second.words_ and np.array_equal(first.vectors_, second.vectors_)


def test_there_are_fewer_dimensions_than_words() -> None:
    found = WordVectors(dimensions=300).fit(CAPTIONS)
    assert found.vectors_.shape == (len(found.words_), len(found.words_) - 1)


def test_only_words_that_count_are_kept() -> None:
    assert content_words(
        ["The", "man", "'s", "dog", "and", "a", "Frisbee", ",", "in", "the", "air", "."]
    ) == (*("man", "dog", "frisbee", "in", "air"),)


def test_too_few_words_are_refused() -> None:
    with pytest.raises(ValueError, match="captions have 1 words that occur 2 times or more"):
        WordVectors(least=2).fit([("a", "a")])


def test_a_file_of_glove_or_word2vec_is_read(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("dog 1 0\ncat 0.5 0.5\n")
    (tmp_path / "word2vec.txt").write_text("2 2\ndog 1 0\ncat 0.5 0.5\n")
    for name in ("glove.txt", "word2vec.txt"):
        found = WordVectors.of_file(tmp_path / name)
        assert found.words_ == ("dog", "cat") and found.vectors_.tolist() == [[1, 0], [0.5, 0.5]]

"""Captions as lemmas with their kinds."""

from __future__ import annotations

import pytest

from baselines.ranking.words import NOUN, OTHER, VERB, Preparation, Word


@pytest.fixture(scope="module")
def preparation() -> Preparation:
    return Preparation()


def words(preparation: Preparation, text: str) -> list[str]:
    return [word.lemma for word in preparation.caption(text.split())]


def test_content_words_have_lemmas_and_kinds(preparation: Preparation) -> None:
    found = preparation.caption(
        ["The", "two", "black", "dogs", "were", "catching", "a", "ball", "in", "a", "garden", "."]
    )
    assert found == (
        Word("two", OTHER),
        Word("black", OTHER),
        Word("dog", NOUN),
        Word("catch", VERB),
        Word("ball", NOUN),
        Word("garden", NOUN),
    )


def test_case_and_marks_do_not_matter(preparation: Preparation) -> None:
    assert words(preparation, "A DOG, runs!") == ["dog", "run"]


@pytest.mark.parametrize(
    "written", ["t-shirts", "t shirts", "tshirts", "tee-shirts", "tee shirts", "T-Shirts"]
)
def test_compounds_are_written_in_one_way(preparation: Preparation, written: str) -> None:
    found = words(preparation, f"two men in {written}")
    assert found[-1].startswith("t-shirt")
    assert found == words(preparation, "two men in t-shirts")


def test_words_beside_a_compound_stay(preparation: Preparation) -> None:
    assert words(preparation, "a man in a t-shirt shirt") == ["man", "t-shirt", "shirt"]


@pytest.mark.parametrize("text", ["", ".", "' ' ,", "the"])
def test_a_caption_may_have_no_content_word(preparation: Preparation, text: str) -> None:
    assert preparation.caption(text.split()) == ()

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.tagger import Tagger

WORDS = ["A", "nun", "Nun", "goat", "walks", "walk", "running", "to", "the", "of", "and", "red"]
WORDS += [",", ".", "'", "xqzzk", "12", "Flurbish", "who", "is"]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger()


@settings(max_examples=100)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=20))
def test_the_likeliest_tags_are_those_that_hanta_finds(tagger: Tagger, sentence: list[str]) -> None:
    """A different search over the same model: HanTa's own."""
    assert tagger.tags(sentence) == tagger._model.tag_sent(sentence, taglevel=0)


def test_no_words_have_no_tags(tagger: Tagger) -> None:
    assert tagger.tags([]) == []


def test_a_very_long_word_is_read_by_its_ending(tagger: Tagger) -> None:
    letters = "qwzx" * 25
    assert tagger.readings(letters + "ness") == tagger.readings(letters[-26:] + "ness")
    assert len(tagger.tags(["a", letters])) == 2

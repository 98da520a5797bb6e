"""Which phrases are plural."""

from __future__ import annotations

import pytest

from evaluation.plurals import is_plural, number_named
from tests.shared import shared

PLURAL = (
    *("two dogs", "Two young men", "a group of people", "a crowd", "people", "several boats", "a couple"),
    *("firemen", "the children", "hats", "his hands", "12 players", "these fish", "a few bikes", "skis"),
    *("the band", "schoolchildren", "her feet", "a pair of shoes", "buses", "boxes"),
)
SINGULAR = (
    *("a man", "the dog", "blue jeans", "his glasses", "tennis", "a bus", "the grass", "a dress", "one dog"),
    *("1 dog", "a canvas", "water", "a woman", "red", "", "a gas mask", "pants", "scissors", "the campus"),
    *("a specimen", "us"),
)


@pytest.mark.parametrize("phrase", PLURAL)
def test_it_is_plural(phrase: str) -> None:
    assert is_plural(phrase.split())


@pytest.mark.parametrize("phrase", SINGULAR)
def test_it_is_singular(phrase: str) -> None:
    assert not is_plural(phrase.split())


def test_numbers_are_read_as_words_and_in_digits() -> None:
    named = {phrase: number_named(phrase.split()) for phrase in ("Three dogs", "12 men", "men", "one dog")}
    assert named == {"Three dogs": 3, "12 men": 12, "men": None, "one dog": None}
    assert number_named(["²", "dogs"]) is None
    assert number_named(["2015"]) is None  # a year


def test_about_a_fifth_of_the_real_phrases_are_plural() -> None:
    """The paper counts 21.8% of the phrases with boxes; these are all phrases of a few images."""
    folder = shared("data", "entities_sample", "Sentences")
    phrases = [
        part.partition("]")[0].split()[1:]
        for file in folder.glob("*.txt")
        for part in file.read_text(encoding="utf-8").split("[/EN#")[1:]
    ]
    share = sum(map(is_plural, phrases)) / len(phrases)
    assert len(phrases) > 50
    assert 0.1 < share < 0.45

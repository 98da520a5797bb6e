"""Compounds, spelling and lemmas of captions."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from evaluation.caption_cleaning import (
    UNLISTED,
    Change,
    as_lemmas,
    clean,
    compound_forms,
    count_words,
    spellings,
)
from evaluation.word_tags import tagger

WORDS = ("wearing", "standing", "bicycle", "basketball", "mountain", "sidewalk", "children", "background")


def test_the_compound_of_the_paper_is_written_in_one_way() -> None:
    texts = ["A t-shirt ."] * 9 + ["A t shirt .", "A tee-shirt .", "A tee shirt .", "A T shirt", "Tshirt !"]
    forms = compound_forms(count_words(texts))
    cleaned = [clean(text, forms, {})[0] for text in texts[9:]]
    assert cleaned == ["A t-shirt .", "A t-shirt .", "A t-shirt .", "A T-shirt", "T-shirt !"]


def test_the_most_frequent_form_counts_if_it_is_frequent_enough() -> None:
    assert compound_forms({"snow-board": 2, "snowboard": 40}) == {"snow-board": "snowboard"}
    assert compound_forms({"half-pipe": 40, "halfpipe": 2}) == {"halfpipe": "half-pipe"}
    assert compound_forms({"half-pipe": 4, "halfpipe": 2}) == {}


def test_a_possessive_is_no_letter_of_a_compound() -> None:
    forms = {"s shirt": "s-shirt"}
    assert clean("A man 's shirt", forms, {}) == ("A man 's shirt", [])


def test_planted_misspellings_are_found_and_nothing_else_is_changed() -> None:
    rng = random.Random(1)
    planted: dict[str, str] = {}
    for word in WORDS:
        at = rng.randrange(2, len(word) - 2)
        planted[word[:at] + word[at] + word[at:]] = word  # a letter twice
        planted[word[:at] + word[at + 1 :]] = word  # a letter missing
    counts = count_words([" ".join(WORDS)] * 200 + [" ".join(planted)])
    assert spellings(counts, WORDS) == planted
    assert spellings(counts) == {wrong: word for wrong, word in planted.items() if len(wrong) >= UNLISTED}


def test_a_list_also_corrects_short_words_and_wrong_letters() -> None:
    assert spellings({"shert": 1}, {"shirt", "dog"}) == {"shert": "shirt"}
    assert spellings({"shert": 1, "shirt": 900}) == {}
    assert spellings({"scaring": 1, "staring": 900}) == {}
    assert spellings({"staring": 900, "scaring": 900}, {"staring", "scaring"}) == {}


def test_words_of_one_stem_and_doubtful_corrections_are_left_alone() -> None:
    assert spellings({"trombone": 900, "trombones": 1}) == {}
    assert spellings({"starting": 300, "stating": 300, "statting": 1}, {"starting", "stating"}) == {}


def test_lemmas_name_what_they_replace() -> None:
    text, changes = as_lemmas(tagger().tag("Two dogs are running ."))
    assert text == "two dog be run ."
    assert Change("lemma", "dogs", "dog") in changes


@given(st.text(max_size=80))
def test_without_rules_a_text_stays_as_it_is(text: str) -> None:
    assert clean(text, {}, {}) == (text, [])

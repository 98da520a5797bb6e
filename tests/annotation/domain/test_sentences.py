from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.sentences import MAX_TOKENS, sentences


@pytest.mark.parametrize(
    "caption",
    [
        "A dog barks . | It runs !",
        'A sign says " Stop ! " | A car waits .',
        "A bottle of No . 5 perfume .",
        "a dog . a cat",  # lower case goes on
        "Wait ! ! ! | A dog .",
        "A dog",
    ],
)
def test_a_sentence_ends_with_its_mark(caption: str) -> None:
    parts = [part.split() for part in caption.split("|")]
    tokens = [token for part in parts for token in part]
    assert [tokens[start:end] for start, end in sentences(tokens)] == parts


def test_a_very_long_sentence_is_cut_after_its_last_comma_if_it_has_one() -> None:
    listed = ["a", "dog", ","] * 100
    first, second, *_ = sentences(listed)
    assert first == (0, MAX_TOKENS) and listed[first[1] - 1] == ","
    assert second[0] == MAX_TOKENS
    lengths = {end - start for start, end in sentences(["all"] * 5 * MAX_TOKENS)}
    assert lengths == {MAX_TOKENS}
    late_comma = [*["all"] * 100, ",", *["all"] * 100]
    assert list(sentences(late_comma)) == [(0, 101), (101, 201)]


@given(st.lists(st.sampled_from(["a", "Dog", ".", "!", '"', ",", "5"]), max_size=400))
def test_sentences_are_all_tokens_in_order_and_none_is_too_long(tokens: list[str]) -> None:
    spans = list(sentences(tokens))
    assert [place for start, end in spans for place in range(start, end)] == list(range(len(tokens)))
    assert all(0 < end - start <= MAX_TOKENS for start, end in spans)

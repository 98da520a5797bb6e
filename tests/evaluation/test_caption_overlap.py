"""Bleu and Rouge of many pairs are those of one pair at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.caption_overlap import bigrams, bleu_of_pairs, encode, rouge_of_pairs
from evaluation.pair_filter import random_pairs

CAPTIONS = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=12)


def bleu1(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the share of a caption's words that references have, each as often as the best one has it."""
    most: Counter[str] = Counter()
    for reference in references:
        most |= Counter(reference)
    return (Counter(candidate) & most).total() / len(candidate) if candidate else 0.0


def test_a_word_counts_as_often_as_the_best_reference_has_it() -> None:
    """The example of Papineni et al. 2002, section 2.1: "the" seven times has a clipped precision of 2/7."""
    references = [["the", "cat", "is", "on", "the", "mat"], ["there", "is", "a", "cat", "on", "the", "mat"]]
    captions = encode([["the"] * 7, *references], np.array([0, 1, 1]))
    assert bleu_of_pairs(captions, np.array([1]), np.array([0])).tolist() == pytest.approx([2 / 7])


@given(captions=CAPTIONS, data=st.data())
def test_bleu_of_pairs_is_that_of_one_pair_at_a_time(captions: list[list[str]], data: st.DataObject) -> None:
    owner = np.sort(np.array([data.draw(st.integers(0, 2)) for _ in captions]))
    references = np.array([data.draw(st.booleans()) for _ in captions])
    images, candidates = random_pairs(np.random.default_rng(1), int(owner.max()) + 1, len(captions), 20)
    found = bleu_of_pairs(encode(captions, owner), images, candidates, references)
    for image, candidate, bleu in zip(images, candidates, found, strict=True):
        own = [captions[at] for at in np.flatnonzero((owner == image) & references)]
        assert bleu == pytest.approx(bleu1(captions[candidate], own))


def test_parts_of_many_pairs_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    captions = [[str(one) for one in rng.integers(9, size=rng.integers(0, 5))] for _ in range(60)]
    encoded = encode(captions, np.repeat(np.arange(20), 3))
    images, candidates = random_pairs(rng, 20, 60, 500)
    whole = bleu_of_pairs(encoded, images, candidates)
    monkeypatch.setattr("evaluation.caption_overlap._TOKENS_AT_ONCE", 7)
    assert bleu_of_pairs(encoded, images, candidates).tolist() == whole.tolist()


def test_a_repeated_word_counts_as_often_as_one_reference_has_it() -> None:
    captions, owner = [["dog", "dog"], ["dog", "and", "dog", "dog"]], np.array([0, 1])
    asked = np.array([0]), np.array([1])
    assert bleu_of_pairs(encode(captions, owner), *asked).tolist() == [0.5]
    assert bleu_of_pairs(encode(captions, owner, clipped=False), *asked).tolist() == [0.75]


def rouge1(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return what a caption shares with each reference, over the words of all (R, section 4.2.2)."""
    shared = sum((Counter(candidate) & Counter(one)).total() for one in references)
    return shared / max(1, sum(map(len, references)))


@given(captions=CAPTIONS, data=st.data())
def test_rouge_of_pairs_is_that_of_one_pair_at_a_time(captions: list[list[str]], data: st.DataObject) -> None:
    owner = np.sort(np.array([data.draw(st.integers(0, 2)) for _ in captions]))
    references = np.array([data.draw(st.booleans()) for _ in captions])
    images, candidates = random_pairs(np.random.default_rng(1), int(owner.max()) + 1, len(captions), 20)
    found = rouge_of_pairs(encode(captions, owner), images, candidates, references)
    for image, candidate, rouge in zip(images, candidates, found, strict=True):
        own = [captions[at] for at in np.flatnonzero((owner == image) & references)]
        assert rouge == pytest.approx(rouge1(captions[candidate], own))


def test_bleu_2_is_above_zero_where_two_neighbours_are_shared() -> None:
    captions = [["a", "dog"], ["dog", "a"], ["the", "a", "dog"]]
    encoded = encode([bigrams(one) for one in captions], np.arange(3))
    found = bleu_of_pairs(encoded, np.array([0, 0]), np.array([1, 2]))
    assert found.tolist() == [0, 0.5]

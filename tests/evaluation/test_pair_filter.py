"""Which pairs of image and caption are asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.caption_words import content_words
from evaluation.pair_filter import below, bleu_of_pairs, cost, encode, pooled, random_pairs
from evaluation.readers.recognition import read_dataset
from tests.shared import shared

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
    monkeypatch.setattr("evaluation.pair_filter._TOKENS_AT_ONCE", 7)
    assert bleu_of_pairs(encoded, images, candidates).tolist() == whole.tolist()


def test_a_repeated_word_counts_as_often_as_one_reference_has_it() -> None:
    captions, owner = [["dog", "dog"], ["dog", "and", "dog", "dog"]], np.array([0, 1])
    asked = np.array([0]), np.array([1])
    assert bleu_of_pairs(encode(captions, owner), *asked).tolist() == [0.5]
    assert bleu_of_pairs(encode(captions, owner, clipped=False), *asked).tolist() == [0.75]


def test_a_short_list_pools_only_what_it_has() -> None:
    listed = np.array([[-1.0, -2.0, -4.0, -4.0]])  # a list of two of four items
    assert pooled(listed, 3).tolist() == [[True, True, False, False]]
    assert pooled(listed, 1).tolist() == [[True, False, False, False]]
    assert pooled(np.array([[1.0, -np.inf]]), 5).tolist() == [[True, False]]


def test_a_page_is_filled_up_with_captions_that_are_paid_for_too() -> None:
    alone = cost(np.array([3, 12]), judges=3, seconds=2, pay=0.1)
    assert (alone.judgments, alone.seconds, alone.pay) == (45, 90, 4.5)
    assert cost(np.array([3, 12]), judges=3, seconds=2, pay=0.1, together=10).judgments == 90
    assert cost(np.zeros(0, dtype=np.int64), judges=3, seconds=2, pay=0.1).judgments == 0


@pytest.mark.slow("it compares a million pairs of the real captions")
def test_the_filter_drops_of_the_real_captions_what_it_dropped_in_the_paper() -> None:
    dataset = read_dataset(shared("data", "flickr30k", "captions.token.gz"))
    texts = [" ".join(caption.tokens) for image in dataset.images for caption in image.captions]
    owner = np.array([at for at, image in enumerate(dataset.images) for _ in image.captions])
    encoded = encode([content_words(text) for text in texts], owner)
    pairs = random_pairs(np.random.default_rng(1), len(dataset.images), len(texts), 1_000_000)
    bleu = bleu_of_pairs(encoded, *pairs)
    # The paper's images are others, and its stop words, too.
    assert below(bleu, 0.25) / len(bleu) == pytest.approx(0.860, abs=0.01)
    assert below(bleu, 0.26) / len(bleu) == pytest.approx(0.904, abs=0.015)

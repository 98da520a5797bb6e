"""Which pairs of image and caption are asked about."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.caption_overlap import bleu_of_pairs, encode
from evaluation.caption_words import content_words
from evaluation.pair_filter import below, cost, pooled, random_pairs
from evaluation.readers.recognition import read_dataset
from tests.shared import shared


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

"""Figures of captions, on captions whose figures are known."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.caption_statistics import lengths, repeated, shares, shorter
from evaluation.readers.recognition import read_dataset
from tests.shared import shared


def test_words_are_counted_with_and_without_marks() -> None:
    found = lengths(["A well-lit room .", "Rooms", "a room"], [0, 0, 1])
    assert (found.images, found.captions) == (2, 3)
    assert found.words == pytest.approx(7 / 3)
    assert found.with_marks == pytest.approx(7 / 3)
    assert (found.different, found.once) == (5, 3)


def test_repeats_are_told_apart_by_where_they_are() -> None:
    within, across = repeated(["A dog", "a dog.", "a cat", "A cat !"], [0, 0, 1, 2])
    assert within.tolist() == [False, True, False, False]
    assert across.tolist() == [False, False, True, True]


def test_short_captions_have_fewer_words_than_asked_for() -> None:
    assert shorter(["one two three", "one - two ."], 3).tolist() == [False, True]


def test_the_interval_of_a_share_is_over_images() -> None:
    rng = np.random.default_rng(1)
    owner = np.repeat(np.arange(200), 5)
    alike = np.repeat(rng.random(200) < 0.3, 5)  # all captions of an image are alike
    found = shares({"alike": alike, "none": np.zeros(1000, dtype=bool)}, owner, rng, resamples=400)
    assert found["alike"].low < 0.3 < found["alike"].high
    wilson = 1.96 * np.sqrt(0.3 * 0.7 / 1000)  # what it would be over captions
    assert found["alike"].high - found["alike"].low > 3 * wilson
    assert (found["none"].value, found["none"].low, found["none"].high) == (0, 0, 0)


@pytest.mark.slow("it splits all real captions into words")
def test_the_real_captions_have_the_figures_that_the_documentation_names() -> None:
    dataset = read_dataset(shared("data", "flickr30k", "captions.token.gz"))
    owner = [at for at, image in enumerate(dataset.images) for _ in image.captions]
    found = lengths([" ".join(one.tokens) for image in dataset.images for one in image.captions], owner)
    assert (found.images, found.captions) == (31_014, 155_070)
    assert found.words == pytest.approx(12.32, abs=0.005)
    assert found.with_marks == pytest.approx(13.40, abs=0.005)

"""Equations 1 to 5 of Flickr30k Entities, and what its figure 12 says of equations 4 and 5."""

from __future__ import annotations

import numpy as np
import pytest

from baselines.cues import CUES, DETECTOR, Phrase, full_distance
from baselines.localization import PhraseLocalizer
from baselines.phrases import colour_of
from baselines.retrieval import PENALTY, caption_sums, combined_distance
from evaluation.arrays import Floats


def one(value: float) -> Floats:
    return np.array([value])


def test_equation_1_averages_cca_and_the_detector() -> None:
    assert full_distance(one(0.7), detector=one(0.9)) == pytest.approx(0.5 * 0.7 + 0.5 * 0.1)


def test_equation_2_prefers_large_regions() -> None:
    small, large = (full_distance(one(0.7), size=one(area), size_weight=0.1)[0] for area in (0.1, 0.9))
    assert small == pytest.approx(0.9 * 0.7 + 0.1 * 0.9)
    assert large == pytest.approx(0.9 * 0.7 + 0.1 * 0.1)


def test_equation_3_takes_both_weights_from_the_rest() -> None:
    found = full_distance(
        one(0.7), detector=one(0.9), size=one(0.3), size_weight=0.2, colour=one(0.6), colour_weight=0.25
    )
    assert found == pytest.approx((1 - 0.2 - 0.25) * 0.4 + 0.2 * 0.7 + 0.25 * 0.4)


def test_the_defaults_are_the_papers() -> None:
    model = PhraseLocalizer()
    assert (model.weights.size_weight, model.weights.detector_share) == (0.1, 0.5)
    assert model.weights.size_weights == dict.fromkeys(("scene", "vehicles", "instruments"), 0.2)
    assert (model.exemplars, model.dimensions, model.centres, model.components) == (10, 300, 30, 4096)
    assert model.cues == CUES and DETECTOR in model.cues


@pytest.mark.parametrize(
    ("words", "colour"),
    [
        (("red", "shirt"), "red"),
        (("grey", "hair"), "gray"),
        (("red", "and", "blue", "shirt"), ""),
        (("gray", "grey", "shirt"), "gray"),
        (("shirt",), ""),
    ],
)
def test_only_exactly_one_colour_counts(words: tuple[str, ...], colour: str) -> None:
    assert colour_of(words) == colour


FIGURE_12 = (
    ([0.76, 0.91, 0.89], 0.4927),
    ([0.69, 0.30, 0.89], 0.3618),
    ([0.48, 0.47, 0.35], 0.2502),
    ([0.43, 0.66, 0.74], 0.352),
    ([0.46, 0.56, 0.79, 0.87, 0.69], 0.301),
    ([0.43, 0.60, 0.85, 0.74], 0.3275),
    ([0.43, 0.69, 0.85, 0.74], 0.339),
)
"""The distances of each example's phrases. The last one is the one before it, with a digit misread."""


def phrase_distance(nearest: Floats, penalty: float = PENALTY) -> float:
    """Return the distance of a caption by those of its phrases."""
    phrases = [Phrase((str(place),), frozenset()) for place in range(len(nearest))]
    sums = caption_sums([phrases], {phrase: place for place, phrase in enumerate(phrases)}, penalty)
    return float((sums @ nearest)[0])


@pytest.mark.parametrize(("distances", "expected"), FIGURE_12)
def test_equation_4_gives_the_scores_of_figure_12(distances: list[float], expected: float) -> None:
    assert phrase_distance(np.array(distances)) == pytest.approx(expected, abs=6e-4)


def test_equation_4_is_the_mean_without_a_penalty() -> None:
    assert phrase_distance(np.array([0.2, 0.4]), penalty=1.0) == pytest.approx(0.3)


def test_a_larger_penalty_prefers_sentences_with_many_phrases() -> None:
    few, many = np.full(2, 0.6), np.full(5, 0.7)
    assert phrase_distance(few, penalty=1.0) < phrase_distance(many, penalty=1.0)
    assert phrase_distance(few) > phrase_distance(many)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((0.54, 0.49, 0.525), (0.58, 0.33, 0.505)),
        ((0.22, 0.36, 0.262), (0.23, 0.25, 0.236)),
        ((0.64, 0.35, 0.553), (0.66, 0.30, 0.552)),
    ],
)
def test_equation_5_puts_the_sentences_of_figure_12_into_its_order(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> None:
    """The first was nearest by the whole image alone; by both, the second is."""
    found = [combined_distance(one(whole), one(phrases))[0] for whole, phrases, _ in (first, second)]
    assert found == pytest.approx([first[2], second[2]], abs=1e-6)
    assert first[0] < second[0] and found[0] > found[1]

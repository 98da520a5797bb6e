"""Retrieval: distances by phrases, and what validation images choose for it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from baselines.cca import SCALINGS, Scaling
from baselines.cue_weights import first_best
from baselines.cues import Phrase
from baselines.retrieval import (
    PENALTY,
    WHOLE_SHARE,
    WITHOUT_PHRASES,
    ImageSentenceRetrieval,
    PhraseDistances,
    combined_distance,
    phrase_distances,
)
from baselines.retrieval_weights import PENALTIES, WHOLE_SHARES, mean_recall, tune_scaling, tune_shares
from evaluation.dataset import Caption, Dataset, Image, Mention, MentionKey
from tests.baselines.test_localization import Planted, dataset, image_of, small


def whole_model() -> ImageSentenceRetrieval:
    return ImageSentenceRetrieval(dimensions=4, centres=2).fit(dataset(24), Planted())


def made(*said: int) -> PhraseDistances:
    """Return distances at random of three images to captions with so many phrases each."""
    phrases = [Phrase((str(at),), frozenset()) for at in range(sum(said))]
    of_caption, at = [], 0
    for number in said:
        of_caption.append(tuple(phrases[at : at + number]))
        at += number
    nearest = np.random.default_rng(8).random((3, len(phrases)))
    return PhraseDistances(nearest, tuple(of_caption), {one: at for at, one in enumerate(phrases)})


@pytest.mark.parametrize("penalty", [1.0, 1.5, 2.0])
def test_equation_4_is_a_sum_over_the_phrases_of_each_caption(penalty: float) -> None:
    found = made(2, 0, 3)
    by_hand = [
        [sum(row[:2]) / 2**penalty, WITHOUT_PHRASES, sum(row[2:]) / 3**penalty]
        for row in found.nearest.tolist()
    ]
    assert found.of_captions(penalty) == pytest.approx(np.array(by_hand))


def test_chunks_without_a_word_that_counts_are_not_in_l() -> None:
    """A pronoun has no features. The caption has its own two things beside it."""
    base = image_of(3, ("red", "dog"), ("blue", "bus"))
    own = base.captions[0]
    pronoun = Mention(MentionKey(base.name, 0, 6, 7), ("she",), ("notvisual",), "")
    caption = Caption(0, (*own.tokens, "she"), (*own.mentions, pronoun))
    data = Dataset("one", (Image(base.name, 100, 100, "", (caption,), base.chains),))
    found = phrase_distances(small().fit(dataset(), Planted()), data, Planted())
    assert [len(one) for one in found.said] == [2] and found.nearest.shape == (1, 2)
    plain = Dataset("one", (base,))
    again = phrase_distances(small().fit(dataset(), Planted()), plain, Planted())
    assert found.of_captions() == pytest.approx(again.of_captions())


def test_the_scaling_is_that_with_the_best_mean_recall() -> None:
    model, data = whole_model(), dataset(12)
    own = np.eye(12, dtype=bool)
    reached = tune_scaling(model, data, Planted())
    assert {*reached} == {*SCALINGS}
    for scaling, mean in reached.items():
        model.rescale(scaling)
        assert mean == pytest.approx(mean_recall(model.whole_distance(data, Planted()), own), abs=0.02)
    tune_scaling(model, data, Planted())
    assert Scaling(model.eigenvalue, model.power) == first_best(reached)
    tune_scaling(model, data, Planted(), [Scaling("rho", 3.5)])
    assert (model.eigenvalue, model.power) == ("rho", 3.5)


def test_gamma_and_alpha_are_those_with_the_best_mean_recall() -> None:
    """Distances by phrases tell captions apart, and those of whole images only disturb."""
    model, own = whole_model(), np.eye(3, dtype=bool)
    by_phrases = made(1, 2, 3)
    right = np.zeros((3, 6))
    right[0, 1:], right[1, [0, 3, 4, 5]], right[2, :3] = 1, 1, 1
    exact = PhraseDistances(right, by_phrases.said, by_phrases.places)
    whole = 1.0 - np.roll(np.eye(3), 1, axis=0)
    reached = tune_shares(model, whole, exact, own)
    assert {*reached} == {(penalty, share) for penalty in PENALTIES for share in WHOLE_SHARES}
    for (penalty, share), mean in reached.items():
        distance = combined_distance(whole, exact.of_captions(penalty), whole_share=share)
        assert mean == pytest.approx(mean_recall(distance, own))
    assert (model.penalty, model.whole_share) == (PENALTY, 0.0)


def test_of_equally_good_pairs_the_papers_is_taken_and_what_is_given_is_kept() -> None:
    model, own = whole_model(), np.eye(3, dtype=bool)
    same = made(1, 1, 1)
    flat = PhraseDistances(np.full((3, 3), 0.5), same.said, same.places)
    tune_shares(model, np.full((3, 3), 0.5), flat, own)
    assert (model.penalty, model.whole_share) == (PENALTY, WHOLE_SHARE) == (1.5, 0.7)
    assert {*tune_shares(model, 1.0 - own, flat, own, penalty=1.1, whole_share=0.33)} == {(1.1, 0.33)}
    assert (model.penalty, model.whole_share) == (1.1, 0.33)


def test_an_older_model_file_keeps_its_power_and_has_one_crop(tmp_path: Path) -> None:
    model = ImageSentenceRetrieval(dimensions=4, centres=2, eigenvalue="rho", power=1.0, crops=1)
    model.fit(dataset(24), Planted()).save(tmp_path / "older.npz")
    with np.load(tmp_path / "older.npz") as file:
        arrays = {name: file[name] for name in file}
    about = json.loads(str(arrays["about"]))
    del about["parameters"]["eigenvalue"], about["parameters"]["crops"]
    np.savez(tmp_path / "older.npz", **{**arrays, "about": np.array(json.dumps(about))})
    again = ImageSentenceRetrieval.load(tmp_path / "older.npz")
    assert (again.eigenvalue, again.power, again.crops) == ("rho", 1.0, 1)
    found = again.whole_distance(dataset(5), Planted())
    assert found == pytest.approx(model.whole_distance(dataset(5), Planted()), abs=1e-5)

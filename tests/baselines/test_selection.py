"""Content selection learns from one part of a data set and is used on another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from baselines.selection import (
    BIGRAMS,
    NAMES,
    POSITION,
    RANDOM,
    SIZE,
    UNIGRAMS,
    ContentSelection,
    toy_sentence,
)
from evaluation.content_selection import Instances
from evaluation.errors import InputError


def image(*concepts: str, descriptions: tuple[tuple[int, ...], ...] = ()) -> Instances:
    """Return an image with a box for each concept, each smaller and further to the right than the last."""
    boxes = np.array([[40 * at, 0, 40 * at + 30 - at, 30 - at] for at in range(len(concepts))], dtype=float)
    return Instances(boxes, concepts, (400, 40), descriptions)


DEVELOPMENT = [
    image("dog", "man", "ball", descriptions=((1, 0, 2), (1, 0))),
    image("man", "hat", descriptions=((0, 1), (0,))),
]


@pytest.mark.parametrize(
    ("system", "selected"),
    [(SIZE, [0, 1, 2]), (POSITION, [2, 1, 0]), (UNIGRAMS, [2, 0, 1]), (BIGRAMS, [2, 0])],
)
def test_a_single_system_selects_in_its_order(system: str, selected: list[int]) -> None:
    model = ContentSelection(systems=(system,), most=3).fit(DEVELOPMENT)
    assert model.select(image("dog", "hat", "man")) == selected


def test_several_systems_are_combined_by_their_mean_rank() -> None:
    """The ranks are 1, 2, 3 by size and 2, 3, 1 by unigrams: on the mean, 1.5, 2.5 and 2."""
    model = ContentSelection(systems=(SIZE, UNIGRAMS), most=2).fit(DEVELOPMENT)
    unseen = image("dog", "hat", "man")
    assert model.score(unseen).tolist() == [-1.5, -2.5, -2.0]
    assert model.select(unseen) == [0, 2]


def test_what_a_system_does_not_select_has_the_mean_of_the_ranks_that_are_left() -> None:
    """N = 9 and Ns = 3 give the rank 6.5."""
    model = ContentSelection(systems=(BIGRAMS,)).fit(DEVELOPMENT)
    unseen = image("dog", "man", "ball", *("cup",) * 6)
    assert model.score(unseen).tolist() == [-2, -1, -3, *[-6.5] * 6]


def test_the_random_system_depends_on_the_seed_and_the_image() -> None:
    unseen = image(*("cup",) * 12)
    orders = {
        (seed, number): tuple(ContentSelection(systems=(RANDOM,), most=12, seed=seed).select(unseen, number))
        for seed in (1, 2)
        for number in (0, 1)
    }
    assert len({*orders.values()}) == 4
    again = ContentSelection(systems=(RANDOM,), most=12, seed=2).select(unseen, 1)
    assert orders[2, 1] == tuple(again)


def test_a_model_is_the_same_after_it_was_written_and_read(tmp_path: Path) -> None:
    model = ContentSelection(systems=NAMES, most=5, seed=7).fit(DEVELOPMENT)
    model.save(tmp_path / "model.npz")
    again = ContentSelection.load(tmp_path / "model.npz")
    assert again == model
    unseen = image("ball", "dog", "man")
    assert again.score(unseen).tolist() == model.score(unseen).tolist()


@pytest.mark.parametrize("systems", [(), ("size", "size"), ("size", "colour")])
def test_systems_that_cannot_be_meant_are_refused(systems: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="are not some of random, size"):
        ContentSelection(systems=systems)


def test_a_toy_sentence_names_each_selected_box_and_its_concept() -> None:
    sentence = toy_sentence(image("dog", "man", "ball"), [2, 0], np.random.default_rng(1))
    assert sentence.startswith("[Ball]2 ") and sentence.endswith(" [dog]0 .")


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.zeros(2))
    with pytest.raises(InputError, match=r"other\.npz: is no trained model; `train` writes one"):
        ContentSelection.load(tmp_path / "other.npz")

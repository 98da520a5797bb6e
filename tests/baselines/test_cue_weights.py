"""Validation images choose the scaling of the CCA and the weights of size and colour."""

from __future__ import annotations

import numpy as np
import pytest

from baselines.cca import SCALINGS, Scaling
from baselines.cue_weights import (
    LEAST_OF_TYPE,
    WEIGHTS,
    Validated,
    choose_colour,
    choose_sizes,
    first_best,
    tune,
    validate,
)
from baselines.cues import COLOUR, CUES, DETECTOR, SIZE, Evidence, Phrase, Weights, distances
from baselines.localize import outcomes_of, predict
from evaluation.dataset import Dataset
from evaluation.localization import queries
from tests.baselines.test_localization import PAIRS, Planted, dataset, image_of, small

SMALL_BOX, LARGE_BOX = 0, 1


def validated(*types: str, hit: int, nearer: float, mentions: int = 1) -> Validated:
    """Return an image with a phrase, a small region that CCA finds nearer by so much, and a large one."""
    return Validated(
        phrases=(Phrase(("thing",), frozenset(types)),),
        asked=np.array([mentions]),
        hits=mentions * np.eye(2, dtype=np.int64)[[hit]],
        cca=np.array([[[0.5, 0.5 + nearer]]]),
        evidence=Evidence((None,), (None,), np.array([0.0, 1.0])),
    )


def test_the_weight_of_the_size_is_chosen_for_each_type() -> None:
    """People are the small region, and scenes the large one, which a weight above 0.09 / 1.09 prefers."""
    every = [validated("people", hit=SMALL_BOX, nearer=0.09) for _ in range(LEAST_OF_TYPE)]
    every += [validated("scene", hit=LARGE_BOX, nearer=0.09, mentions=LEAST_OF_TYPE)]
    found = choose_sizes(small(), every, 0)
    assert {name: first_best(one) for name, one in found.items()} == {"people": 0.0, "scene": 0.2}
    assert found["people"] == {weight: LEAST_OF_TYPE * (weight < 0.09 / 1.09) for weight in WEIGHTS}


def test_a_weight_is_kept_if_no_other_is_better() -> None:
    """The large region is the nearest one with 0.1 and with all larger weights."""
    every = [validated("scene", "food", hit=LARGE_BOX, nearer=0.09, mentions=LEAST_OF_TYPE)]
    found = choose_sizes(small(size_weights={"scene": 0.2}), every, 0)
    assert {name: first_best(one) for name, one in found.items()} == {"scene": 0.2, "food": 0.1}


def test_a_type_with_few_mentions_has_no_choice() -> None:
    every = [validated("people", hit=SMALL_BOX, nearer=0.1, mentions=LEAST_OF_TYPE - 1)]
    assert choose_sizes(small(), every, 0) == {}


def test_a_mention_of_two_types_counts_for_both() -> None:
    every = [validated("people", "scene", hit=LARGE_BOX, nearer=0.1, mentions=LEAST_OF_TYPE)]
    assert {*choose_sizes(small(), every, 0)} == {"people", "scene"}


def test_of_several_types_the_largest_weight_counts() -> None:
    weights = Weights(size_weight=0.1, size_weights={"scene": 0.3, "people": 0.05})
    assert weights.size_of({"scene", "people"}) == 0.3
    assert weights.size_of({"people"}) == 0.05
    assert weights.size_of({"people", "food"}) == weights.size_of(()) == 0.1


def test_the_weight_of_the_colour_is_chosen_with_all_cues() -> None:
    """The second region has the colour that is named, and CCA finds the first nearer by 0.1."""
    one = Validated(
        phrases=(Phrase(("red", "hat"), frozenset()),),
        asked=np.array([1]),
        hits=np.array([[0, 1]]),
        cca=np.array([[[0.4, 0.5]]]),
        evidence=Evidence((None,), (np.array([0.2, 0.8]),), np.array([0.1, 0.1])),
    )
    model = small(size_weights={})
    found = choose_colour(model, [one], 0)
    by_hand = {weight: int((0.9 - weight) * 0.1 < weight * 0.6) for weight in WEIGHTS}
    assert found == by_hand and first_best(found) == 0.15


def test_what_is_reached_is_what_the_evaluation_counts() -> None:
    """By brute force: predictions with each scaling and weight are measured as those of a file."""
    model = small().fit(dataset(36), Planted())
    test = Dataset("test", tuple(image_of(at, *PAIRS[at % 3 : at % 3 + 3]) for at in range(50, 62)))
    asked = queries(test)
    every = list(validate(model, test.images, Planted(), SCALINGS))
    for at, scaling in enumerate(SCALINGS):
        model.rescale(scaling)
        regions = [model.regions(image, Planted()) for image in test.images]
        for cues in ((), (DETECTOR,), CUES):
            measured = outcomes_of(asked, predict(model, test.images, regions, cues=cues))
            near = [distances(one.cca[at], one.phrases, one.evidence, model.weights, cues) for one in every]
            reached = sum(one.reached(found) for one, found in zip(every, near, strict=True))
            assert reached == int((measured.rank == 1).sum())
    assert sum(int(one.asked.sum()) for one in every) == len(asked)


def test_a_model_gets_what_was_chosen_and_says_what_each_choice_reached() -> None:
    model = small().fit(dataset(36), Planted())
    validation = Dataset("val", tuple(image_of(at, PAIRS[at % 6]) for at in range(LEAST_OF_TYPE)))
    tuned = tune(model, validation, Planted())
    assert {*tuned.scalings} == {*SCALINGS} and {*tuned.sizes} == {"other"}
    assert Scaling(model.eigenvalue, model.power) == first_best(tuned.scalings)
    assert (model.cca_.eigenvalue, model.cca_.power) == (model.eigenvalue, model.power)
    assert model.size_weights["other"] == first_best(tuned.sizes["other"])
    assert model.colour_weight == first_best(tuned.colours)
    assert model.size_weights["scene"] == 0.2, "it has no validation mention"


def test_what_is_given_is_kept() -> None:
    model = small(size_weight=0.35, size_weights={}, colour_weight=0.45).fit(dataset(36), Planted())
    tuned = tune(model, dataset(24), Planted(), scalings=(Scaling("rho", 2.5),), size=False, colour=False)
    assert (model.size_weight, dict(model.size_weights), model.colour_weight) == (0.35, {}, 0.45)
    assert (model.cca_.eigenvalue, model.cca_.power) == ("rho", 2.5)
    assert (tuned.scalings, tuned.sizes, tuned.colours) == ({}, {}, {})


def test_nothing_is_chosen_for_cues_that_a_model_does_not_have() -> None:
    model = small(cues=(DETECTOR,)).fit(dataset(36), Planted())
    tuned = tune(model, dataset(24), Planted())
    assert tuned.sizes == {} and tuned.colours == {}
    model.cues = (SIZE, COLOUR)
    assert tune(model, dataset(24), Planted()).sizes


def test_without_a_mention_that_has_a_box_nothing_changes() -> None:
    model = small().fit(dataset(36), Planted())
    before = (model.eigenvalue, model.power, model.weights)
    assert tune(model, Dataset("empty", ()), Planted()).mentions == 0
    assert (model.eigenvalue, model.power, model.weights) == before


@pytest.mark.parametrize("reached", [{0.2: 4, 0.1: 5, 0.3: 5}, {0.1: 5, 0.3: 5}])
def test_of_equally_good_choices_the_first_is_taken(reached: dict[float, int]) -> None:
    assert first_best(reached) == 0.1

"""Content selection: the worked sets, people as the bound, and systems on an image made by hand."""

from __future__ import annotations

import math
from collections.abc import Set

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.content_selection import (
    Instances,
    by_bigrams,
    by_chance,
    by_position,
    by_size,
    by_unigrams,
    combine,
    count_concepts,
    human_bound,
    instances,
    ranks,
    score,
    select,
)
from evaluation.dataset import Caption, Chain, Dataset, Image, Mention, MentionKey

GOLD: list[Set[int]] = [{2, 0, 5, 3}, {2, 3}, {2, 5, 3}, {2, 3}, {2, 3}, {2, 5, 3}, {2, 5, 0, 3}]
"""Figure 2 of the paper: the boxes that seven descriptions of one image mention."""


@pytest.mark.parametrize(
    ("selected", "expected"), [({2, 3}, (1, 0.7619, 0.8649)), ({2, 0}, (0.6429, 0.4524, 0.5311))]
)
def test_the_worked_sets(selected: set[int], expected: tuple[float, float, float]) -> None:
    assert score(GOLD, selected) == pytest.approx(expected, abs=5e-5)


def test_people_are_the_bound() -> None:
    found = human_bound([GOLD])
    assert found.mean() == pytest.approx((0.8571, 0.8571, 0.8375), abs=5e-5)


def test_means_and_deviations_are_over_images() -> None:
    found = select([GOLD, [{1}]], [{2, 3}, {0}])
    assert found.precision.tolist() == [1, 0]
    assert found.mean()[0] == 0.5
    assert found.deviation()[0] == 0.5
    assert found.mean()[2] == pytest.approx(0.8649 / 2, abs=5e-5)
    with pytest.raises(ValueError, match="shorter"):
        select([GOLD], [])


def test_what_is_empty_is_worth_nothing_or_left_out() -> None:
    assert score(GOLD, set()) == (0, 0, 0)
    assert score([*GOLD, set()], {2, 3}) == score(GOLD, {2, 3})
    found = select([GOLD, [set()], []], [{2, 3}, {0}, set()])
    assert np.isnan(found.f).tolist() == [False, True, True]
    assert found.mean() == pytest.approx(score(GOLD, {2, 3}))
    assert np.isnan(human_bound([[{1}], [{1}, set()]]).f).all()
    assert all(map(math.isnan, select([[]], [set()]).mean() + select([[]], [set()]).deviation()))


@given(st.lists(st.frozensets(st.integers(0, 5)), max_size=5), st.frozensets(st.integers(0, 5)))
def test_f_lies_between_precision_and_recall(gold: list[frozenset[int]], selected: frozenset[int]) -> None:
    precision, recall, f = score(gold, selected)
    if any(gold):
        assert 0 <= precision <= 1 and 0 <= recall <= 1 + 1e-12
        assert min(precision, recall) - 1e-12 <= f <= max(precision, recall) + 1e-12
    else:
        assert math.isnan(f)


def test_what_was_not_selected_shares_the_mean_rank_that_is_left() -> None:
    assert ranks([4, 0, 8], 9)[1] == 6.5
    assert sorted(ranks([2, 0, 1], 3)) == [1, 2, 3]
    for selected in range(10):
        assert ranks(range(selected), 9).sum() == 45


def test_combining_is_the_mean_rank() -> None:
    # Ranks 1, 2, 3, 4 and 3, 3, 1, 3: means 2, 2.5, 2 and 3.5.
    assert combine([[0, 1, 2, 3], [2]], 4) == [0, 2, 1, 3]
    assert combine([[3, 1]], 4)[:2] == [3, 1]


def image() -> Image:
    """Return a picture of a man with a dog and two cups, with three captions."""
    boxes = {
        "man": np.array([[40.0, 10.0, 70.0, 90.0]]),
        "dog": np.array([[0.0, 60.0, 30.0, 90.0]]),
        "cups": np.array([[80.0, 0.0, 90.0, 10.0], [92.0, 0.0, 100.0, 10.0]]),
        "sky": np.empty((0, 4)),
    }
    captions = []
    for index, said in enumerate((("man", "dog"), ("man", "cups", "sky"), ("man",))):
        mentions = tuple(
            Mention(MentionKey("1.jpg", index, n, n + 1), ("A", name.title()), ("other",), name)
            for n, name in enumerate(said)
        )
        captions.append(Caption(index, (), mentions))
    chains = {name: Chain(name, ("other",), box) for name, box in boxes.items()}
    return Image("1.jpg", 100, 100, "test", tuple(captions), chains)


@pytest.fixture
def found() -> Instances:
    (one,) = instances(Dataset("made up", (image(),)))
    return one


def test_mentions_lead_to_chains_and_chains_to_boxes(found: Instances) -> None:
    assert found.concepts == ("man", "dog", "cups", "cups")
    assert found.descriptions == ((0, 1), (0, 2, 3), (0,))
    assert found.gold() == [{0, 1}, {0, 2, 3}, {0}]
    assert instances(Dataset("made up", (image(),)), split="val") == []


def test_systems_order_the_instances(found: Instances) -> None:
    assert by_size(found) == [0, 1, 2, 3]
    assert by_position(found) == [0, 1, 2, 3]
    assert sorted(by_chance(found, np.random.default_rng(1))) == [0, 1, 2, 3]
    counts = count_concepts([found])
    assert counts.unigrams == {"man": 3, "dog": 1, "cups": 2}
    assert by_unigrams(found, counts) == [0, 2, 3, 1]
    assert counts.bigrams["", "man"] == 3
    assert by_bigrams(found, counts) == [0, 1]  # nothing ever came after the dog
    assert by_bigrams(found, count_concepts([])) == []


def test_the_unknown_centre_is_that_of_the_instances(found: Instances) -> None:
    unknown = Instances(found.boxes, found.concepts, (0, 0), found.descriptions)
    assert by_position(unknown)[0] == 0


def test_more_instances_raise_recall_and_lower_precision(found: Instances) -> None:
    figures = [score(found.gold(), set(by_size(found)[:k])) for k in range(1, 5)]
    recalls = [recall for _, recall, _ in figures]
    assert recalls == sorted(recalls)
    assert figures[0][0] == 1 > figures[-1][0]

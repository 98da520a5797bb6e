"""Content selection: the worked sets, people as the bound, and systems on an image made by hand."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.content_selection import (
    Instances,
    Labelled,
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
    assert human_bound([[{1}, {1, 2}]]).f.tolist() == pytest.approx([2 / 3])  # two are enough
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


def test_the_pool_has_boxes_that_nobody_mentions() -> None:
    """Figure 2 of the paper: seven boxes, of which captions mention four."""
    tree = np.array([[5.0, 5.0, 9.0, 9.0]])
    (one,) = instances(Dataset("made up", (replace(image(), unmentioned=tree),)))
    assert one.boxes[4].tolist() == [5, 5, 9, 9]
    assert one.concepts[4] == ""
    assert one.gold() == [{0, 1}, {0, 2, 3}, {0}]
    known = replace(image(), unmentioned=image().chains["man"].boxes)
    (same,) = instances(Dataset("made up", (known,)))
    assert len(same.boxes) == 4  # a box that is equal to a mentioned one is no other instance


def test_labelled_boxes_are_the_pool_in_their_order() -> None:
    boxes = np.array([[5.0, 5, 9, 9], [0, 61, 30, 90], [40, 10, 70, 90], [80, 0, 90, 10]])
    labelled = Labelled(boxes, ("tree", "dog.n.01", "man", "cup"))
    (one,) = instances(Dataset("made up", (image(),)), labelled={"1.jpg": labelled})
    # The dog of the caption is 29/30 of the labelled one, and the second cup is in no file.
    assert one.boxes.tolist() == [*boxes.tolist(), [92, 0, 100, 10]]
    assert one.concepts == ("tree", "dog.n.01", "man", "cup", "cups")
    assert one.descriptions == ((2, 1), (2, 3, 4), (2,))


def test_with_unmentioned_boxes_people_are_better_than_chance() -> None:
    """With six other boxes, the mean of all selections of two is far below people."""
    gold: list[Set[int]] = [{0, 1}, {0, 1}, {0}]
    means = [score(gold, set(chosen))[2] for chosen in combinations(range(8), 2)]
    assert np.mean(means) < 0.3 < human_bound([gold]).mean()[2]


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

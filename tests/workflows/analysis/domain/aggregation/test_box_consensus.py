from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box, iou
from evaluation.significance import Estimate
from workflows.analysis.domain.aggregation.box_consensus import against_gold, box_alpha, cluster, mean_iou

DOG, BALL = Box(100, 100, 200, 200), Box(400, 300, 440, 340)
edges = st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 8), st.integers(1, 8))
boxes = st.builds(lambda e: Box(e[0] * 5, e[1] * 5, (e[0] + e[2]) * 5, (e[1] + e[3]) * 5), edges)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def moved(box: Box, by: int) -> Box:
    return Box(box.left + by, box.top + by, box.right + by, box.bottom + by)


def test_boxes_of_several_workers_become_their_median() -> None:
    found = cluster([("a", DOG), ("b", moved(DOG, 4)), ("c", moved(DOG, 6)), ("d", BALL)])
    assert [(each.box, each.support) for each in found] == [(moved(DOG, 4), 3), (BALL, 1)]
    assert found[0].members == (0, 1, 2) and found[0].workers == ("a", "b", "c")


def test_a_worker_supports_a_box_once() -> None:
    assert cluster([("a", DOG), ("a", moved(DOG, 2))])[0].support == 1


def test_no_boxes_make_no_clusters() -> None:
    assert cluster([]) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), boxes), max_size=8), st.randoms(use_true_random=False))
def test_clusters_are_tight_complete_and_the_same_in_any_order(
    drawn: list[tuple[str, Box]], shuffled: random.Random
) -> None:
    found = cluster(drawn, same=0.5)
    assert sorted(place for each in found for place in each.members) == list(range(len(drawn)))
    for each in found:
        assert (
            len({each.box, *(drawn[n][1] for n in each.members)}) > 1 or each.box == drawn[each.members[0]][1]
        )
    other = shuffled.sample(drawn, len(drawn))
    assert [each.box for each in cluster(other, same=0.5)] == [each.box for each in found]
    assert [each.support for each in cluster(other, same=0.5)] == [each.support for each in found]


def test_a_gold_box_that_the_crowd_does_not_find_is_suspicious() -> None:
    drawn = [("a", DOG), ("b", moved(DOG, 3)), ("c", moved(DOG, 5)), ("d", None)]
    found = against_gold(drawn, [BALL])
    assert found is not None and found.support == 3
    assert against_gold(drawn, [BALL, moved(DOG, 1)]) is None
    # also if the gold says that nothing is missing
    assert against_gold(drawn, []) is not None


@pytest.mark.parametrize(
    "drawn",
    [
        [],
        [("a", None), ("b", None), ("c", None)],
        [("a", DOG), ("b", DOG)],  # too few
        [("a", DOG), ("b", DOG), ("c", DOG), ("d", None), ("e", None), ("f", BALL)],  # no majority
        [("a", DOG), ("a", DOG), ("a", DOG)],  # one worker
    ],
)
def test_a_crowd_that_does_not_agree_says_nothing_of_gold(drawn: list[tuple[str, Box | None]]) -> None:
    assert against_gold(drawn, [BALL]) is None


def test_mean_iou_is_of_pairs_by_subject() -> None:
    half = Box(100, 100, 200, 150)
    found = mean_iou([[DOG, half], [DOG, DOG, DOG], [BALL]], rng())
    assert found.value == pytest.approx((0.5 + 1) / 2)
    assert found.low == pytest.approx(0.5) and found.high == pytest.approx(1)


def test_one_box_a_subject_has_no_mean_iou() -> None:
    assert mean_iou([[DOG], []], rng()) == Estimate(None, reason="no subject has two boxes")


def test_alpha_of_boxes_is_one_for_equal_and_nothing_for_chance() -> None:
    generator = random.Random(4)
    places = [moved(BALL, 60 * n) for n in range(30)]
    same = box_alpha([[place, place] for place in places], rng())
    assert (same.value, same.low, same.high) == (1, 1, 1)
    chance = box_alpha([[generator.choice(places), generator.choice(places)] for _ in range(600)], rng())
    assert chance.value == pytest.approx(0, abs=0.05)


def test_alpha_of_boxes_without_overlap_is_the_nominal_one() -> None:
    """Krippendorff 2011, section B: letters are boxes far from each other, and `e` is no further box."""
    letters = {letter: moved(BALL, 100 * n) for n, letter in enumerate("abcd")}
    pairs = zip("aabbdcccedda", "babbbccceddd", strict=True)
    found = box_alpha([[letters.get(a), letters.get(b)] for a, b in pairs], rng(), resamples=0)
    assert found.value == pytest.approx(0.692, abs=5e-4)


def test_alpha_of_boxes_counts_how_far_they_overlap() -> None:
    near = box_alpha([[DOG, moved(DOG, 2)], [BALL, BALL]], rng(), resamples=0)
    far = box_alpha([[DOG, moved(DOG, 40)], [BALL, BALL]], rng(), resamples=0)
    assert near.value is not None and far.value is not None and near.value > far.value
    assert iou(DOG, moved(DOG, 2)) > iou(DOG, moved(DOG, 40))


def test_alpha_of_many_boxes_looks_at_a_sample() -> None:
    subjects = [[moved(BALL, 60 * n), moved(BALL, 60 * n + 1)] for n in range(1500)]
    found = box_alpha(subjects, rng(), resamples=20)
    assert found.value is not None and found.value > 0.9


@pytest.mark.parametrize("subjects", [[], [[DOG]], [[None, None], [None, None]], [[DOG, DOG]]])
def test_without_difference_there_is_no_alpha_of_boxes(subjects: list[list[Box | None]]) -> None:
    found = box_alpha(subjects, rng())
    assert found.value is None and found.reason in ("no item has two judgments", "all answers are alike")

"""Which boxes become suggestions: rounded, inside the image, above the threshold, and not on each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box, iou
from evaluation.arrays import Floats
from evaluation.predictions.parts import rank
from evaluation.ragged import RaggedBoxes, RankedBoxes
from workflows.suggestions.domain.choice import Choice, choose

OVERLAP = "overlapping a better one, or beyond the best"


def ranked(*lists: Sequence[tuple[float, ...]]) -> RankedBoxes:
    """Return lists of (left, top, right, bottom, score), the best first."""
    boxes = np.array([box[:4] for one in lists for box in one], dtype=float).reshape(-1, 4)
    scores = np.array([box[4] for one in lists for box in one], dtype=float)
    return rank(boxes, scores, np.array([len(one) for one in lists]))


def sizes(count: int, width: int = 100, height: int = 80) -> Floats:
    return np.tile(np.array([[width, height]], dtype=float), (count, 1))


def test_boxes_are_rounded_clipped_and_chosen_for_each_mention() -> None:
    found, left_out = choose(
        ranked(
            [(9.5, 10.49, 50, 60, 0.91234567), (9, 10, 50, 60, 0.5), (-5, 70, 30, 99, 0.2)],
            [],
            [(60, 60, 60.4, 70, 0.9), (120, 0, 150, 20, 0.8), (1, 1, 3, 3, 0.1)],
        ),
        sizes(3),
        choice=Choice(threshold=0.15),
    )
    assert found == [[[10, 10, 50, 60, 0.9123], [0, 70, 30, 80, 0.2]], [], []]
    assert left_out == {"below the threshold": 1, "empty or outside of the image": 2, OVERLAP: 1}


def test_equal_scores_keep_the_threshold_and_the_order() -> None:
    boxes = [(0.0, 0.0, 9.0, 9.0, 0.5), (20.0, 20.0, 30.0, 30.0, 0.5)]
    found, left_out = choose(ranked(boxes), sizes(1), choice=Choice(threshold=0.5))
    assert found == [[[0, 0, 9, 9, 0.5], [20, 20, 30, 30, 0.5]]] and not left_out


def test_without_suppression_only_the_same_box_is_left_out() -> None:
    boxes = [(0.0, 0.0, 100.0, 80.0, 0.9), (0.0, 0.0, 99.0, 80.0, 0.8), (0.2, 0.0, 99.0, 80.0, 0.7)]
    found, left_out = choose(ranked(boxes), sizes(1), choice=Choice(suppression=None))
    assert [box[4] for box in found[0]] == [0.9, 0.8] and left_out == {OVERLAP: 1}


def test_a_mention_gets_its_best_twenty() -> None:
    boxes = [(4.0 * n, 0.0, 4.0 * n + 3, 5.0, float(n)) for n in range(25)]
    found, left_out = choose(ranked(boxes), sizes(1), choice=Choice())
    assert [box[4] for box in found[0]] == list(range(24, 4, -1)) and left_out == {OVERLAP: 5}


edge = st.integers(-3, 15)


@pytest.mark.parametrize("suppression", [0.3, 0.7, None])
@given(boxes=st.lists(st.tuples(edge, edge, edge, edge, st.integers(0, 9)), max_size=8))
def test_it_agrees_with_choosing_one_box_after_the_other(
    suppression: float | None, boxes: list[tuple[float, ...]]
) -> None:
    choice = Choice(threshold=3, suppression=suppression)
    found, _ = choose(ranked(boxes), sizes(1, 12, 10), choice=choice)
    kept: list[Box] = []
    for left, top, right, bottom, score in sorted(boxes, key=lambda box: -box[4]):
        edges = max(left, 0), max(top, 0), min(right, 12), min(bottom, 10)
        if score < 3 or edges[0] >= edges[2] or edges[1] >= edges[3]:
            continue
        box = Box(*map(int, edges))
        if all(box != one if suppression is None else iou(box, one) <= suppression for one in kept):
            kept.append(box)
    assert [tuple(box[:4]) for box in found[0]] == [box.edges for box in kept]


def test_nothing_at_all_is_chosen_from_nothing() -> None:
    none = RankedBoxes(RaggedBoxes.of([np.empty((0, 4))] * 2), np.empty(0))
    assert choose(none, sizes(2), choice=Choice(threshold=0.1)) == ([[], []], {})

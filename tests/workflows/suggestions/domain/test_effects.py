"""What suggestions do: figures with and without them, checked by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from workflows.suggestions.domain.effects import BINS, Bin, Drawing, Figure, effects, share_of


def drawings() -> list[Drawing]:
    return [
        Drawing(
            image=1,
            suggested=(0.9, 0.3),
            accepted=frozenset({0}),
            adjusted=frozenset({1}),
            checked=frozenset({0}),
            boxes=2,
            good=1,
            judged=2,
            sides=(0.2, 0.4),
            seconds=10,
            overlooked=False,
        ),
        Drawing(2, (), boxes=0, seconds=20, overlooked=True),
        Drawing(3, None, boxes=1, good=1, judged=1, sides=(0.5,), seconds=40, overlooked=False),
        Drawing(4, None, boxes=2, seconds=50),
    ]


def test_photographs_with_and_without_suggestions_are_compared() -> None:
    found = effects(drawings(), {7: (4, 1), 8: (6, 5)}, random.Random(1))
    assert (found.with_them.answers, found.without.answers) == (2, 2)
    assert (found.with_them.seconds.value, found.without.seconds.value) == (15, 45)
    assert (found.with_them.boxes.value, found.without.boxes.value) == (1, 1.5)
    assert (found.with_them.good.value, found.without.good.value) == (0.5, 1)
    assert found.with_them.side.value == pytest.approx(0.3)
    assert (found.with_them.overlooked.value, found.without.overlooked.value) == (0.5, 0)
    assert found.bins[4] == Bin(0.8, 1, 1, 0, checked=1, right=0) and found.bins[1] == Bin(0.2, 1, 0, 1)
    assert sum(one.shown for one in found.bins) == 2
    assert (found.bad_shown, found.bad_accepted) == (10, 6)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_interval_of_a_share_is_exact(part: int, more: int) -> None:
    found = share_of(part, part + more)
    if not part + more:
        assert found == Figure(None)
        return
    exact = binomtest(part, part + more).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    assert found.value == part / (part + more)


def test_without_answers_there_are_no_figures() -> None:
    found = effects([], {}, random.Random(1))
    assert found.with_them.seconds == Figure(None) and found.bad_shown == 0


@given(st.randoms(), st.lists(st.tuples(st.integers(1, 6), st.booleans(), st.integers(0, 3)), max_size=20))
def test_the_order_of_answers_does_not_matter_and_intervals_hold_their_figure(
    shuffle: random.Random, rows: list[tuple[int, bool, int]]
) -> None:
    some = [
        Drawing(
            image,
            (0.5,) if image % 2 else None,
            boxes=boxes,
            good=boxes * good,
            judged=boxes,
            seconds=boxes + 1.0,
        )
        for image, good, boxes in rows
    ]
    before = effects(some, {}, random.Random(2))
    shuffle.shuffle(some)
    assert effects(some, {}, random.Random(2)) == before
    for group in (before.with_them, before.without):
        for figure in (group.seconds, group.boxes, group.good):
            if figure.low is not None and figure.high is not None and figure.value is not None:
                assert figure.low <= figure.high
    assert len(before.bins) == BINS

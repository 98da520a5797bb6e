"""Which images get suggestions, and what a worker's box owes to one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import AbstentionKind, BoxesAnswer, DrawingAnswer, LinkAnswer, NoBoxes
from annotation.domain.geometry import Box
from annotation.domain.suggested import (
    LAST_BIT,
    BoxOrigin,
    Origin,
    copied_bits,
    count_shown,
    gets_suggestions,
    large_enough,
    origin_of,
    origins,
)

DOG, CAT = [10, 10, 50, 60, 0.9], [100, 0, 120, 40, None]


@pytest.mark.parametrize("without", [0.0, 0.1, 0.5, 1.0])
def test_the_share_of_images_without_suggestions_is_as_it_is_set(without: float) -> None:
    images = 20_000
    shown = sum(gets_suggestions(seed=3, image=image, without=without) for image in range(images))
    # Fixed seeds: it is the same in every run. 4 standard deviations say that nothing is wrong.
    assert abs(shown / images - (1 - without)) <= 4 * math.sqrt(without * (1 - without) / images)


def test_batches_with_other_seeds_choose_other_images() -> None:
    one, other = (
        [gets_suggestions(seed=seed, image=image, without=0.5) for image in range(10_000)]
        for seed in (-(2**63), 2**63 - 1)
    )
    agree = sum(a == b for a, b in zip(one, other, strict=True))
    assert abs(agree - 5000) < 4 * 50


def test_neighbouring_images_say_nothing_of_each_other() -> None:
    shown = [gets_suggestions(seed=1, image=image, without=0.5) for image in range(10_000)]
    for step in (1, 2, 10):
        same = sum(a == b for a, b in zip(shown, shown[step:], strict=False))
        assert abs(same - len(shown) / 2) < 4 * math.sqrt(len(shown)) / 2


def test_boxes_that_a_batch_refuses_are_not_suggested_in_it() -> None:
    assert large_enough([DOG, [0, 0, 4, 3, 1.0], CAT], 4) == [DOG, CAT]


@pytest.mark.parametrize(
    ("box", "suggestion", "origin"),
    [
        (Box(10, 10, 50, 60), None, BoxOrigin(Origin.DRAWN)),
        (Box(10, 10, 50, 60), DOG, BoxOrigin(Origin.ACCEPTED, 1.0, 0.9)),
        (Box(10, 10, 50, 35), DOG, BoxOrigin(Origin.ADJUSTED, 0.5, 0.9)),
        (Box(100, 0, 121, 40), CAT, BoxOrigin(Origin.ADJUSTED, 0.9524, None)),
        (Box(0, 0, 5, 5), DOG, BoxOrigin(Origin.ADJUSTED, 0.0, 0.9)),
    ],
)
def test_a_box_is_drawn_accepted_or_adjusted(
    box: Box, suggestion: list[float | None] | None, origin: BoxOrigin
) -> None:
    assert origin_of(box, suggestion) == origin


def test_a_copied_box_counts_as_accepted_whatever_the_answer_says_of_it() -> None:
    answer = BoxesAnswer(
        (Box(10, 10, 50, 60), Box(100, 0, 120, 40), Box(1, 1, 2, 2), Box(11, 10, 50, 60)),
        suggestions=(None, 0, None, 1),
    )
    found = [one.origin for one in origins(answer, [DOG, CAT])]
    assert found == [Origin.ACCEPTED, Origin.ACCEPTED, Origin.DRAWN, Origin.ADJUSTED]
    assert copied_bits(origins(answer, [DOG, CAT])) == 0b0011
    assert [one.origin for one in origins(BoxesAnswer(answer.boxes), [])] == [Origin.DRAWN] * 4


def test_other_answers_have_no_boxes_to_ask_about() -> None:
    assert origins(LinkAnswer(True), [DOG]) == [] == origins(BoxesAnswer(none=NoBoxes.DONE), [DOG])


@given(st.lists(st.booleans(), max_size=100))
def test_the_bits_say_which_boxes_are_copies_and_fit_a_column(copies: list[bool]) -> None:
    bits = copied_bits([BoxOrigin(Origin.ACCEPTED if one else Origin.DRAWN) for one in copies])
    assert 0 <= bits < 2**63
    for place, copied in enumerate(copies):
        said = bool(bits >> min(place, LAST_BIT) & 1)
        assert said == (copied if place < LAST_BIT else any(copies[LAST_BIT:]))


def test_one_box_has_its_origin_too() -> None:
    box = Box(10, 10, 50, 60)
    assert origins(DrawingAnswer(box), [DOG]) == [BoxOrigin(Origin.ACCEPTED, 1.0, 0.9)]
    assert origins(DrawingAnswer(Box(10, 10, 50, 35), suggestion=0), [DOG]) == [
        BoxOrigin(Origin.ADJUSTED, 0.5, 0.9)
    ]
    assert origins(DrawingAnswer(Box(0, 0, 9, 9)), [DOG]) == [BoxOrigin(Origin.DRAWN)]
    assert origins(DrawingAnswer(None), [DOG]) == origins(AbstentionKind.UNSURE, [DOG]) == []


def test_suggestions_were_seen_if_the_client_says_so_or_a_box_is_from_one() -> None:
    drawn, moved = BoxOrigin(Origin.DRAWN), BoxOrigin(Origin.ADJUSTED, 0.5)
    assert count_shown([DOG, CAT], [drawn], told=True) == 2
    assert count_shown([DOG, CAT], [drawn], told=False) is None
    assert count_shown([DOG, CAT], [drawn, moved], told=False) == 2
    assert count_shown([], [drawn], told=False) == 0

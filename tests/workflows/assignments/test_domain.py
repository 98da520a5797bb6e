from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.page_entries import ITEM, QUESTION, merge_entries, place_questions
from workflows.assignments.domain import (
    NEVER,
    Sighting,
    entrance_questions,
    match_questions,
    most_of,
    order_items,
    room_for_entrances,
    share_beside,
    share_of,
    sightings,
)

CANDIDATES = st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 12)), unique_by=lambda c: c[0])
TIMES = st.integers(0, 3)
SEEN = st.dictionaries(
    st.integers(1, 12), st.builds(Sighting, TIMES, st.integers(1, 5), TIMES, st.integers(1, 9))
)


def test_a_page_is_merged_from_its_two_lists() -> None:
    assert merge_entries([7, 8, 9], [[0, 70], [2, 71]]) == [
        (QUESTION, 70),
        (ITEM, 7),
        (QUESTION, 71),
        (ITEM, 8),
        (ITEM, 9),
    ]
    assert merge_entries([], [[0, 1], [1, 2]]) == [(QUESTION, 1), (QUESTION, 2)]
    assert merge_entries([3], []) == [(ITEM, 3)]


@given(st.lists(st.integers(1, 99), unique=True), st.lists(st.integers(1, 99), unique=True), st.integers())
def test_merging_keeps_everything_in_its_order(items: list[int], questions: list[int], seed: int) -> None:
    merged = merge_entries(items, place_questions(len(items), questions, Random(seed)))
    assert [pk for kind, pk in merged if kind == ITEM] == items
    assert [pk for kind, pk in merged if kind == QUESTION] == questions


def test_every_place_is_equally_likely() -> None:
    rng = Random(1)
    counts = Counter(where for _ in range(5000) for where, _ in place_questions(8, [1, 2], rng))
    assert set(counts) == set(range(10))
    assert all(850 < count < 1150 for count in counts.values()), "1000 each, six standard deviations"


@pytest.mark.parametrize(("size", "share"), [(10, 0.2), (10, 0.02), (5, 0.02), (5, 0.5), (7, 0.31)])
def test_shares_are_exact_in_the_mean(size: int, share: float) -> None:
    """PROTOCOL "Quality control": 2% verification questions, and 20%."""
    rng = Random(2)
    drawn = [share_of(size, share, rng) for _ in range(20_000)]
    assert set(drawn) <= {int(size * share), int(size * share) + 1}
    assert abs(sum(drawn) / 20_000 - size * share) < 0.02
    beside = [share_beside(size, share, rng) for _ in range(20_000)]
    mean = sum(beside) / 20_000
    assert abs(mean / (mean + size) - share) < 0.01


def test_a_share_without_a_remainder_is_no_matter_of_chance() -> None:
    assert {share_of(10, 0.2, Random(seed)) for seed in range(50)} == {2}
    assert {share_of(10, 0.0, Random(seed)) for seed in range(50)} == {0}


def test_sightings_say_how_often_and_how_lately() -> None:
    pages = [("drawing", [1, 2]), ("drawing", [2, 3, 3]), ("link", [1]), ("coverage", [3, 4])]
    assert sightings(pages, "drawing", among=range(9)) == {
        1: Sighting(earlier=1, here=1, ago=1),
        2: Sighting(here=2, ago=1),
        3: Sighting(here=2, later=1, ago=2),
        4: Sighting(later=1, ago=4),
    }
    assert sightings(pages, "link", among=[1, 9]) == {1: Sighting(here=1, later=1, ago=1)}
    stages = ("link", "drawing", "coverage")
    assert [sightings(pages, stage, among=[3])[3].times for stage in stages] == [3, 3, 3]


@given(CANDIDATES, SEEN, st.integers())
def test_one_item_an_image_comes_first_and_rarely_seen_images_before_others(
    candidates: list[tuple[int, int]], seen: dict[int, Sighting], seed: int
) -> None:
    ordered = order_items(candidates, seen, Random(seed))
    assert sorted(ordered) == sorted(candidates)
    images = len({image for _, image in candidates})
    first = [image for _, image in ordered[:images]]
    assert len(set(first)) == images
    times = [seen.get(image, NEVER).times for image in first]
    assert times == sorted(times)


def test_the_order_of_the_queue_does_not_show() -> None:
    rng = Random(3)
    firsts = Counter(order_items([(pk, pk) for pk in range(10)], {}, rng)[0][0] for _ in range(2000))
    assert all(130 < firsts[pk] < 270 for pk in range(10)), "200 each"


@given(CANDIDATES, st.lists(st.integers(1, 12), min_size=1), SEEN, st.integers())
def test_questions_are_of_other_images_while_there_is_choice(
    candidates: list[tuple[int, int]], images: list[int], seen: dict[int, Sighting], seed: int
) -> None:
    chosen = match_questions(candidates, images, 3, seen=seen, rng=Random(seed))
    assert len(chosen) == min(3, len(candidates)) == len(set(chosen))
    assert set(chosen) <= set(candidates)
    good = {image for _, image in candidates} - set(images)
    taken = [image for _, image in chosen if image in good]
    assert len(set(taken)) == min(len(chosen), len(good))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (NEVER, 1),
        (Sighting(here=1, ago=4), 2),
        (Sighting(here=3, ago=2), 3),
        (Sighting(here=3, ago=8), 4),
        (Sighting(here=9, ago=1), 3),
        (Sighting(earlier=2, here=1, ago=1), 5),
        (Sighting(earlier=1, here=1, ago=1), 2),
        (Sighting(here=1, later=2, ago=1), 6),
    ],
)
def test_a_question_is_of_an_image_seen_as_often_and_as_lately_as_an_items(
    model: Sighting, expected: int
) -> None:
    seen = {
        2: Sighting(here=1, ago=1),
        3: Sighting(here=3, ago=1),
        4: Sighting(here=3, ago=7),
        5: Sighting(earlier=3, here=1, ago=1),
        6: Sighting(here=1, later=3, ago=1),
        50: model,
    }
    candidates = [(10 * image, image) for image in (1, 2, 3, 4, 5, 6)]
    chosen = match_questions(candidates, [50], 1, seen=seen, rng=Random(0))
    assert chosen == [(10 * expected, expected)]


def test_questions_take_after_all_items_of_the_page() -> None:
    """They come neither right after the first item, nor after the one that fits best."""
    seen = {50: Sighting(here=1, ago=1), 1: Sighting(here=1, ago=1)}
    rng = Random(4)
    drawn = Counter(
        match_questions([(10, 1), (20, 2)], [50, 60], 1, seen=seen, rng=rng)[0][0] for _ in range(1000)
    )
    assert 400 < drawn[10] < 600


@pytest.mark.parametrize(
    ("seen", "share"),
    [
        # The first item's image was seen three times, and none of a question so often.
        ({50: Sighting(here=3, ago=1), 2: Sighting(here=1, ago=1)}, 0.5),
        # The first item's image was seen once, the questions' images 2 and 5 times, as was the second's.
        ({50: Sighting(here=1), 60: Sighting(here=5), 2: Sighting(here=2), 1: Sighting(here=5)}, 0.25),
    ],
)
def test_questions_err_to_neither_side(seen: dict[int, Sighting], share: float) -> None:
    """If a question fits another item alone, it is taken only where the nearest was seen too often."""
    rng = Random(4)
    drawn = Counter(
        match_questions([(10, 1), (20, 2)], [50, 60], 1, seen=seen, rng=rng)[0][0] for _ in range(1000)
    )
    assert 1000 * share - 80 < drawn[20] < 1000 * share + 80


def test_entrance_questions_use_up_few_images() -> None:
    candidates = [(10 * image + n, image) for image in range(1, 7) for n in range(2 + (image == 3))]
    known = {2, 5}
    page = entrance_questions(candidates, 8, known=known, reserved=(), rng=Random(5))
    images = [image for _, image in page]
    assert set(images[:4]) == known and images[4:7] == [3, 3, 3] and images[7] in {1, 4, 6}
    first = entrance_questions(candidates, 5, known=(), reserved=(), rng=Random(6))
    assert len({image for _, image in first}) == 2


def test_entrances_take_the_images_that_are_set_apart_after_those_the_worker_knows() -> None:
    candidates = [(10 * image + n, image) for image in range(1, 7) for n in range(2 + (image == 3))]
    page = entrance_questions(candidates, 7, known={2}, reserved={5, 6}, rng=Random(5))
    images = [image for _, image in page]
    assert images[:2] == [2, 2] and set(images[2:6]) == {5, 6} and images[6] == 3


@pytest.mark.parametrize(
    ("everything", "reserved", "may", "should"),
    [
        (40, 0, True, True),
        (40, 10, True, False),  # not enough for one entrance
        (40, 29, True, False),
        (40, 30, False, False),
        (1000, 30, True, True),  # so that not everybody gets the same
        (1000, 250, False, False),
        (0, 0, True, False),
    ],
)
def test_a_quarter_of_the_questions_is_for_entrances_or_as_many_as_one_takes(
    everything: int, reserved: int, may: bool, should: bool
) -> None:
    assert room_for_entrances(everything=everything, reserved=reserved, entrance=30) == (may, should)


@given(CANDIDATES, st.sets(st.integers(1, 12)), st.integers(0, 10), st.integers())
def test_an_entrance_page_is_full_where_it_can_be_and_leaves_images_unused(
    candidates: list[tuple[int, int]], known: set[int], count: int, seed: int
) -> None:
    page = entrance_questions(candidates, count, known=known, reserved=(), rng=Random(seed))
    assert len(set(page)) == len(page) == min(count, len(candidates)) and set(page) <= set(candidates)
    used = {image for _, image in page}
    partly = [image for image in used if {c for c in candidates if c[1] == image} - set(page)]
    assert len(partly) <= 1, "an image is used up before the next is touched"
    if used - known:
        assert {image for _, image in candidates} & known <= used


def test_entrances_do_not_all_use_the_same_images() -> None:
    candidates = [(10 * image + n, image) for image in range(10) for n in range(3)]
    firsts = Counter(
        entrance_questions(candidates, 1, known=(), reserved=(), rng=Random(n))[0][1] for n in range(500)
    )
    assert len(firsts) == 10


@given(st.integers(1, 40), st.integers(1, 20), st.floats(0, 0.9), st.integers())
def test_no_page_has_more_questions_than_it_may_need(items: int, size: int, share: float, seed: int) -> None:
    rng = Random(seed)
    wanted = share_of(size, share, rng)
    if items < size - wanted:
        wanted = min(wanted, share_beside(items, share, rng))
    assert wanted <= most_of(items, size, share) <= size * share + 1


@pytest.mark.parametrize(
    ("items", "size", "share", "most"),
    [(99, 10, 0.2, 2), (99, 10, 0.02, 1), (99, 10, 0, 0), (1, 10, 0.2, 1), (0, 10, 0.2, 0), (5, 10, 0.2, 2)],
)
def test_a_page_needs_questions_as_its_items_do(items: int, size: int, share: float, most: int) -> None:
    assert most_of(items, size, share) == most

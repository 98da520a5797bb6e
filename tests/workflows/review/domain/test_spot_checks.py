from __future__ import annotations

import random

import pytest

from evaluation.audit import error_rate
from workflows.review.domain.spot_checks import (
    BOX,
    CHAIN,
    KINDS,
    MENTION,
    SpotCheckError,
    Unit,
    check_verdict,
    draw_units,
    error_rates,
    images_with_error,
)

POPULATION = {
    MENTION: [Unit(MENTION, number, number // 3, number // 12) for number in range(120)],
    CHAIN: [Unit(CHAIN, number, number, number // 4) for number in range(40)],
    BOX: [Unit(BOX, number, number // 2, number // 8) for number in range(80)],
}


def drawn(seed: int = 1, **sizes: int) -> list[Unit]:
    return draw_units(POPULATION, sizes, random.Random(seed))


def test_as_many_of_each_kind_are_drawn_as_were_asked_for_and_the_same_by_the_same_seed() -> None:
    units = drawn(mention=30, chain=10, box=0)
    assert [sum(unit.kind == kind for unit in units) for kind in KINDS] == [30, 10, 0]
    assert len(set(units)) == 40
    assert units == drawn(mention=30, chain=10, box=0) != drawn(2, mention=30, chain=10, box=0)


def test_all_are_drawn_where_there_are_fewer() -> None:
    assert sorted(drawn(chain=1000), key=lambda unit: unit.id) == POPULATION[CHAIN]


def test_units_of_an_image_come_together_and_images_in_random_order() -> None:
    images = [unit.image for unit in drawn(mention=50, chain=20, box=30)]
    runs = [image for place, image in enumerate(images) if place == 0 or images[place - 1] != image]
    assert len(runs) == len(set(runs)) and runs != sorted(runs)


def test_every_unit_is_as_likely_as_any_other() -> None:
    times = [0] * 40
    for seed in range(2000):
        for unit in drawn(seed, chain=10):
            times[unit.id] += 1
    assert min(times) > 400 and max(times) < 600  # 500 each on average, with a deviation of 19


@pytest.mark.parametrize("sizes", [{}, {"mention": 0}, {"mention": -1}, {"box": 2001}])
def test_impossible_sizes_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(SpotCheckError):
        drawn(**sizes)


def test_nothing_is_drawn_where_nothing_is_finished() -> None:
    with pytest.raises(SpotCheckError, match="no image of the project is finished"):
        draw_units({MENTION: [], CHAIN: [], BOX: []}, {"mention": 5}, random.Random(1))
    with pytest.raises(SpotCheckError, match="nothing to draw"):
        draw_units({MENTION: POPULATION[MENTION], CHAIN: [], BOX: []}, {"box": 5}, random.Random(1))


@pytest.mark.parametrize(
    ("kind", "right", "reason"),
    [(MENTION, True, "cut"), (MENTION, False, ""), (MENTION, False, "different"), (BOX, False, "cut")],
)
def test_what_is_wrong_needs_a_reason_of_its_kind(kind: str, right: bool, reason: str) -> None:
    with pytest.raises(SpotCheckError, match="reason"):
        check_verdict(kind, right=right, reason=reason, note="")


def test_a_note_is_short_text() -> None:
    check_verdict(CHAIN, right=False, reason="missing", note="x" * 2000)
    for note in ("x" * 2001, "\0"):
        with pytest.raises(SpotCheckError, match="note"):
            check_verdict(CHAIN, right=True, reason="", note=note)


def test_planted_error_rates_are_recovered() -> None:
    rng = random.Random(3)
    planted = {MENTION: 0.01, CHAIN: 0.05, BOX: 0.2}
    caught = dict.fromkeys(KINDS, 0)
    for seed in range(200):
        units = [Unit(kind, number, number, number) for kind in KINDS for number in range(400)]
        rng.shuffle(units)
        said = {place: rng.random() < planted[unit.kind] for place, unit in enumerate(units)}
        for kind, rate in error_rates(units, said).items():
            assert rate.judged == 400, seed
            caught[kind] += rate.low <= planted[kind] <= rate.high
    # 95 of 100 intervals hold the planted rate; the deviation of 200 is 3.
    assert all(180 <= number <= 200 for number in caught.values()), caught


def test_images_with_an_error_follow_from_mentions_and_chains() -> None:
    rates = {MENTION: error_rate(3, 1000), CHAIN: error_rate(4, 1000), BOX: error_rate(500, 1000)}
    a_image = {MENTION: 16.16, CHAIN: 7.68}
    found = images_with_error(rates, a_image)
    assert found is not None
    share, low, high = found
    assert share == pytest.approx(1 - 0.997**16.16 * 0.996**7.68) and round(share, 2) == 0.08
    assert low < share < high
    assert images_with_error({**rates, CHAIN: error_rate(0, 0)}, a_image) is None

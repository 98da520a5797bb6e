"""How long simulated people take."""

import random
from statistics import fmean, median

import pytest

from simulation.characters import SECONDS_PER_ITEM, draw_seconds, draw_tempo


@pytest.mark.parametrize("stage", list(SECONDS_PER_ITEM))
def test_the_mean_is_table_3_s_and_slow_items_pull_it_up(stage: str) -> None:
    rng = random.Random(1)
    times = [draw_seconds(stage, 1.0, rng) for _ in range(4000)]
    assert fmean(times) == pytest.approx(SECONDS_PER_ITEM[stage], rel=0.05)
    assert median(times) < fmean(times)


def test_times_are_as_pages_measure_them() -> None:
    rng = random.Random(2)
    times = [draw_seconds("link", 0.001, rng) for _ in range(100)]
    assert set(times) == {0.1}


def test_people_differ_in_tempo_and_average_to_one() -> None:
    rng = random.Random(3)
    tempos = [draw_tempo(rng) for _ in range(4000)]
    assert fmean(tempos) == pytest.approx(1.0, abs=0.02)
    assert min(tempos) < 0.6
    assert max(tempos) > 1.6

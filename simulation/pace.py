"""The time that simulated people take for an item: log-normal, around the paper's table 3."""

import random
from collections.abc import Mapping
from math import exp, log
from types import MappingProxyType

SECONDS_PER_ITEM: Mapping[str, float] = MappingProxyType(
    {
        "link": 75 / 10,
        "verification": 95 / 5,
        "requirement": 81 / 10,
        "drawing": 134 / 5,
        "quality": 110 / 10,
        "coverage": 91 / 10,
        "boxes": 160 / 5,
        "check": 75 / 5,
        "writing": 180 / 3,
        "caption_check": 80 / 10,
        "grading": 600 / 50,
        "relevance": 150 / 6,
    }
)
"""People's mean seconds on one item: seconds a page, divided by its items (table 3).

Those of the joint stages are what `make bench-protocols` assumes. Fifty grades take about ten minutes
(ranking task, section 4.2.1); those of the other campaign stages are [ours]."""
SPREAD = 0.5
"""Standard deviation of the logarithm of one person's times on items of a stage."""
BETWEEN = 0.25
"""Standard deviation of the logarithm of people's own tempo, since some are always quicker than others."""


def draw_tempo(rng: random.Random) -> float:
    """Return one person's own factor for all times. Its mean over people is 1."""
    return _log_normal(1.0, BETWEEN, rng)


def draw_seconds(stage: str, tempo: float, rng: random.Random) -> float:
    """Return seconds for one item, to a tenth, as pages measure it; on average `tempo` times table 3."""
    return max(0.1, round(_log_normal(tempo * SECONDS_PER_ITEM[stage], SPREAD, rng), 1))


def _log_normal(mean: float, spread: float, rng: random.Random) -> float:
    return exp(rng.gauss(log(mean) - spread**2 / 2, spread))

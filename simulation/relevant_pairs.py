"""Compares exported judgments of pairs with the truth: a caption is relevant for its own image alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import orjson

RELEVANT = 3.0, 2 / 3
"""The mean grade, and the share of ticks, from which a pair is relevant."""


@dataclass(frozen=True, slots=True)
class Relevant:
    """How many pairs were judged, and how many are relevant by the judges, by the truth, and by both."""

    pairs: int
    own: int
    hits: int
    false: int

    @property
    def right(self) -> int:
        """Return how many pairs are judged as they are."""
        return self.pairs - (self.own - self.hits) - self.false


def relevant_pairs(path: Path) -> Relevant:
    """Return how the judgments in a file, as `relevance export` writes it, compare with the truth."""
    values: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    least = 0.0
    for line in map(orjson.loads, path.read_bytes().splitlines()):
        graded = "grade" in line
        least = RELEVANT[0] if graded else RELEVANT[1]
        values[line["image"], *line["caption"]].append(line["grade"] if graded else line["ticked"])
    relevant = {pair for pair, given in values.items() if fmean(given) >= least - 1e-9}
    own = {pair for pair in values if pair[0] == pair[1]}
    return Relevant(len(values), len(own), len(relevant & own), len(relevant - own))

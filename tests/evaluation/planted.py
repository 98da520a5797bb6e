"""Made-up judgments whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType

Row = tuple[int, str, str]
CHOICES = ("box", "scene", "nobox")


def planted(
    accuracies: Sequence[float],
    *,
    items: int,
    each: int,
    names: Sequence[str] = CHOICES,
    seed: int = 5,
) -> tuple[list[Row], dict[int, str]]:
    """Return rows (item, worker, label) of `each` workers an item, and the truth by item.

    Worker n is right with probability `accuracies[n]`, and otherwise gives any other label.
    """
    rng = random.Random(seed)
    truth = {item: rng.choice(names) for item in range(items)}
    rows = [
        (item, f"w{worker}", _said(right, accuracies[worker], names, rng))
        for item, right in truth.items()
        for worker in rng.sample(range(len(accuracies)), each)
    ]
    return rows, truth


def _said(right: str, accuracy: float, names: Sequence[str], rng: random.Random) -> str:
    if rng.random() < accuracy:
        return right
    return rng.choice([name for name in names if name != right])


CASES: Mapping[str, list[Row]] = MappingProxyType(
    {
        "two workers": planted([0.9, 0.7], items=60, each=2)[0],
        "three workers": planted([0.9, 0.8, 0.6], items=60, each=3)[0],
        "by chance": planted([1 / 3, 1 / 3], items=100, each=2)[0],
        "a rare label": planted([0.95, 0.9], items=80, each=2, names=[*["yes"] * 9, "no"])[0],
        "many labels": planted([0.8, 0.6, 0.4, 0.2], items=50, each=4, names="abcdefgh")[0],
        "some are missing": [row for n, row in enumerate(planted([0.8] * 5, items=90, each=4)[0]) if n % 3],
    }
)
"""Judgments whose agreement was computed by other libraries: see agreement_oracle.py."""

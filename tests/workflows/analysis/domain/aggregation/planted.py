"""Made-up judgments whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Sequence

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
    """Rows (item, worker, label), `each` workers an item, and the truth by item.

    Worker n is right with `accuracies[n]`, otherwise says any other label.
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

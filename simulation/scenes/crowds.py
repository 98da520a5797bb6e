"""Draws crowds that are too dense to tell one person from the next."""

import random

from simulation.scenes.palette import CLOTH, HAIR, SKIN, darker
from simulation.scenes.pen import Pen


def crowd(pen: Pen, rng: random.Random, width: float, rows: int, head: float) -> None:
    """Draw heads and shoulders in rows, each row before the last. `width` and `head` (a height) are in units.

    They are seen from behind or from far away, and are far too many to box one by one.
    """
    for row in range(rows):
        y = -head * 0.85 * (rows - 1 - row)
        count = round(width / (head * 0.8))
        for i in range(count):
            x = -width / 2 + width * (i + 0.5 + rng.uniform(-0.2, 0.2)) / count
            size = head * rng.uniform(0.85, 1.1)
            cloth = darker(rng.choice(list(CLOTH.values())), 0.12 * (rows - 1 - row) / rows)
            pen.blob(
                [
                    (x - size * 0.62, y),
                    (x - size * 0.5, y - size * 0.5),
                    (x, y - size * 0.62),
                    (x + size * 0.5, y - size * 0.5),
                    (x + size * 0.62, y),
                ],
                cloth,
            )
            pen.oval(x, y - size * 0.92, size * 0.34, size * 0.4, rng.choice(SKIN))
            hair = rng.choice(HAIR)
            pen.blob(
                [
                    (x - size * 0.38, y - size * 0.85),
                    (x - size * 0.3, y - size * 1.25),
                    (x, y - size * 1.4),
                    (x + size * 0.3, y - size * 1.25),
                    (x + size * 0.38, y - size * 0.85),
                    (x, y - size * 0.98),
                ],
                hair,
            )

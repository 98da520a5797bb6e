"""Draws vehicles, which all face right, with their wheels on the ground at the origin."""

import math

from simulation.scenes.canvas import Point
from simulation.scenes.palette import GLASS, METAL, RUBBER, WOOD, Colour, darker, lighter
from simulation.scenes.pen import Pen, oval


def _wheel(pen: Pen, x: float, radius: float) -> None:
    pen.oval(x, -radius, radius, radius, RUBBER)
    pen.oval(x, -radius, radius * 0.55, radius * 0.55, lighter(METAL, 0.45))
    pen.oval(x, -radius, radius * 0.18, radius * 0.18, METAL)


def car(pen: Pen, paint: Colour) -> None:
    """Draw a car, 2 units long and 0.68 high."""
    pen.shadow(1.05, 0.1)
    pen.blob([(-0.62, -0.34), (-0.44, -0.6), (-0.2, -0.68), (0.18, -0.68), (0.4, -0.56), (0.6, -0.36)], paint)
    pen.poly([(-0.52, -0.38), (-0.38, -0.58), (-0.08, -0.61), (-0.08, -0.38)], GLASS)
    pen.poly([(-0.02, -0.38), (-0.02, -0.61), (0.18, -0.6), (0.36, -0.5), (0.48, -0.38)], GLASS)
    pen.blob(
        [
            (-0.99, -0.18),
            (-0.95, -0.36),
            (-0.6, -0.41),
            (0.55, -0.41),
            (0.92, -0.32),
            (1.0, -0.2),
            (0.94, -0.11),
            (-0.92, -0.1),
        ],
        paint,
    )
    pen.limb([(-0.05, -0.38), (-0.05, -0.14)], 0.012, darker(paint, 0.3), 0)
    pen.limb([(0.03, -0.3), (0.13, -0.3)], 0.022, darker(paint, 0.35), 0)
    pen.oval(0.92, -0.26, 0.05, 0.04, (255, 238, 170))
    pen.oval(-0.95, -0.28, 0.03, 0.05, (206, 52, 48))
    for x in (-0.56, 0.58):
        pen.oval(x, -0.18, 0.21, 0.2, darker(paint, 0.5))
        _wheel(pen, x, 0.17)


def bus(pen: Pen, paint: Colour) -> None:
    """Draw a bus, 3 units long and 1.25 high."""
    pen.shadow(1.55, 0.12)
    pen.rect(-1.5, -1.25, 1.5, -0.14, paint, 0.12)
    pen.rect(-1.5, -0.52, 1.5, -0.42, lighter(paint, 0.55), shade=0)
    for i in range(5):
        left = -1.38 + i * 0.46
        pen.rect(left, -1.08, left + 0.38, -0.64, GLASS, 0.04)
        pen.poly(
            [(left + 0.05, -0.66), (left + 0.2, -1.06), (left + 0.28, -1.06), (left + 0.13, -0.66)],
            lighter(GLASS, 0.35),
            0,
        )
    pen.rect(0.94, -1.08, 1.16, -0.2, darker(paint, 0.3), 0.03)
    pen.rect(0.97, -1.04, 1.13, -0.5, GLASS, 0.02)
    pen.rect(1.22, -1.08, 1.5, -0.6, lighter(GLASS, 0.2), 0.04)
    pen.oval(1.44, -0.3, 0.05, 0.05, (255, 238, 170))
    for x in (-0.95, 0.62):
        pen.oval(x, -0.2, 0.25, 0.23, darker(paint, 0.55))
        _wheel(pen, x, 0.2)


def bicycle(pen: Pen, paint: Colour) -> None:
    """Draw a bicycle, about 1.6 units long and 1 high. Its saddle is at (-0.22, -0.86)."""
    pen.shadow(0.85, 0.07)
    for x in (-0.5, 0.5):
        rim = oval(x, -0.32, 0.3, 0.3)
        pen.limb([*rim, rim[0]], 0.05, RUBBER)
        for spoke in range(8):
            angle = math.pi * spoke / 8
            reach: Point = (0.28 * math.cos(angle), 0.28 * math.sin(angle))
            pen.limb([(x - reach[0], -0.32 - reach[1]), (x + reach[0], -0.32 + reach[1])], 0.009, METAL, 0)
    for path in (
        [(-0.5, -0.32), (-0.05, -0.32), (-0.2, -0.74), (-0.5, -0.32)],
        [(-0.05, -0.32), (0.36, -0.76), (-0.18, -0.7)],
        [(0.5, -0.32), (0.33, -0.92)],
    ):
        pen.limb(path, 0.05, paint)
    pen.limb([(-0.2, -0.74), (-0.23, -0.86)], 0.04, METAL)
    pen.limb([(-0.34, -0.87), (-0.12, -0.86)], 0.07, RUBBER)
    pen.limb([(0.33, -0.92), (0.22, -0.98), (0.38, -0.99)], 0.045, RUBBER)
    pen.oval(-0.05, -0.32, 0.085, 0.085, METAL)
    pen.limb([(-0.05, -0.32), (0.02, -0.16), (0.08, -0.16)], 0.03, METAL)


def rowing_boat(pen: Pen, paint: Colour) -> None:
    """Draw a rowing boat, 2 units long. Its waterline is at the origin, and its rim at -0.32 amidships."""
    pen.blob(
        [
            (-1.0, -0.42),
            (-0.6, -0.33),
            (0.0, -0.3),
            (0.6, -0.34),
            (1.02, -0.48),
            (0.86, -0.12),
            (0.5, 0.04),
            (-0.5, 0.04),
            (-0.84, -0.1),
        ],
        paint,
    )
    pen.limb(
        [(-0.97, -0.4), (-0.6, -0.315), (0.0, -0.285), (0.6, -0.325), (0.99, -0.46)],
        0.055,
        lighter(WOOD, 0.3),
    )
    pen.limb([(-0.86, -0.2), (0.0, -0.12), (0.88, -0.24)], 0.03, lighter(paint, 0.5), 0)


def sailing_boat(pen: Pen, paint: Colour) -> None:
    """Draw a sailing boat, about 1.2 units wide and 1.6 high. Its waterline is at the origin."""
    pen.limb([(0.02, -0.2), (0.02, -1.56)], 0.04, WOOD)
    pen.poly([(0.08, -0.32), (0.08, -1.5), (0.58, -0.32)], (250, 248, 240))
    pen.poly([(-0.04, -0.36), (-0.04, -1.3), (-0.44, -0.36)], lighter(paint, 0.35))
    pen.blob([(-0.56, -0.26), (0.0, -0.22), (0.62, -0.28), (0.44, 0.0), (-0.4, 0.02)], paint)

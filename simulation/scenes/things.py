"""Draws things that people sit on, hold, play with and stand under."""

import itertools
import math
import random

from simulation.scenes.canvas import Point
from simulation.scenes.palette import LEAF, METAL, WHITE, WOOD, Colour, darker, lighter, mixed
from simulation.scenes.pen import Pen


def ball(pen: Pen, paint: Colour, shadow: bool = True) -> None:
    """Draw a ball, 1 unit across, which touches the ground at the origin."""
    if shadow:
        pen.shadow(0.5)
    pen.oval(0, -0.5, 0.5, 0.5, paint, shade=0.2)
    pen.blob(
        [(-0.12, -0.98), (0.12, -0.98), (0.3, -0.5), (0.12, -0.02), (-0.12, -0.02), (0.06, -0.5)],
        lighter(paint, 0.7),
    )
    pen.oval(-0.2, -0.72, 0.11, 0.08, lighter(paint, 0.8), turn=-30, shade=0)


def parasol(pen: Pen, paint: Colour) -> None:
    """Draw a beach umbrella stuck in the ground, 1 unit high and 1.1 wide."""
    pen.shadow(0.45, 0.06, x=0.08)
    pen.limb([(0, 0), (0, -0.95)], 0.028, lighter(WOOD, 0.3))
    _canopy(pen, paint, 0.55, -0.66, -0.97)
    pen.oval(0, -0.98, 0.02, 0.022, darker(paint, 0.3))


def umbrella(pen: Pen, paint: Colour) -> None:
    """Draw an umbrella held by a hand at the origin, 0.5 units wide and 0.58 high."""
    pen.limb([(0, 0.03), (0, -0.5)], 0.014, darker(METAL, 0.3))
    _canopy(pen, paint, 0.26, -0.42, -0.57)


def _canopy(pen: Pen, paint: Colour, half: float, rim: float, top: float) -> None:
    """Draw six panels between seams from the rim to the top. Between two seams the rim curves upwards."""
    panels, steps = 6, 8
    bend = 0.2 * (top - rim)
    seams: list[list[Point]] = []
    for i in range(panels + 1):
        share = 2 * i / panels - 1
        foot = rim - bend * (1 - share**2)
        angles = [math.pi / 2 * step / steps for step in range(steps + 1)]
        seams.append([(half * share * math.cos(t), foot + (top - foot) * math.sin(t)) for t in angles])
    for i, (left, right) in enumerate(itertools.pairwise(seams)):
        (x0, y0), (x1, y1) = right[0], left[0]
        rim_line = [
            (x0 + (x1 - x0) * s / steps, y0 + (y1 - y0) * s / steps + bend * math.sin(math.pi * s / steps))
            for s in range(steps)
        ]
        pen.poly([*left, *reversed(right), *rim_line], paint if i % 2 else lighter(paint, 0.75), 0.05)


def bench(pen: Pen) -> None:
    """Draw a bench, 1.6 units wide and 0.75 high. Its seat is at -0.36."""
    pen.shadow(0.82, 0.07)
    iron = darker(METAL, 0.45)
    for x in (-0.66, 0.66):
        pen.limb([(x, -0.01), (x, -0.74)], 0.045, iron)
        pen.limb([(x, -0.36), (x + 0.05, -0.01)], 0.045, iron)
    for y in (-0.71, -0.6, -0.49):
        pen.rect(-0.8, y - 0.04, 0.8, y + 0.04, WOOD, 0.02)
    pen.rect(-0.82, -0.4, 0.82, -0.3, lighter(WOOD, 0.15), 0.03)


def tree(pen: Pen, rng: random.Random, leaf: Colour = LEAF) -> None:
    """Draw a tree, 1 unit high and about 0.6 wide."""
    pen.shadow(0.3, 0.05)
    pen.poly([(-0.045, 0.0), (-0.028, -0.45), (0.028, -0.45), (0.05, 0.0)], darker(WOOD, 0.2))
    pen.limb([(0.0, -0.34), (0.1, -0.5)], 0.026, darker(WOOD, 0.2))
    pen.limb([(0.0, -0.38), (-0.1, -0.52)], 0.026, darker(WOOD, 0.2))
    for x, y, r in (
        (-0.15, -0.52, 0.16),
        (0.15, -0.54, 0.16),
        (-0.08, -0.7, 0.17),
        (0.1, -0.72, 0.17),
        (0.0, -0.84, 0.155),
        (0.0, -0.58, 0.18),
    ):
        tint = mixed(leaf, darker(leaf, 0.35), rng.random() * 0.6)
        pen.oval(x, y, r, r * 0.95, tint, shade=0.12)
    for _ in range(12):
        angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.2)
        pen.oval(
            reach * math.cos(angle),
            -0.68 + 1.2 * reach * math.sin(angle),
            0.035,
            0.026,
            lighter(leaf, 0.16),
            shade=0,
        )


def kite(pen: Pen, paint: Colour) -> None:
    """Draw a kite, 1 unit high, with its middle at the origin and a tail below."""
    pen.limb([(0, 0.5), (-0.08, 0.66), (0.05, 0.8), (-0.05, 0.96)], 0.02, darker(paint, 0.2))
    for x, y in ((-0.07, 0.66), (0.045, 0.8), (-0.045, 0.94)):
        pen.poly(
            [(x - 0.08, y - 0.05), (x - 0.08, y + 0.05), (x + 0.08, y - 0.05), (x + 0.08, y + 0.05)],
            lighter(paint, 0.4),
        )
    pen.poly([(0, -0.5), (0.38, -0.08), (0, 0.5), (-0.38, -0.08)], paint)
    pen.poly([(0, -0.5), (0.38, -0.08), (0, -0.08)], lighter(paint, 0.5))
    pen.poly([(0, 0.5), (-0.38, -0.08), (0, -0.08)], lighter(paint, 0.5))


def table(pen: Pen, cloth: Colour) -> None:
    """Draw a table, 2 units wide and 0.75 high. Its top is at -0.75."""
    pen.shadow(0.95, 0.07)
    for x in (-0.84, 0.84):
        pen.rect(x - 0.05, -0.7, x + 0.05, 0.0, darker(WOOD, 0.25))
    pen.rect(-1.0, -0.75, 1.0, -0.66, WOOD, 0.02)
    pen.poly([(-0.72, -0.755), (0.72, -0.755), (0.78, -0.5), (-0.78, -0.5)], cloth)
    pen.poly([(-0.77, -0.54), (0.77, -0.54), (0.78, -0.5), (-0.78, -0.5)], lighter(cloth, 0.6), 0)


def cake(pen: Pen, icing: Colour) -> None:
    """Draw a cake, 1 unit wide and 0.8 high with its candles."""
    pen.oval(0, -0.03, 0.5, 0.06, (236, 236, 240))
    pen.rect(-0.4, -0.42, 0.4, -0.04, (214, 160, 106), 0.04)
    pen.blob(
        [
            (-0.42, -0.4),
            (0.0, -0.5),
            (0.42, -0.4),
            (0.4, -0.24),
            (0.28, -0.3),
            (0.14, -0.2),
            (0.0, -0.3),
            (-0.14, -0.2),
            (-0.28, -0.3),
            (-0.4, -0.22),
        ],
        icing,
    )
    for x in (-0.2, 0.0, 0.2):
        pen.limb([(x, -0.46), (x, -0.66)], 0.04, WHITE)
        pen.oval(x, -0.74, 0.03, 0.055, (255, 196, 70))


def bowl(pen: Pen, paint: Colour, fruit: Colour) -> None:
    """Draw a bowl heaped with fruit, 1 unit wide and 0.75 high."""
    for x, y in ((-0.24, -0.5), (0.02, -0.58), (0.26, -0.5)):
        pen.oval(x, y, 0.17, 0.17, fruit, shade=0.18)
    pen.blob(
        [(-0.5, -0.46), (0.0, -0.42), (0.5, -0.46), (0.36, -0.1), (0.16, 0.0), (-0.16, 0.0), (-0.36, -0.1)],
        paint,
    )


def fishing_rod(pen: Pen, hand: Point, tip: Point, water: Point) -> None:
    """Draw a fishing rod from a hand to its tip, and its line down to the float on the water."""
    pen.limb([hand, tip], 0.016, darker(WOOD, 0.3))
    pen.limb([tip, water], 0.006, (236, 236, 236), 0)
    pen.oval(water[0], water[1], 0.016, 0.022, (214, 60, 54))

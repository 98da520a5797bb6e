"""Draws backdrops out of doors. Their strokes have no owner: captions name them as a scene, without boxes."""

import random

from simulation.scenes.canvas import Canvas
from simulation.scenes.palette import LEAF, WHITE, Colour, darker, lighter, mixed
from simulation.scenes.pen import oval, smooth

SKY: Colour = (150, 204, 236)
SAND: Colour = (240, 216, 166)
GRASS: Colour = (134, 184, 98)
SEA: Colour = (64, 150, 184)


def band(canvas: Canvas, top: float, bottom: float, fill: Colour, shade: float = 0.1) -> None:
    canvas.polygon([(0, top), (canvas.width, top), (canvas.width, bottom), (0, bottom)], fill, shade=shade)


def sky(canvas: Canvas, rng: random.Random, horizon: float) -> None:
    """Draw a sky, pale at the horizon (pixels), with a sun and some clouds."""
    top, pale = mixed(SKY, (92, 150, 214), rng.random()), (226, 242, 248)
    steps = 80
    for i in range(steps):
        band(canvas, horizon * i / steps - 1, horizon * (i + 1) / steps + 1, mixed(top, pale, i / steps), 0)
    x, y = canvas.width * rng.uniform(0.1, 0.9), horizon * rng.uniform(0.12, 0.3)
    canvas.soft(oval(x, y, 52, 52), (255, 244, 200), 0.7, 16)
    canvas.polygon(oval(x, y, 22, 22), (255, 236, 160), shade=0)
    for _ in range(rng.randint(2, 4)):
        x, y, size = canvas.width * rng.random(), horizon * rng.uniform(0.12, 0.6), rng.uniform(0.7, 1.3)
        for dx, dy, r in ((-34, 4, 15), (-14, -4, 21), (10, -7, 24), (32, 4, 16)):
            canvas.soft(oval(x + dx * size, y + dy * size, r * size * 1.25, r * size * 0.8), WHITE, 0.72, 2.5)


def hills(canvas: Canvas, rng: random.Random, horizon: float, height: float, fill: Colour) -> None:
    """Draw soft hills on the horizon. `horizon` and `height` are in pixels."""
    tops = [(canvas.width * i / 6, horizon - height * rng.uniform(0.25, 1.0)) for i in range(7)]
    foot = horizon + 80
    points = [(-60.0, foot), *tops, (canvas.width + 60.0, foot)]
    canvas.polygon(smooth(points), fill, shade=0.14)


def beach(canvas: Canvas, rng: random.Random) -> float:
    """Draw sky, sea and sand. Return where the sand begins, in pixels."""
    horizon, shore = canvas.height * 0.36, canvas.height * 0.56
    sky(canvas, rng, horizon)
    band(canvas, horizon, shore + 12, SEA, 0.22)
    for _ in range(26):
        x, y = canvas.width * rng.random(), rng.uniform(horizon + 6, shore - 8)
        canvas.line([(x, y), (x + rng.uniform(10, 34), y)], 1.2, lighter(SEA, 0.45), shade=0)
    wave = [(canvas.width * i / 12, shore + rng.uniform(-4, 4)) for i in range(-1, 14)]
    rest = [(canvas.width + 60.0, float(canvas.height + 60)), (-60.0, float(canvas.height + 60))]
    canvas.polygon(smooth([(x, y - 9) for x, y in wave] + rest), lighter(SEA, 0.72), shade=0)
    canvas.polygon(smooth([(x, y - 3) for x, y in wave] + rest), darker(SAND, 0.12), shade=0)
    canvas.polygon(smooth([(x, y + 7) for x, y in wave] + rest), SAND, shade=0.08)
    _speckle(canvas, rng, shore + 20, darker(SAND, 0.12), 90)
    return shore


def meadow(canvas: Canvas, rng: random.Random, path: bool = False, horizon_share: float = 0.45) -> float:
    """Draw sky, hills and grass, perhaps with a path. Return the horizon in pixels."""
    horizon = canvas.height * horizon_share
    sky(canvas, rng, horizon)
    hills(canvas, rng, horizon, canvas.height * 0.16, mixed(LEAF, SKY, 0.55))
    hills(canvas, rng, horizon + 6, canvas.height * 0.08, mixed(LEAF, SKY, 0.25))
    band(canvas, horizon, canvas.height, GRASS, 0.14)
    if path:
        w, h = canvas.width, canvas.height
        canvas.polygon(
            [(0, h * 0.74), (w, h * 0.7), (w, h * 0.86), (0, h * 0.92)], (226, 208, 170), shade=0.06
        )
    for _ in range(70):
        x, y = canvas.width * rng.random(), rng.uniform(horizon + 8, canvas.height)
        size = 2 + 5 * (y - horizon) / (canvas.height - horizon)
        for dx in (-0.6, 0.0, 0.6):
            canvas.line([(x, y), (x + dx * size, y - size)], 1.0, darker(GRASS, 0.2), shade=0)
    return horizon


def _speckle(canvas: Canvas, rng: random.Random, top: float, fill: Colour, count: int) -> None:
    for _ in range(count):
        x, y = canvas.width * rng.random(), rng.uniform(top, canvas.height)
        canvas.polygon(oval(x, y, 1.6, 0.8), fill, shade=0)


def fence(canvas: Canvas, y: float) -> None:
    """Draw a wooden fence across the picture. Its foot is at y pixels."""
    wood = (196, 160, 118)
    for rail in (y - 30, y - 15):
        canvas.line([(-10, rail), (canvas.width + 10, rail)], 4.5, wood)
    for x in range(12, canvas.width, 74):
        canvas.polygon(
            [(x, y), (x, y - 40), (x + 4, y - 44), (x + 8, y - 40), (x + 8, y)], darker(wood, 0.08)
        )


def lake(canvas: Canvas, rng: random.Random) -> float:
    """Draw mountains over a lake. Return where the water begins, in pixels."""
    water = canvas.height * 0.46
    sky(canvas, rng, water)
    hills(canvas, rng, water - 8, canvas.height * 0.26, (142, 164, 190))
    hills(canvas, rng, water, canvas.height * 0.13, (92, 140, 116))
    band(canvas, water, canvas.height, (84, 152, 184), 0.2)
    for _ in range(60):
        x, y = canvas.width * rng.random(), rng.uniform(water + 6, canvas.height)
        size = 8 + 40 * (y - water) / canvas.height
        canvas.line([(x, y), (x + size, y)], 1.3, lighter((84, 152, 184), 0.32), shade=0)
    return water

"""Draws backdrops that people built. Their strokes have no owner."""

import random

from simulation.scenes.canvas import Canvas
from simulation.scenes.nature import GRASS, band, sky
from simulation.scenes.palette import WHITE, Colour, darker
from simulation.scenes.pen import oval


def street(canvas: Canvas, rng: random.Random) -> float:
    """Draw houses, a pavement and a road. Return where the road begins, in pixels."""
    pavement, road = canvas.height * 0.6, canvas.height * 0.74
    sky(canvas, rng, canvas.height * 0.5)
    x = -20.0
    paints = [(222, 178, 150), (196, 204, 190), (232, 208, 160), (190, 170, 186), (206, 150, 134)]
    last = -1
    while x < canvas.width:
        width, height = rng.uniform(96, 140), canvas.height * rng.uniform(0.36, 0.5)
        last = rng.choice([i for i in range(len(paints)) if i != last])
        _house(canvas, rng, x, pavement, width, height, paints[last])
        x += width
    band(canvas, pavement, road, (206, 202, 196), 0.04)
    band(canvas, road - 4, road, (168, 164, 160), 0)
    band(canvas, road, canvas.height, (112, 114, 122), 0.1)
    stripe = (road + canvas.height) / 2
    for i in range(-1, canvas.width // 80 + 1):
        canvas.polygon(
            [
                (i * 80 + 20, stripe - 2),
                (i * 80 + 62, stripe - 2),
                (i * 80 + 60, stripe + 3),
                (i * 80 + 16, stripe + 3),
            ],
            (236, 232, 214),
            shade=0,
        )
    return road


def _house(
    canvas: Canvas, rng: random.Random, left: float, foot: float, width: float, height: float, paint: Colour
) -> None:
    top = foot - height
    canvas.polygon([(left, foot), (left, top), (left + width, top), (left + width, foot)], paint, shade=0.07)
    canvas.polygon(
        [(left - 3, top + 8), (left - 3, top), (left + width + 3, top), (left + width + 3, top + 8)],
        darker(paint, 0.3),
    )
    columns, rows = 3, max(2, int(height / 52))
    for row in range(rows):
        for column in range(columns):
            x, y = left + width * (column + 0.5) / columns, top + 22 + row * (height - 30) / rows
            if row == rows - 1 and column == 1:
                canvas.polygon(
                    [(x - 11, foot), (x - 11, y - 4), (x + 11, y - 4), (x + 11, foot)], darker(paint, 0.45)
                )
                continue
            glass = rng.choice([(172, 206, 224), (152, 190, 212), (250, 226, 160)])
            canvas.polygon([(x - 10, y + 26), (x - 10, y), (x + 10, y), (x + 10, y + 26)], WHITE, shade=0)
            canvas.polygon([(x - 8, y + 24), (x - 8, y + 2), (x + 8, y + 2), (x + 8, y + 24)], glass)


def kitchen(canvas: Canvas, rng: random.Random) -> float:
    """Draw a wall with a window and shelves, and a floor. Return where the floor begins, in pixels."""
    floor, w = canvas.height * 0.66, canvas.width
    wall = rng.choice([(246, 226, 196), (214, 228, 222), (240, 214, 204), (220, 224, 238)])
    band(canvas, 0, floor, wall, 0.06)
    for i in range(0, w, 40):
        canvas.line([(i, 0), (i, floor)], 1, darker(wall, 0.035), shade=0)
    x, y = w * rng.uniform(0.6, 0.68), canvas.height * 0.1
    canvas.polygon([(x, y), (x + 130, y), (x + 130, y + 120), (x, y + 120)], WHITE, shade=0.03)
    canvas.polygon(
        [(x + 7, y + 7), (x + 123, y + 7), (x + 123, y + 113), (x + 7, y + 113)], (176, 216, 240), shade=0.2
    )
    canvas.soft(oval(x + 46, y + 60, 26, 12), WHITE, 0.8, 3)
    canvas.line([(x + 65, y + 6), (x + 65, y + 114)], 4, WHITE, shade=0)
    canvas.line([(x + 6, y + 60), (x + 124, y + 60)], 4, WHITE, shade=0)
    for level in (0.16, 0.3):
        top = canvas.height * level
        canvas.polygon(
            [(w * 0.06, top), (w * 0.34, top), (w * 0.34, top + 7), (w * 0.06, top + 7)], (176, 130, 90)
        )
        for i in range(4):
            jar, tint = (
                w * (0.08 + 0.066 * i),
                rng.choice([(204, 110, 84), (110, 156, 140), (226, 186, 96), (130, 130, 168)]),
            )
            high = rng.uniform(18, 30)
            canvas.polygon(
                [(jar, top), (jar, top - high), (jar + 22, top - high), (jar + 22, top)], tint, shade=0.14
            )
            canvas.polygon(
                [
                    (jar + 3, top - high),
                    (jar + 3, top - high - 5),
                    (jar + 19, top - high - 5),
                    (jar + 19, top - high),
                ],
                darker(tint, 0.4),
            )
    boards = (196, 154, 112)
    band(canvas, floor, canvas.height, boards, 0.1)
    band(canvas, floor - 9, floor, WHITE, 0.05)
    for i in range(1, 5):
        line = floor + (canvas.height - floor) * (i / 5) ** 1.4
        canvas.line([(0, line), (w, line)], 1.2, darker(boards, 0.2), shade=0)
    return floor


def stage(canvas: Canvas, rng: random.Random) -> float:
    """Draw curtains, a spotlight and boards. Return the front edge of the stage, in pixels."""
    back, w = canvas.height * 0.62, canvas.width
    cloth = rng.choice([(138, 44, 62), (60, 60, 116), (44, 96, 96)])
    band(canvas, 0, back, darker(cloth, 0.35), 0.1)
    for i in range(-1, w // 34 + 2):
        canvas.polygon(
            [(i * 34, 0), (i * 34 + 24, 0), (i * 34 + 20, back), (i * 34 + 4, back)],
            darker(cloth, 0.12),
            shade=0.12,
        )
    for i in range(w // 80 + 1):
        canvas.polygon(oval(i * 80 + 40, 0, 52, 40), cloth, shade=0.16)
    band(canvas, back, canvas.height, (150, 106, 74), 0.16)
    for i in range(1, 6):
        line = back + (canvas.height - back) * (i / 6) ** 1.3
        canvas.line([(0, line), (w, line)], 1.2, (116, 80, 56), shade=0)
    for x in (0.25, 0.5, 0.75):
        canvas.soft(
            [(w * x - 14, -20), (w * x + 14, -20), (w * x + 96, back + 60), (w * x - 96, back + 60)],
            (255, 240, 200),
            0.16,
            10,
        )
    return canvas.height * 0.84


def stadium(canvas: Canvas, rng: random.Random) -> float:
    """Draw empty stands over a striped lawn. Return where the lawn begins, in pixels."""
    top, lawn = canvas.height * 0.2, canvas.height * 0.5
    sky(canvas, rng, top + 10)
    band(canvas, top, lawn, (168, 172, 184), 0.16)
    band(canvas, top - 6, top + 4, (92, 98, 118), 0)
    stripes = 5
    for i in range(stripes):
        y0, y1 = (lawn + (canvas.height - lawn) * (k / stripes) ** 1.25 for k in (i, i + 1))
        band(canvas, y0, y1 + 1, GRASS if i % 2 else darker(GRASS, 0.1), 0)
    band(canvas, lawn - 16, lawn, (232, 232, 228), 0.06)
    for i in range(6):
        x = canvas.width * i / 6
        canvas.polygon(
            [(x + 4, lawn - 13), (x + 96, lawn - 13), (x + 96, lawn - 3), (x + 4, lawn - 3)],
            rng.choice([(208, 92, 80), (80, 122, 180), (236, 190, 90), (96, 160, 120)]),
            shade=0,
        )
    canvas.line([(0, lawn + 24), (canvas.width, lawn + 24)], 2.5, WHITE, shade=0)
    return lawn

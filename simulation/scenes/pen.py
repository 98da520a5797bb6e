"""Draws figures in their own coordinates.

The feet are at the origin and y points down: heights are negative.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from simulation.scenes.canvas import Canvas, Point
from simulation.scenes.palette import BLACK, Colour

_OVAL_CORNERS = 40
_CURVE_STEPS = 8


@dataclass(frozen=True, slots=True)
class Pen:
    """Local units times `unit` pixels, put at (`x`, `y`) pixels; mirrored when `flip`."""

    canvas: Canvas
    x: float
    y: float
    unit: float
    owner: str = ""
    flip: bool = False

    def of(self, part: str) -> "Pen":
        """Return the same pen, which paints for a part of its owner."""
        return replace(self, owner=f"{self.owner}/{part}")

    def at(self, x: float, y: float, scale: float = 1.0) -> "Pen":
        """Return the same pen, moved to local (x, y) and with its unit scaled."""
        (px, py), *_ = self.place([(x, y)])
        return replace(self, x=px, y=py, unit=self.unit * scale)

    def place(self, points: Sequence[Point]) -> list[Point]:
        """Return local points in pixels of the picture."""
        side = -self.unit if self.flip else self.unit
        return [(self.x + side * x, self.y + self.unit * y) for x, y in points]

    def poly(self, points: Sequence[Point], fill: Colour, shade: float = 0.1) -> None:
        """Draw a polygon with sharp corners."""
        self.canvas.polygon(self.place(points), fill, self.owner, shade)

    def blob(self, points: Sequence[Point], fill: Colour, shade: float = 0.1) -> None:
        """Draw a closed smooth curve through the points."""
        self.poly(smooth(points), fill, shade)

    def oval(
        self, x: float, y: float, rx: float, ry: float, fill: Colour, turn: float = 0.0, shade: float = 0.1
    ) -> None:
        """Draw an ellipse around (x, y), turned clockwise by `turn` degrees."""
        self.poly(oval(x, y, rx, ry, turn), fill, shade)

    def rect(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: Colour,
        radius: float = 0.0,
        shade: float = 0.1,
    ) -> None:
        """Draw a rectangle with corners rounded by `radius`."""
        if not radius:
            self.poly([(left, top), (right, top), (right, bottom), (left, bottom)], fill, shade)
            return
        corners: list[Point] = []
        centres = [(right, top, -90.0), (right, bottom, 0.0), (left, bottom, 90.0), (left, top, 180.0)]
        for x, y, start in centres:
            cx, cy = (
                x - math.copysign(radius, x - (left + right) / 2),
                y - math.copysign(radius, y - (top + bottom) / 2),
            )
            for step in range(7):
                angle = math.radians(start + 15 * step)
                corners.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
        self.poly(corners, fill, shade)

    def limb(self, points: Sequence[Point], width: float, fill: Colour, shade: float = 0.06) -> None:
        """Draw a stroke with round ends and joints."""
        self.canvas.line(self.place(points), width * self.unit, fill, self.owner, shade)

    def shadow(self, rx: float, ry: float = 0.0, x: float = 0.0, y: float = 0.0) -> None:
        """Draw a soft shadow on the ground. It has no owner, since nobody would box it."""
        points = self.place(oval(x, y, rx, ry or rx * 0.16, 0))
        self.canvas.soft(points, BLACK, opacity=0.28, blur=max(0.8, 0.02 * self.unit))


def oval(x: float, y: float, rx: float, ry: float, turn: float = 0.0) -> list[Point]:
    """Return the corners of an ellipse."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    points = []
    for step in range(_OVAL_CORNERS):
        angle = 2 * math.pi * step / _OVAL_CORNERS
        dx, dy = rx * math.cos(angle), ry * math.sin(angle)
        points.append((x + dx * cos - dy * sin, y + dx * sin + dy * cos))
    return points


def smooth(points: Sequence[Point]) -> list[Point]:
    """Return a closed Catmull-Rom curve through the points."""
    curve: list[Point] = []
    for i in range(len(points)):
        before, a, b, after = (points[(i + k) % len(points)] for k in (-1, 0, 1, 2))
        for step in range(_CURVE_STEPS):
            t = step / _CURVE_STEPS
            x, y = (
                0.5
                * (
                    2 * p1
                    + (p2 - p0) * t
                    + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2
                    + (3 * p1 - p0 - 3 * p2 + p3) * t**3
                )
                for p0, p1, p2, p3 in zip(before, a, b, after, strict=True)
            )
            curve.append((x, y))
    return curve


def elbow(start: Point, end: Point, length: float, side: float = 1.0) -> Point:
    """Return the middle joint of a limb of two bones, each of this `length`.

    If `side` is positive, the limb is bent to the left, seen from `start` to `end`.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    distance = math.hypot(dx, dy) or 1e-9
    height = math.sqrt(max(0.0, length**2 - (distance / 2) ** 2))
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    return middle[0] + side * height * dy / distance, middle[1] - side * height * dx / distance

"""Draws instruments. Each says where its player's hands are."""

from simulation.scenes.palette import METAL, WOOD, Colour, darker, lighter
from simulation.scenes.pen import Pen
from simulation.scenes.people import Pose

GUITARIST = Pose(back_hand=(-0.02, -0.5), front_hand=(0.24, -0.62))
TRUMPETER = Pose(back_hand=(0.12, -0.82), front_hand=(0.2, -0.83))
DRUMMER = Pose(back_hand=(-0.16, -0.52), front_hand=(0.2, -0.54))
VIOLINIST = Pose(back_hand=(0.02, -0.68), front_hand=(0.24, -0.78))


def guitar(pen: Pen, paint: Colour) -> None:
    """Draw a guitar before the belly of a person who stands at the origin and is 1 unit high."""
    pen.limb([(-0.06, -0.5), (0.27, -0.66)], 0.026, darker(WOOD, 0.35))
    pen.limb([(0.27, -0.66), (0.33, -0.69)], 0.042, darker(WOOD, 0.55))
    pen.oval(-0.11, -0.47, 0.105, 0.092, paint, turn=-26)
    pen.oval(0.0, -0.525, 0.078, 0.07, paint, turn=-26)
    pen.oval(-0.025, -0.512, 0.028, 0.028, darker(paint, 0.65))
    pen.limb([(-0.14, -0.43), (-0.115, -0.49)], 0.016, darker(paint, 0.6))
    pen.limb([(-0.125, -0.462), (0.29, -0.67)], 0.006, (240, 230, 200), 0)


def trumpet(pen: Pen) -> None:
    """Draw a trumpet at the mouth of a person who stands at the origin and is 1 unit high."""
    brass = (228, 178, 70)
    pen.limb([(0.06, -0.835), (0.34, -0.835)], 0.024, brass)
    pen.poly([(0.3, -0.847), (0.4, -0.905), (0.42, -0.835), (0.4, -0.765), (0.3, -0.823)], brass)
    pen.limb([(0.12, -0.8), (0.26, -0.8), (0.27, -0.835)], 0.016, darker(brass, 0.15))
    for x in (0.16, 0.19, 0.22):
        pen.limb([(x, -0.865), (x, -0.8)], 0.014, lighter(brass, 0.3))


def drum(pen: Pen, paint: Colour) -> None:
    """Draw a drum before a person who stands at the origin and is 1 unit high. It hides the knees."""
    pen.limb([(-0.13, -0.1), (-0.16, -0.005)], 0.014, METAL)
    pen.limb([(0.17, -0.1), (0.2, -0.005)], 0.014, METAL)
    pen.rect(-0.19, -0.42, 0.23, -0.13, paint, 0.02)
    pen.oval(0.02, -0.42, 0.21, 0.045, (246, 242, 232))
    pen.oval(0.02, -0.13, 0.21, 0.04, darker(paint, 0.2))
    for x in (-0.12, -0.02, 0.08, 0.18):
        pen.limb([(x - 0.03, -0.37), (x, -0.13)], 0.01, lighter(METAL, 0.6), 0)
    pen.limb([(-0.17, -0.52), (-0.03, -0.43)], 0.014, lighter(WOOD, 0.25))
    pen.limb([(0.21, -0.54), (0.07, -0.43)], 0.014, lighter(WOOD, 0.25))


def violin(pen: Pen) -> None:
    """Draw a violin under the chin of a person who stands at the origin and is 1 unit high."""
    red = (150, 78, 42)
    pen.limb([(0.08, -0.76), (0.3, -0.83)], 0.016, darker(red, 0.5))
    pen.oval(0.06, -0.755, 0.062, 0.042, red, turn=-18)
    pen.oval(0.135, -0.778, 0.05, 0.035, red, turn=-18)
    pen.limb([(0.02, -0.66), (0.2, -0.9)], 0.009, lighter(WOOD, 0.4))

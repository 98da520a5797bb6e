"""Draws animals, which all look to the right. The only part that can have its own owner is `tail`."""

import random

from simulation.scenes.palette import INK, Colour, darker, lighter
from simulation.scenes.pen import Pen

COATS: dict[str, Colour] = {
    "brown": (150, 98, 60),
    "black": (58, 56, 62),
    "white": (240, 236, 228),
    "tan": (214, 172, 122),
    "gray": (146, 146, 152),
}
"""The colours of coats, by the word that captions use."""


def dog(pen: Pen, coat: Colour, rng: random.Random) -> None:
    """Draw a dog, 1 unit from nose to tail and about 0.75 high."""
    pen.shadow(0.36)
    dark, stride = darker(coat, 0.16), rng.uniform(0.02, 0.1)
    for x, foot in ((-0.2, -0.2 - stride), (0.2, 0.2 + stride)):
        pen.limb([(x, -0.3), (foot, -0.03)], 0.085, dark)
    pen.limb([(-0.3, -0.42), (-0.42, -0.5), (-0.44, -0.62)], 0.055, dark)
    pen.blob(
        [
            (-0.34, -0.38),
            (-0.3, -0.5),
            (0.0, -0.48),
            (0.25, -0.53),
            (0.3, -0.38),
            (0.18, -0.24),
            (-0.1, -0.26),
            (-0.28, -0.25),
        ],
        coat,
    )
    for x, foot in ((-0.24, -0.22 + stride), (0.2, 0.16 - stride)):
        pen.limb([(x, -0.32), (foot, -0.03)], 0.09, coat)
        pen.oval(foot + 0.025, -0.025, 0.055, 0.028, lighter(coat, 0.25))
    pen.limb([(0.22, -0.44), (0.3, -0.58)], 0.16, coat)
    pen.blob(
        [
            (0.2, -0.62),
            (0.26, -0.73),
            (0.38, -0.72),
            (0.42, -0.64),
            (0.53, -0.6),
            (0.54, -0.53),
            (0.42, -0.5),
            (0.28, -0.52),
        ],
        coat,
    )
    pen.oval(0.53, -0.595, 0.03, 0.026, INK)
    pen.oval(0.385, -0.65, 0.018, 0.02, INK, shade=0)
    pen.limb([(0.52, -0.535), (0.45, -0.53)], 0.012, dark, 0)
    pen.blob([(0.2, -0.7), (0.28, -0.72), (0.3, -0.6), (0.24, -0.5), (0.18, -0.54)], darker(coat, 0.3))
    pen.limb([(0.21, -0.5), (0.35, -0.475)], 0.035, (204, 60, 58))


def cat(pen: Pen, coat: Colour) -> None:
    """Draw a sitting cat, 1 unit high."""
    pen.shadow(0.34)
    dark = darker(coat, 0.22)
    pen.limb([(-0.2, -0.06), (-0.42, -0.08), (-0.48, -0.24), (-0.4, -0.34)], 0.075, dark)
    pen.blob(
        [(-0.28, -0.03), (-0.3, -0.3), (-0.12, -0.55), (0.14, -0.58), (0.2, -0.3), (0.22, -0.02), (0.0, 0.0)],
        coat,
    )
    for x in (0.03, 0.16):
        pen.limb([(x, -0.36), (x + 0.02, -0.05)], 0.09, coat)
        pen.oval(x + 0.04, -0.03, 0.07, 0.04, lighter(coat, 0.3))
    pen.poly([(-0.11, -0.78), (-0.11, -1.0), (0.04, -0.86)], dark)
    pen.poly([(0.3, -0.78), (0.29, -1.0), (0.14, -0.86)], dark)
    pen.oval(0.1, -0.7, 0.225, 0.185, coat)
    for y in (-0.34, -0.44):
        pen.limb([(-0.26, y + 0.02), (-0.14, y - 0.02)], 0.03, dark)
    for x in (0.04, 0.2):
        pen.oval(x, -0.73, 0.03, 0.042, (146, 186, 92), shade=0)
        pen.oval(x, -0.73, 0.011, 0.036, INK, shade=0)
    pen.poly([(0.1, -0.665), (0.15, -0.665), (0.125, -0.635)], (224, 128, 128))
    for side in (-1, 1):
        for dy in (-0.02, 0.03):
            pen.limb(
                [(0.125 + side * 0.05, -0.63), (0.125 + side * 0.22, -0.64 + dy)],
                0.009,
                lighter(coat, 0.6),
                0,
            )


def horse(pen: Pen, coat: Colour, grazing: bool = False) -> None:
    """Draw a horse, 1 unit high at the withers and 1.4 long."""
    pen.shadow(0.6)
    dark, mane, hoof = darker(coat, 0.16), darker(coat, 0.5), darker(coat, 0.6)
    for hip, knee, foot in ((-0.34, -0.42, -0.36), (0.34, 0.4, 0.36)):
        pen.limb([(hip, -0.58), (knee, -0.32), (foot, -0.05)], 0.1, dark)
        pen.rect(foot - 0.06, -0.06, foot + 0.06, 0.0, hoof, 0.02)
    pen.blob(
        [(-0.5, -0.84), (-0.64, -0.76), (-0.67, -0.5), (-0.58, -0.26), (-0.56, -0.5), (-0.5, -0.7)], mane
    )
    pen.blob(
        [
            (-0.54, -0.7),
            (-0.46, -0.92),
            (-0.1, -0.9),
            (0.3, -0.96),
            (0.48, -0.78),
            (0.4, -0.56),
            (0.05, -0.5),
            (-0.4, -0.54),
        ],
        coat,
    )
    for hip, knee, foot in ((-0.42, -0.46, -0.5), (0.32, 0.28, 0.28)):
        pen.limb([(hip, -0.62), (knee, -0.32), (foot, -0.05)], 0.115, coat)
        pen.rect(foot - 0.06, -0.06, foot + 0.07, 0.0, hoof, 0.02)
    if grazing:
        pen.blob([(0.22, -0.95), (0.4, -0.97), (0.72, -0.5), (0.68, -0.34), (0.54, -0.42), (0.3, -0.6)], coat)
        pen.blob(
            [(0.5, -0.42), (0.62, -0.5), (0.74, -0.36), (0.76, -0.12), (0.68, -0.08), (0.58, -0.24)], coat
        )
        pen.blob(
            [(0.26, -0.96), (0.4, -1.02), (0.7, -0.6), (0.68, -0.46), (0.54, -0.66), (0.36, -0.84)], mane
        )
        pen.oval(0.66, -0.34, 0.02, 0.024, INK, shade=0)
        return
    pen.blob(
        [(0.2, -0.9), (0.34, -1.1), (0.54, -1.34), (0.68, -1.28), (0.62, -1.08), (0.5, -0.76), (0.34, -0.68)],
        coat,
    )
    pen.poly([(0.55, -1.32), (0.57, -1.46), (0.65, -1.33)], dark)
    pen.blob(
        [
            (0.52, -1.3),
            (0.66, -1.36),
            (0.76, -1.24),
            (0.92, -1.06),
            (0.88, -0.98),
            (0.76, -1.02),
            (0.6, -1.1),
        ],
        coat,
    )
    pen.blob(
        [
            (0.14, -0.9),
            (0.28, -1.12),
            (0.46, -1.36),
            (0.6, -1.4),
            (0.56, -1.28),
            (0.44, -1.12),
            (0.34, -0.88),
        ],
        mane,
    )
    pen.oval(0.71, -1.21, 0.02, 0.024, INK, shade=0)
    pen.oval(0.87, -1.04, 0.016, 0.014, INK, shade=0)


def bird(pen: Pen, coat: Colour) -> None:
    """Draw a standing bird, 1 unit high."""
    pen.shadow(0.3)
    for x in (-0.04, 0.08):
        pen.limb([(x, -0.3), (x, -0.03), (x + 0.08, -0.02)], 0.04, (226, 150, 60))
    pen.poly([(-0.3, -0.42), (-0.72, -0.5), (-0.66, -0.34), (-0.3, -0.3)], darker(coat, 0.3))
    pen.blob(
        [
            (-0.42, -0.4),
            (-0.2, -0.62),
            (0.12, -0.72),
            (0.34, -0.56),
            (0.28, -0.32),
            (0.0, -0.22),
            (-0.28, -0.26),
        ],
        coat,
    )
    pen.oval(0.26, -0.76, 0.19, 0.18, coat)
    pen.poly([(0.42, -0.8), (0.62, -0.74), (0.42, -0.68)], (238, 160, 60))
    pen.oval(0.31, -0.79, 0.028, 0.032, INK, shade=0)
    pen.blob([(-0.36, -0.42), (-0.1, -0.6), (0.14, -0.5), (0.02, -0.36), (-0.2, -0.34)], darker(coat, 0.2))


def flying_bird(pen: Pen, coat: Colour) -> None:
    """Draw a flying bird, 2 units across. The origin is its body."""
    pen.blob(
        [(-0.08, -0.02), (-0.42, -0.44), (-0.98, -0.38), (-0.52, -0.2), (-0.16, 0.12)], darker(coat, 0.2)
    )
    pen.blob([(0.06, -0.02), (0.3, -0.5), (0.94, -0.5), (0.46, -0.24), (0.16, 0.12)], coat)
    pen.blob(
        [(-0.42, 0.1), (-0.1, -0.04), (0.24, -0.08), (0.38, 0.02), (0.16, 0.16), (-0.16, 0.16)],
        lighter(coat, 0.15),
    )
    pen.poly([(0.34, -0.04), (0.5, 0.02), (0.34, 0.06)], (238, 160, 60))
    pen.oval(0.27, -0.01, 0.024, 0.024, INK, shade=0)

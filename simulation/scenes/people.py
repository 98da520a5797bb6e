"""Draws people. A look says who they are and what they wear, and a pose how they stand."""

import random
from dataclasses import dataclass

from simulation.scenes.canvas import Point
from simulation.scenes.palette import CLOTH, HAIR, INK, SKIN, WHITE, Colour, darker, lighter
from simulation.scenes.pen import Pen, elbow

_SHOULDER, _HIP, _HEAD = -0.755, -0.455, -0.885
_ARM, _LEG = 0.165, 0.222


@dataclass(frozen=True, slots=True)
class Look:
    """What one person looks like. Clothes are given by the colour's word in captions, or "" for none."""

    kind: str
    """man, woman, boy or girl"""
    skin: Colour
    hair: Colour
    shirt: str
    legs: str
    """trousers, shorts or skirt"""
    legs_colour: str
    hat: str = ""
    """"", cap, straw or chef"""
    hat_colour: str = ""
    beard: bool = False
    apron: bool = False

    @property
    def child(self) -> bool:
        return self.kind in ("boy", "girl")

    @property
    def female(self) -> bool:
        return self.kind in ("woman", "girl")


@dataclass(frozen=True, slots=True)
class Pose:
    """Where hands and feet are, in units of the body's height. The drawn person looks to the right."""

    back_hand: Point = (-0.13, -0.45)
    front_hand: Point = (0.13, -0.45)
    back_foot: Point = (-0.06, -0.02)
    front_foot: Point = (0.06, -0.02)


STAND = Pose()
WAVE = Pose(front_hand=(0.26, -0.97))
CHEER = Pose(back_hand=(-0.24, -0.99), front_hand=(0.24, -0.99))
WALK = Pose(
    back_hand=(-0.17, -0.48), front_hand=(0.17, -0.5), back_foot=(-0.15, -0.03), front_foot=(0.15, -0.02)
)
RUN = Pose(
    back_hand=(-0.22, -0.58), front_hand=(0.24, -0.66), back_foot=(-0.3, -0.15), front_foot=(0.2, -0.04)
)
KICK = Pose(
    back_hand=(-0.28, -0.66), front_hand=(0.2, -0.5), back_foot=(-0.06, -0.02), front_foot=(0.32, -0.16)
)
HOLD = Pose(back_hand=(0.14, -0.56), front_hand=(0.2, -0.56))
REACH = Pose(back_hand=(-0.12, -0.45), front_hand=(0.31, -0.72))
SIT = Pose(back_hand=(0.12, -0.46), front_hand=(0.18, -0.46), back_foot=(0.2, -0.2), front_foot=(0.26, -0.2))
RIDE = Pose(back_hand=(0.27, -0.5), front_hand=(0.3, -0.5), back_foot=(0.02, -0.1), front_foot=(0.12, -0.06))


def make_look(rng: random.Random, kind: str, avoid: set[str] | None = None, hat: str = "") -> Look:
    """Return the look of a person of a kind. No two clothes have the same colour, or one of `avoid`."""
    colours = [c for c in CLOTH if c not in (avoid or set())]
    shirt = rng.choice([c for c in colours if c not in ("brown", "gray")])
    dark = [c for c in ("blue", "black", "gray", "brown", "purple", "green") if c != shirt]
    legs = rng.choice(
        ["trousers", "trousers", "skirt"] if kind in ("woman", "girl") else ["trousers", "shorts"]
    )
    return Look(
        kind=kind,
        skin=rng.choice(SKIN),
        hair=rng.choice(HAIR),
        shirt=shirt,
        legs=legs,
        legs_colour=rng.choice(dark),
        hat=hat,
        hat_colour="white"
        if hat == "chef"
        else rng.choice([c for c in colours if c not in (shirt, "white")]),
        beard=kind == "man" and rng.random() < 0.3,
    )


def person(pen: Pen, look: Look, pose: Pose = STAND, shadow: bool = True) -> None:
    """Draw a person.

    Captions may name these parts: hair, face, arm, back_arm, shirt, trousers, shorts, skirt, hat, apron.
    """
    if shadow:
        pen.shadow(0.2)
    _arm(
        pen,
        look,
        (-0.075, _SHOULDER + 0.03),
        pose.back_hand,
        1.0,
        darker(CLOTH[look.shirt], 0.12),
        "back_arm",
    )
    if look.female:
        _long_hair(pen.of("hair"), look.hair)
    _legs(pen, look, pose)
    _torso(pen, look)
    _head(pen, look)
    _arm(pen, look, (0.075, _SHOULDER + 0.03), pose.front_hand, -1.0, CLOTH[look.shirt], "arm")


def _arm(pen: Pen, look: Look, shoulder: Point, hand: Point, side: float, sleeve: Colour, part: str) -> None:
    joint = elbow(shoulder, hand, _ARM, -side)
    bare = pen.of(part)
    bare.limb([joint, hand], 0.042, look.skin)
    bare.oval(hand[0], hand[1], 0.027, 0.027, look.skin)
    pen.of("shirt").limb([shoulder, joint], 0.066, sleeve)


def _legs(pen: Pen, look: Look, pose: Pose) -> None:
    cloth, part = CLOTH[look.legs_colour], pen.of(look.legs)
    for foot, hip, front in ((pose.back_foot, -0.035, False), (pose.front_foot, 0.035, True)):
        colour = cloth if front else darker(cloth, 0.16)
        knee = elbow((hip, _HIP), foot, _LEG, 1.0)
        if look.legs == "trousers":
            part.limb([(hip, _HIP), knee, foot], 0.075, colour)
        else:
            skin = look.skin if front else darker(look.skin, 0.1)
            pen.limb([(hip, _HIP), knee, foot], 0.05, skin)
            if look.legs == "shorts":
                part.limb([(hip, _HIP), knee], 0.085, colour)
        shoe = darker(CLOTH["brown"], 0.35)
        pen.blob(
            [
                (foot[0] - 0.035, foot[1] - 0.022),
                (foot[0] + 0.02, foot[1] - 0.026),
                (foot[0] + 0.075, foot[1] + 0.012),
                (foot[0] - 0.035, foot[1] + 0.018),
            ],
            shoe,
        )
    if look.legs == "skirt":
        part.poly(
            [(-0.085, _HIP - 0.04), (0.085, _HIP - 0.04), (0.15, _HIP + 0.2), (-0.15, _HIP + 0.2)], cloth
        )


def _torso(pen: Pen, look: Look) -> None:
    shirt, colour = pen.of("shirt"), CLOTH[look.shirt]
    waist = 0.078 if look.female else 0.09
    pen.rect(-0.03, _HEAD + 0.05, 0.035, _SHOULDER + 0.03, darker(look.skin, 0.12))
    shirt.blob(
        [
            (-0.085, _SHOULDER - 0.005),
            (0.0, _SHOULDER + 0.012),
            (0.085, _SHOULDER - 0.005),
            (0.112, _SHOULDER + 0.06),
            (waist, _HIP - 0.06),
            (waist + 0.006, _HIP + 0.02),
            (-waist - 0.006, _HIP + 0.02),
            (-waist, _HIP - 0.06),
            (-0.112, _SHOULDER + 0.06),
        ],
        colour,
    )
    if look.apron:
        apron = pen.of("apron")
        apron.limb([(-0.05, _SHOULDER + 0.01), (-0.05, _SHOULDER + 0.1)], 0.016, WHITE)
        apron.limb([(0.06, _SHOULDER + 0.01), (0.06, _SHOULDER + 0.1)], 0.016, WHITE)
        apron.rect(-0.065, _SHOULDER + 0.09, 0.075, _HIP - 0.02, WHITE, 0.01)
        apron.rect(-0.085, _HIP - 0.06, 0.095, _HIP + 0.16, WHITE, 0.02)


def _long_hair(pen: Pen, hair: Colour) -> None:
    pen.blob(
        [
            (-0.09, _HEAD - 0.05),
            (0.0, _HEAD - 0.1),
            (0.085, _HEAD - 0.05),
            (0.08, _HEAD + 0.09),
            (0.04, _HEAD + 0.13),
            (-0.1, _HEAD + 0.15),
        ],
        darker(hair, 0.15),
    )


def _head(pen: Pen, look: Look) -> None:
    face = pen.of("face")
    face.oval(0, _HEAD, 0.075, 0.088, look.skin)
    face.oval(0.03, _HEAD - 0.005, 0.008, 0.012, INK, shade=0)
    face.oval(-0.02, _HEAD - 0.005, 0.008, 0.012, INK, shade=0)
    face.oval(0.048, _HEAD + 0.03, 0.014, 0.01, (236, 140, 130), shade=0)
    face.limb(
        [(-0.012, _HEAD + 0.042), (0.01, _HEAD + 0.05), (0.03, _HEAD + 0.042)],
        0.009,
        darker(look.skin, 0.45),
        0,
    )
    if look.beard:
        face.blob(
            [
                (-0.072, _HEAD + 0.01),
                (-0.03, _HEAD + 0.03),
                (0.01, _HEAD + 0.024),
                (0.045, _HEAD + 0.03),
                (0.074, _HEAD + 0.008),
                (0.055, _HEAD + 0.085),
                (0.0, _HEAD + 0.108),
                (-0.055, _HEAD + 0.08),
            ],
            look.hair,
        )
        face.limb([(-0.01, _HEAD + 0.05), (0.03, _HEAD + 0.05)], 0.01, (226, 150, 136), 0)
    pen.of("hair").blob(
        [
            (-0.082, _HEAD + 0.02),
            (-0.084, _HEAD - 0.05),
            (-0.03, _HEAD - 0.105),
            (0.045, _HEAD - 0.1),
            (0.082, _HEAD - 0.03),
            (0.05, _HEAD - 0.055),
            (-0.02, _HEAD - 0.052),
            (-0.058, _HEAD - 0.035),
        ],
        look.hair,
    )
    if look.hat:
        _hat(pen.of("hat"), look)


def _hat(pen: Pen, look: Look) -> None:
    colour, brim = CLOTH[look.hat_colour], _HEAD - 0.048
    if look.hat == "cap":
        pen.blob(
            [
                (-0.086, brim + 0.01),
                (-0.07, brim - 0.05),
                (0, brim - 0.085),
                (0.07, brim - 0.05),
                (0.086, brim + 0.006),
            ],
            colour,
        )
        pen.rect(0.03, brim - 0.012, 0.145, brim + 0.012, darker(colour, 0.2), 0.011)
    elif look.hat == "chef":
        for x in (-0.055, 0.055, 0.0):
            pen.oval(x, brim - 0.1, 0.055, 0.05, WHITE)
        pen.rect(-0.072, brim - 0.085, 0.072, brim + 0.012, lighter(WHITE, 0.3), 0.01)
    else:
        pen.oval(0, brim, 0.15, 0.03, colour)
        pen.blob(
            [(-0.085, brim), (-0.065, brim - 0.075), (0.065, brim - 0.075), (0.085, brim)],
            lighter(colour, 0.1),
        )
        pen.rect(-0.082, brim - 0.022, 0.082, brim - 0.002, darker(colour, 0.35))

"""The colours that captions name, and those of skin, hair and nature."""

Colour = tuple[int, int, int]

CLOTH: dict[str, Colour] = {
    "red": (208, 64, 60),
    "blue": (58, 108, 188),
    "green": (70, 148, 92),
    "yellow": (242, 194, 74),
    "orange": (236, 128, 54),
    "purple": (126, 88, 162),
    "pink": (234, 134, 162),
    "white": (246, 245, 240),
    "black": (54, 56, 66),
    "gray": (142, 148, 158),
    "brown": (132, 90, 60),
}
"""The named colours, by the word that captions use."""

SKIN: tuple[Colour, ...] = ((248, 212, 184), (236, 188, 152), (206, 150, 110), (156, 106, 76), (112, 76, 56))
HAIR: tuple[Colour, ...] = ((48, 38, 36), (86, 58, 42), (136, 92, 56), (206, 166, 96), (164, 78, 46))
WOOD: Colour = (158, 110, 70)
LEAF: Colour = (96, 156, 84)
METAL: Colour = (120, 126, 136)
RUBBER: Colour = (48, 50, 58)
GLASS: Colour = (188, 220, 236)
INK: Colour = (52, 46, 50)
WHITE: Colour = (250, 250, 248)
BLACK: Colour = (0, 0, 0)


def lighter(colour: Colour, share: float) -> Colour:
    """Return `colour` moved towards white by `share` (0 to 1)."""
    return mixed(colour, (255, 255, 255), share)


def darker(colour: Colour, share: float) -> Colour:
    """Return `colour` moved towards black by `share` (0 to 1)."""
    return mixed(colour, BLACK, share)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return `one` moved towards `other` by `share` (0 to 1)."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue

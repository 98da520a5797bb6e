"""The chains' colours can be read by everybody, and told apart by people who see few colours."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from console.inspector.image_page import COLOURS, LINES, look
from tests.shared import ROOT

Rgb = tuple[float, float, float]

CSS = (ROOT / "console/static/console/inspector.css").read_text()
TOKENS = (ROOT / "console/static/console/tokens.css").read_text()
SEEN: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "no green": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
}
"""How linear light is seen by each kind of eye: Machado, Oliveira and Fernandes 2009, at full severity."""
APART = 10
"""The least difference by CIE76. Two colours side by side clearly differ from about 5."""


def _rgb(colour: str) -> Rgb:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def _linear(colour: Rgb) -> Rgb:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return red, green, blue


def _luminance(colour: Rgb) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(a: Rgb, b: Rgb) -> float:
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _mixed(a: Rgb, share: float, b: Rgb) -> Rgb:
    red, green, blue = (share * x + (1 - share) * y for x, y in zip(a, b, strict=True))
    return red, green, blue


def _lab(linear: Rgb) -> Rgb:
    red, green, blue = (max(0.0, min(c, 1.0)) for c in linear)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _colours() -> list[str]:
    return [re.findall(rf"\.c{place} {{\s*--stroke: (#\w{{6}});", CSS)[0] for place in range(COLOURS)]


def _token(name: str, dark: bool) -> Rgb:
    return _rgb(re.findall(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", TOKENS)[0][dark])


@pytest.mark.parametrize("colour", _colours())
def test_letters_and_words_on_a_colour_are_readable(colour: str) -> None:
    assert _contrast(_rgb(colour), (0, 0, 0)) >= 4.5
    for dark in (False, True):
        for share, text in ((0.26, "text"), (0.45, "loud")):
            tint = _mixed(_rgb(colour), share, _token("surface", dark))
            assert _contrast(tint, _token(text, dark)) >= 4.5, (dark, text)


@pytest.mark.parametrize("eyes", SEEN)
def test_colours_are_told_apart(eyes: str) -> None:
    seen = {}
    for colour in _colours():
        light = _linear(_rgb(colour))
        red, green, blue = (sum(a * b for a, b in zip(row, light, strict=True)) for row in SEEN[eyes])
        seen[colour] = _lab((red, green, blue))
    apart = {
        pair: sum((a - b) ** 2 for a, b in zip(seen[pair[0]], seen[pair[1]], strict=True)) ** 0.5
        for pair in combinations(seen, 2)
    }
    assert min(apart.values()) >= APART, min(apart, key=apart.__getitem__)


def test_chains_beyond_the_colours_get_another_line() -> None:
    looks = [look(number) for number in range(1, COLOURS * LINES + 1)]
    assert len(set(looks)) == COLOURS * LINES
    assert all(f".{name} {{" in CSS for one in looks for name in one.split())

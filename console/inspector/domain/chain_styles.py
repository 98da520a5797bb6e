"""Colour and line of chains. No Django."""

from __future__ import annotations

COLOURS = 8
"""Colours in inspector.css. With more chains, colours repeat with another line style."""
LINES = 3


def look(number: int) -> str:
    """Return the classes of a chain's marks and boxes by its number, from 1."""
    place = number - 1
    return f"c{place % COLOURS} l{place // COLOURS % LINES}"

"""Colour and line of chains. No Django."""

from __future__ import annotations

COLOURS = 8
"""In inspector.css. Where there are more chains, colours come again with another line."""
LINES = 3


def look(number: int) -> str:
    """The classes of a chain's marks and boxes by its number, from 1."""
    place = number - 1
    return f"c{place % COLOURS} l{place // COLOURS % LINES}"

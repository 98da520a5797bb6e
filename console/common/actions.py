"""How states and actions are worded: what the `words` of every part of the console are made of."""

from __future__ import annotations

from typing import NamedTuple

Look = tuple[str, str]
"""A word, and the class of its chip."""


class Action(NamedTuple):
    """On a button, as a heading, and what was done when it is done; whether it takes something away."""

    button: str
    title: str
    done: str
    danger: bool = False

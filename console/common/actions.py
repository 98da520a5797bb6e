"""The types of labels for states and actions."""

from __future__ import annotations

from typing import NamedTuple

Look = tuple[str, str]
"""A word, and the class of its chip."""


class Action(NamedTuple):
    """An action's button, its heading, the message after it, and whether it takes something away."""

    button: str
    title: str
    done: str
    danger: bool = False

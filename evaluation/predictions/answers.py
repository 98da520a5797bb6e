"""What is found in the text of an answer, whatever the model is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NUMBER = r"[+-]?+\d{1,12}+(?:\.\d{0,20}+)?+(?:[eE][+-]?+\d{1,3}+)?+"
"""A number. It has bounds, and gives nothing back, so that any text is searched in linear time."""
MAX_SHOWN = 60
"""Characters of a text that a message shows."""
_MARK = re.compile(r"</?[a-z]{1,9}>|<\|[a-z_]{1,30}\|>")


@dataclass(frozen=True, slots=True)
class Said:
    """A box that an answer has: four numbers in the order in which they are written, its label, its score.

    The label is "" if there is none.
    """

    numbers: tuple[float, float, float, float]
    label: str = ""
    score: float | None = None


@dataclass(slots=True)
class Found:
    """Boxes of an answer in their order, what looks like a box and cannot be read, and a number of points."""

    said: list[Said] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    points: int = 0

    def add(self, numbers: list[float], label: str, score: float | None = None) -> None:
        """Add the boxes that four numbers each make. Fewer than four are left over as unreadable."""
        for at in range(0, len(numbers) - 3, 4):
            left, top, right, bottom = numbers[at : at + 4]
            self.said.append(Said((left, top, right, bottom), label, score))
        if not numbers or len(numbers) % 4:
            self.unreadable.append(f"{label} {len(numbers)} numbers".strip()[:MAX_SHOWN])


def label_of(text: str) -> str:
    """Return a label without marks such as `</s>`, and without what joins it to others.

    >>> label_of("</s><s>a dog,")
    'a dog'
    """
    return _MARK.sub("", text).strip(" \t\r\n,.;:")

"""A report as a value. Tasks make it, and the other modules of this package write it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "count", "share", "interval", "number", "p"]
"""What a column holds. Shares are from 0 to 1 and are written in per cent; an interval is two shares."""
Cell = str | int | float | tuple[float, float] | None
UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers in rows. `name` is that of its CSV file. `note` says what the reader has to know.

    A folded table is shown when it is asked for, and not on the screen.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """Shares from 0 to 1 by label, as horizontal bars, for one or more series."""

    title: str
    labels: tuple[str, ...]
    series: Mapping[str, Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class Lines:
    """Shares from 0 to 1 over a number, as lines, for one or more series."""

    title: str
    x_name: str
    x: tuple[float, ...]
    series: Mapping[str, Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Counts of rows against columns."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """A box on a picture in pixel edges of the original. `kind` decides how it is drawn.

    `label` is a short text in its corner, such as the number of a phrase.
    """

    box: tuple[float, float, float, float]
    kind: Literal["truth", "predicted"]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as JPEG, of an image of `width` x `height` pixels, with boxes on it."""

    jpeg: bytes
    width: int
    height: int
    outlines: tuple[Outline, ...]
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures side by side."""

    title: str
    pictures: tuple[Picture, ...]


Item = Table | Bars | Lines | Matrix | Gallery


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report. `text` is one paragraph."""

    title: str
    text: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All of what a task found. `facts` are what it was found with: the data set, files, and settings."""

    task: str
    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...] = field(default_factory=tuple)

    def tables(self) -> list[Table]:
        """Return all tables, in their order. A matrix is one, too."""
        found: list[Table] = []
        for section in self.sections:
            for item in section.items:
                if isinstance(item, Table):
                    found.append(item)
                elif isinstance(item, Matrix):
                    columns = (Column(""), *(Column(name, "count") for name in item.columns))
                    rows: tuple[tuple[Cell, ...], ...] = tuple(
                        (name, *row) for name, row in zip(item.rows, item.counts, strict=True)
                    )
                    found.append(Table(item.name, item.title, columns, rows, item.note))
        return found


def say(value: Cell, kind: Kind) -> str:
    """Return how a cell is written.

    >>> [say(0.64728, "share"), say(5656, "count"), say((0.61, 0.665), "interval"), say(None, "share")]
    ['64.73%', '5,656', '61.0 to 66.5', '–']
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNKNOWN
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        low, high = value
        if math.isnan(low) or math.isnan(high):
            return UNKNOWN
        return " to ".join(f"{round(100 * end, 1) + 0.0:.1f}" for end in (low, high))  # never "-0.0"
    if kind == "share":
        return f"{100 * value:.2f}%"
    if kind == "p":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if kind == "count":
        return f"{value:,}"
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"

"""What a crowd platform says of its workers, and the file in which it says so of many."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass

COLUMNS = ("worker", "completed", "approval")
MOST_ROWS = 100_000
MOST_COMPLETED = 2**31 - 1
LONGEST_NAME = 128


class FiguresError(ValueError):
    """Figures that are none. The message begins with the field."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Tasks that somebody finished on the platform, and the share of them approved; None: it does not say."""

    completed: int | None
    approval: float | None

    def __post_init__(self) -> None:
        if self.completed is not None and not 0 <= self.completed <= MOST_COMPLETED:
            raise FiguresError("completed: must be 0 or more tasks, at most 2,147,483,647")
        if self.approval is not None and not 0 <= self.approval <= 1:
            raise FiguresError("approval: must be a share from 0 to 1, like 0.97")


def parse(completed: str, approval: str) -> Figures:
    """Figures as people and files write them; an empty word where the platform says nothing.

    Raises FiguresError.
    """
    return Figures(_tasks(completed.strip()), _share(approval.strip()))


def _tasks(word: str) -> int | None:
    if not word:
        return None
    if not (word.isascii() and word.isdigit() and len(word) <= 10):
        raise FiguresError(f"completed: must be a whole number of tasks, not {word[:40]!a}")
    return int(word)


def _share(word: str) -> float | None:
    if not word:
        return None
    try:
        share = float(word)
    except ValueError:
        share = math.nan
    if not math.isfinite(share):
        raise FiguresError(f"approval: must be a share from 0 to 1, like 0.97, not {word[:40]!a}")
    return share


def check_name(name: str) -> str:
    """A worker's name on the platform, as it is. Raises FiguresError."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or not name.strip():
        raise FiguresError(f"worker: needs 1 to {LONGEST_NAME} printable characters, not {name[:40]!a}")
    return name


def read(lines: Iterable[str]) -> dict[str, Figures]:
    """By worker, what a CSV file says: a row of the columns' names, then one a worker.

    Other columns are passed over. Raises FiguresError naming the line, for the first that is wrong.
    """
    rows = csv.reader(lines, strict=True)
    found: dict[str, Figures] = {}
    try:
        header = [name.strip().lower() for name in next(rows, [])]
        if missing := [name for name in COLUMNS if name not in header]:
            raise FiguresError(f"no column {missing[0]!r}: the first line must name {', '.join(COLUMNS)}")
        places = [header.index(name) for name in COLUMNS]
        for row in rows:
            if not any(row):
                continue
            if len(row) != len(header):
                raise FiguresError(f"has {len(row)} fields, and the first line {len(header)}")
            name, completed, approval = (row[place].strip() for place in places)
            if check_name(name) in found:
                raise FiguresError(f"worker: {name!a} is there twice")
            if len(found) == MOST_ROWS:
                raise FiguresError(f"more than {MOST_ROWS:,} workers: split the file")
            found[name] = parse(completed, approval)
    except (FiguresError, csv.Error) as error:
        raise FiguresError(f"line {max(rows.line_num, 1)}: {error}") from error
    return found

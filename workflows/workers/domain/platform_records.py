"""What a crowd platform says about its workers, one by one or as a CSV file about many."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass

COLUMNS = ("worker", "completed", "approval")
MAX_ROWS = 100_000
MAX_COMPLETED = 2**31 - 1
MAX_NAME_LENGTH = 128


class PlatformRecordError(ValueError):
    """What a platform says about a worker cannot be used. The message begins with the field."""


@dataclass(frozen=True, slots=True)
class PlatformRecord:
    """The tasks that a worker completed on the platform, and the share approved; None: it does not say."""

    completed: int | None
    approval: float | None

    def __post_init__(self) -> None:
        if self.completed is not None and not 0 <= self.completed <= MAX_COMPLETED:
            raise PlatformRecordError("completed: must be 0 or more tasks, at most 2,147,483,647")
        if self.approval is not None and not 0 <= self.approval <= 1:
            raise PlatformRecordError("approval: must be a share from 0 to 1, like 0.97")


def parse_record(completed: str, approval: str) -> PlatformRecord:
    """Read both numbers from texts; an empty text means that the platform does not say.

    Raises PlatformRecordError.
    """
    return PlatformRecord(_tasks(completed.strip()), _share(approval.strip()))


def _tasks(word: str) -> int | None:
    if not word:
        return None
    if not (word.isascii() and word.isdigit() and len(word) <= 10):
        raise PlatformRecordError(f"completed: must be a whole number of tasks, not {word[:40]!a}")
    return int(word)


def _share(word: str) -> float | None:
    if not word:
        return None
    try:
        share = float(word)
    except ValueError:
        share = math.nan
    if not math.isfinite(share):
        raise PlatformRecordError(f"approval: must be a share from 0 to 1, like 0.97, not {word[:40]!a}")
    return share


def check_worker_name(name: str) -> str:
    """Return a worker's name on the platform as it is. Raises PlatformRecordError if it cannot be one."""
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable() or not name.strip():
        raise PlatformRecordError(
            f"worker: needs 1 to {MAX_NAME_LENGTH} printable characters, not {name[:40]!a}"
        )
    return name


def read_records(lines: Iterable[str]) -> dict[str, PlatformRecord]:
    """Read a CSV file, and return its records by the worker's name.

    The first row names the columns, and each further row is about one worker. Columns that are not in COLUMNS
    are ignored. Raises PlatformRecordError, which names the first wrong line.
    """
    rows = csv.reader(lines, strict=True)
    found: dict[str, PlatformRecord] = {}
    try:
        header = [name.strip().lower() for name in next(rows, [])]
        if missing := [name for name in COLUMNS if name not in header]:
            raise PlatformRecordError(
                f"no column {missing[0]!r}: the first line must name {', '.join(COLUMNS)}"
            )
        places = [header.index(name) for name in COLUMNS]
        for row in rows:
            if not any(row):
                continue
            if len(row) != len(header):
                raise PlatformRecordError(f"it has {len(row)} fields, and the first line has {len(header)}")
            name, completed, approval = (row[place].strip() for place in places)
            if check_worker_name(name) in found:
                raise PlatformRecordError(f"worker: {name!a} is in the file twice")
            if len(found) == MAX_ROWS:
                raise PlatformRecordError(f"more than {MAX_ROWS:,} workers: split the file")
            found[name] = parse_record(completed, approval)
    except (PlatformRecordError, csv.Error) as error:
        raise PlatformRecordError(f"line {max(rows.line_num, 1)}: {error}") from error
    return found

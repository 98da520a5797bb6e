"""The error of every file that cannot be used, and checked access to JSON values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import orjson
from numpy.typing import NDArray

T = TypeVar("T", bool, int, str, list[Any], dict[str, Any])
E = TypeVar("E")
_NAMES = {bool: "true or false", int: "a whole number", str: "a text", list: "a list", dict: "an object"}
MAX_BOXES = 10_000
"""The most boxes of one mention or image in a file."""
MAX_ENTRIES = 100_000
"""More mentions, chains or judgments than any image has."""


class InputError(ValueError):
    """A file cannot be used. The message names it, its line or field, and what to do.

    `place` and `what` are the message in two parts. An error that was made without a place has none.
    """

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place, self.what = place, message


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and a line of it, from 1, or another part of it such as `entry 3`."""

    file: str
    at: int | str | None = None

    def __str__(self) -> str:
        return self.file if self.at is None else f"{self.file}, {self.entry}"

    @property
    def entry(self) -> str:
        """Return the line or part without the file."""
        return f"line {self.at}" if isinstance(self.at, int) else str(self.at)

    @property
    def line(self) -> int | None:
        """Return the line, or None for another part."""
        return self.at if isinstance(self.at, int) else None

    def error(self, field: str, message: str) -> InputError:
        """Return the error that says what is wrong with a field, or with all of it if `field` is ""."""
        return InputError(f"{field + ': ' if field else ''}{message}", self)


def sound(entries: Iterable[E | InputError]) -> Iterator[E]:
    """Yield the entries that a reader yields. Raise the first error among them."""
    for entry in entries:
        if isinstance(entry, InputError):
            raise entry
        yield entry


def load_json(content: bytes, place: Place) -> object:
    """Return the JSON value. NaN and Infinity are read, too, since Python's `json` writes them.

    Raise InputError if it is not JSON.
    """
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        try:
            value = json.loads(content)
            if b"\\u" in content:  # half a surrogate pair is no text, and could not be written
                json.dumps(value, ensure_ascii=False).encode()
            return value
        except (ValueError, RecursionError):
            raise place.error("", f"is not JSON in UTF-8: {error}") from error


def within(value: object, kind: type[T], place: Place, field: str) -> T:
    """Return the value if it is of this JSON type, else raise InputError. `true` is not a number."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise place.error(field, f"is not {_NAMES[kind]}")
    return value


def fields_of(
    value: object, place: Place, required: Sequence[str], optional: Sequence[str] = (), field: str = ""
) -> dict[str, Any]:
    """Return an object that has the required fields and no unknown ones. Raise InputError if it has not."""
    found = within(value, dict, place, field)
    prefix = f"{field}." if field else ""
    for name in required:
        if name not in found:
            raise place.error(f"{prefix}{name}", "is missing")
    for name in found:
        if name not in required and name not in optional:
            known = ", ".join([*required, *optional])
            raise place.error(f"{prefix}{name[:40]}", f"is not known here; the fields are {known}")
    return found


def entries_of(
    value: object, place: Place, field: str, most: int | None = MAX_ENTRIES
) -> Iterator[tuple[object, str]]:
    """Yield the entries of a list, each with its name, such as `captions[2]`. Raise InputError."""
    for at, entry in enumerate(list_of(value, place, field, most)):
        yield entry, f"{field}[{at}]"


def list_of(value: object, place: Place, field: str, most: int | None = MAX_ENTRIES) -> list[Any]:
    """Return a list with at most so many entries, or raise InputError."""
    entries = within(value, list, place, field)
    if most is not None and len(entries) > most:
        raise place.error(field, f"has more than {most:,} entries")
    return entries


def number(value: object, place: Place, field: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`, or raise InputError."""
    found = within(value, int, place, field)
    if not least <= found <= most:
        raise place.error(field, f"is {str(found)[:30]}, not from {least} to {most}")
    return found


def real(value: object, place: Place, field: str) -> float:
    """Return a number, which may be NaN or infinity, or raise InputError."""
    if not _is_number(value):
        raise place.error(field, "is not a number")
    return float(value)  # type: ignore[arg-type]


def boxes_of(value: object, place: Place, field: str) -> NDArray[np.float64]:
    """Return boxes of shape (n, 4) from a list of lists of four numbers, which may be NaN.

    Raise InputError if it is something else.
    """
    rows = within(value, list, place, field)
    if len(rows) > MAX_BOXES:
        raise place.error(field, f"has more than {MAX_BOXES:,} boxes")
    if not rows:
        return np.empty((0, 4))
    try:
        found = np.array(rows)
    except (ValueError, OverflowError):
        found = np.empty(0, dtype=object)
    if found.shape != (len(rows), 4) or found.dtype.kind not in "if":
        wrong = next((at for at, row in enumerate(rows) if not _is_box(row)), 0)
        raise place.error(f"{field}[{wrong}]", "is not four numbers [left, top, right, bottom]")
    return found.astype(np.float64, copy=False)


def scores_of(value: object, place: Place, field: str, count: int) -> NDArray[np.float64]:
    """Return `count` numbers, of shape (count,), which may be NaN, or raise InputError."""
    given = within(value, list, place, field)
    if len(given) != count:
        raise place.error(field, f"has {len(given)} numbers for {count} boxes")
    return np.array([real(one, place, f"{field}[{at}]") for at, one in enumerate(given)], dtype=np.float64)


def _is_box(row: object) -> bool:
    return isinstance(row, list) and len(row) == 4 and all(map(_is_number, row))


def _is_number(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < 2**63
    return isinstance(value, float)

"""A project's own types as fields of a form, and back. Errors stand at the field that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.own_types import MAX_TYPES, TypesError, own_types
from annotation.domain.types import OwnType
from console.common.labels import say_error

_FIELDS = ("key", "label", "words")
MAX_ROWS = 2 * MAX_TYPES
"""Rows that are read from a form; a page offers fewer."""


@dataclass(slots=True)
class Row:
    """A type as the page shows it. `place` ends the names of its fields."""

    place: int
    key: str = ""
    label: str = ""
    words: str = ""
    removed: bool = False
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def is_blank(self) -> bool:
        return not (self.key or self.label or self.words)


def rows_of(types: Iterable[OwnType]) -> list[Row]:
    """Return a row for each type, with its words one a line."""
    return [Row(at, one.key, one.label, "\n".join(one.words)) for at, one in enumerate(types)]


def with_blank(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a blank one at the end, unless the project has as many types as it may."""
    if len(rows) >= MAX_TYPES or (rows and rows[-1].is_blank):
        return [*rows]
    return [*rows, Row(len(rows))]


def read_rows(data: Mapping[str, str]) -> list[Row]:
    """Return the rows that were sent, numbered anew. Blank ones are left out."""
    rows: list[Row] = []
    for place in range(MAX_ROWS):
        key, label, words = (data.get(f"{name}-{place}", "") for name in _FIELDS)
        row = Row(len(rows), key.strip(), label.strip(), words, f"remove-{place}" in data)
        if not row.is_blank:
            rows.append(row)
    return rows


def types_of_rows(rows: Sequence[Row]) -> tuple[OwnType, ...]:
    """Return the types of the rows that are not removed.

    Raises TypesError after it has set the errors of the rows, or says in it what is wrong with all of them.
    """
    kept = [row for row in rows if not row.removed]
    for row in kept:
        _check(row)
    if any(row.errors for row in kept):
        raise TypesError("", "")
    for at, row in enumerate(kept):
        if row.key in {other.key for other in kept[:at]}:
            row.errors["key"] = "It is given twice: choose another key."
            raise TypesError("", "")
    return own_types([(row.key, row.label, row.words) for row in kept])


def _check(row: Row) -> None:
    try:
        own_types([(row.key, row.label, row.words)])
    except TypesError as error:
        name, _, line = error.field.rpartition(".")[2].partition(", ")
        place = f"{line[:1].upper()}{line[1:]}: " if line else ""
        row.errors[name] = f"{place}{error.message}." if place else say_error("", f"It {error.message}")

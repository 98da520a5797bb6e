"""Checked access to JSON values, with errors that name the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

__all__ = ["FieldError", "Fields", "flag", "items", "number", "optional", "text", "within"]

T = TypeVar("T", bool, int, str, list[Any], dict[str, Any])
_NAMES = {bool: "true or false", int: "a whole number", str: "a text", list: "a list", dict: "an object"}


class FieldError(ValueError):
    """A field is missing or wrong."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place or 'the line'}: {message}")


def within(value: object, place: str, kind: type[T]) -> T:
    """Return the value if it is of this JSON type, else raise FieldError. true is not a number."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise FieldError(place, f"is not {_NAMES[kind]}")
    return value


class Fields:
    """A JSON object at a place in the line. It may only have known names."""

    def __init__(self, value: object, place: str, known: Sequence[str]) -> None:
        self.values = within(value, place, dict)
        self.place = place
        for name in self.values:
            if name not in known:
                raise FieldError(self.at(name[:40]), f"is not known here; there are {', '.join(known)}")

    def at(self, name: str) -> str:
        """Return the full name of a field, e.g. `captions[2].text`."""
        return f"{self.place}.{name}" if self.place else name

    def required(self, name: str) -> object:
        """Return the value. Raise FieldError when it is missing."""
        if name not in self.values:
            raise FieldError(self.at(name), "is missing")
        return self.values[name]


def text(fields: Fields, name: str, default: str | None = None) -> str:
    """Return a text. It is required unless there is a default."""
    value = fields.values.get(name, default) if default is not None else fields.required(name)
    return within(value, fields.at(name), str)


def flag(fields: Fields, name: str, default: bool) -> bool:
    """Return true or false."""
    return within(fields.values.get(name, default), fields.at(name), bool)


def number(fields: Fields, name: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`."""
    value = within(fields.required(name), fields.at(name), int)
    if not least <= value <= most:
        raise FieldError(fields.at(name), f"is not from {least} to {most}")
    return value


def optional(fields: Fields, name: str, least: int, most: int) -> int | None:
    """Return a whole number from `least` to `most`, or None if it is missing or null."""
    return None if fields.values.get(name) is None else number(fields, name, least, most)


def items(
    fields: Fields, name: str, most: int, default: list[Any] | None = None
) -> Iterator[tuple[object, str]]:
    """Yield the entries of a list with their places. The list is required unless there is a default."""
    value = fields.values.get(name, default) if default is not None else fields.required(name)
    entries = within(value, fields.at(name), list)
    if len(entries) > most:
        raise FieldError(fields.at(name), f"has more than {most} entries")
    for index, entry in enumerate(entries):
        yield entry, f"{fields.at(name)}[{index}]"

"""Read the parameters of an address."""

from __future__ import annotations

from typing import Any


def read_number(data: Any, name: str) -> int | None:
    """Return the number under this name, or None if it is missing or not a number."""
    value = data.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None

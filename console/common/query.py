"""Read the parameters of an address."""

from __future__ import annotations

from typing import Any


def read_number(data: Any, name: str) -> int | None:
    """An id from the address; None for anything else."""
    value = data.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None

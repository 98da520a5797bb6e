"""Cells of tables that people open in a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(cell: str) -> str:
    """So that no spreadsheet takes it for a formula: a name may begin with whatever a worker likes."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell

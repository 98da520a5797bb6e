"""Make cells of CSV files safe to open in a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(cell: str) -> str:
    """Return the cell so that no spreadsheet runs it as a formula: with an apostrophe before it if needed."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell

"""Reads a report in tests."""

from __future__ import annotations

from evaluation.report.model import Cell, Report, Table


def table(report: Report, name: str) -> Table:
    return next(table for table in report.tables() if table.name == name)


def row(report: Report, name: str, *first: Cell) -> dict[str, Cell]:
    """Return the row of a table that begins with these cells, by the names of its columns."""
    found = table(report, name)
    (cells,) = (cells for cells in found.rows if cells[: len(first)] == first)
    return {column.name: cell for column, cell in zip(found.columns, cells, strict=True)}

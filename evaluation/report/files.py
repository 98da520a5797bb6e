"""A report as text for the screen, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
import math
import os
import tempfile
from pathlib import Path
from typing import Any

import orjson

from evaluation.errors import InputError
from evaluation.report.model import Cell, Kind, Report, Table, say
from evaluation.report.page import page

REPORT = "report.json"
MAX_NAME_LENGTH = 60
"""Characters of a cell on the screen."""


def text_of(table: Table) -> str:
    """Return a table with its columns one below another, for a screen. Long cells are cut."""
    words = [[column.name for column in table.columns]]
    words += [
        [_cut(say(cell, column.kind)) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    wide = [max(len(row[place]) for row in words) for place in range(len(table.columns))]
    left = [column.kind == "text" for column in table.columns]
    lines = [
        "  ".join(
            word.ljust(room) if at_left else word.rjust(room)
            for word, room, at_left in zip(row, wide, left, strict=True)
        ).rstrip()
        for row in words
    ]
    lines.insert(1, "  ".join("-" * room for room in wide))
    return "\n".join([table.title, *lines, *([table.note] if table.note else [])])


def csv_of(table: Table) -> str:
    """Return a table as CSV. Shares are from 0 to 1, and an interval has two columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header: list[str] = []
    for column in table.columns:
        names = ("from", "to") if column.kind == "interval" else ("",)
        header += [f"{column.name} {name}".strip() for name in names]
    writer.writerow(header)
    for row in table.rows:
        cells: list[Cell] = []
        for cell, column in zip(row, table.columns, strict=True):
            if column.kind == "interval":
                cells += list(cell) if isinstance(cell, tuple) else [None, None]
            else:
                cells.append(cell)
        writer.writerow([_plain(cell, "text") for cell in cells])
    return out.getvalue()


def json_of(report: Report) -> bytes:
    """Return the numbers of a report as JSON, with indentation. What is not known is null."""
    tables = {
        table.name: [
            {
                column.name or "name": _plain(cell, column.kind)
                for cell, column in zip(row, table.columns, strict=True)
            }
            for row in table.rows
        ]
        for table in report.tables()
    }
    found = {"task": report.task, "title": report.title, "facts": dict(report.facts), "tables": tables}
    return orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def write_report(report: Report, out: Path) -> Path:
    """Write `report.html`, `report.json` and a CSV file for each table into `out`, and return the page.

    The folder is made, or must be empty or an earlier report, whose files are replaced. Raise InputError if
    it cannot be written.
    """
    contents = {f"{table.name}.csv": csv_of(table).encode() for table in report.tables()}
    contents |= {"report.html": page(report).encode(), REPORT: json_of(report)}
    earlier = check_folder(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
        # The new files are written beside the earlier ones, and take their places when all are complete.
        with tempfile.TemporaryDirectory(dir=out, prefix=".report.") as folder:
            for name, content in contents.items():
                (Path(folder) / name).write_bytes(content)
            for name in earlier - {*contents}:
                (out / name).unlink()
            for name in contents:
                (Path(folder) / name).replace(out / name)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return out / "report.html"


def check_folder(out: Path) -> set[str]:
    """Return the names of an earlier report's files in a folder; none if it is empty or does not exist.

    Raise InputError if it is a file, holds anything else, or cannot be written.
    """
    try:
        if out.exists() and not out.is_dir():
            raise InputError(f"{out} is a file; choose a new folder")
        names = {entry.name for entry in out.iterdir()} if out.exists() else set()
        if names and (strange := sorted(names - _files_of(out / REPORT))):
            raise InputError(f"{out} holds {strange[0]}, which is no part of a report; choose a new folder")
        there = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    except OSError as error:
        raise InputError(f"{out} cannot be read: {error.strerror or error}") from error
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InputError(f"{out} cannot be written: {there} is no folder that you may write to")
    return names


def _files_of(numbers: Path) -> set[str]:
    """Return which files the report has that these numbers belong to; none if they are no numbers of one."""
    try:
        tables = orjson.loads(numbers.read_bytes())["tables"]
        return {"report.html", REPORT, *(f"{name}.csv" for name in dict(tables))}
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return set()


def _cut(words: str) -> str:
    return words if len(words) <= MAX_NAME_LENGTH else words[: MAX_NAME_LENGTH - 1] + "…"


def _plain(cell: Cell, kind: Kind) -> Any:
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    if isinstance(cell, tuple):
        return [_plain(one, kind) for one in cell]
    return cell

"""A report as text for the screen, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import orjson

from evaluation.errors import InputError
from evaluation.report.model import Cell, Kind, Report, Table, say
from evaluation.report.page import page

LONGEST = 60
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

    The folder is made, or must be empty or an earlier report, which is replaced. Raise InputError if it
    cannot be written.
    """
    try:
        if out.is_dir():
            if strange := _strange(out):
                raise InputError(f"{out} holds {strange}, which is no part of a report; choose a new folder")
        elif out.exists():
            raise InputError(f"{out} is a file; choose a new folder")
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
            made = Path(folder) / "report"
            made.mkdir()
            (made / "report.html").write_text(page(report), encoding="utf-8")
            (made / "report.json").write_bytes(json_of(report))
            for table in report.tables():
                (made / f"{table.name}.csv").write_text(csv_of(table), encoding="utf-8")
            if out.is_dir():
                shutil.rmtree(out)
            made.rename(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return out / "report.html"


def _strange(out: Path) -> str:
    """Return a name in the folder that is of no report, or ""."""
    names = sorted(entry.name for entry in out.iterdir())
    is_report = not names or {"report.html", "report.json"} <= set(names)
    known = (".csv",) if is_report else ()
    return next(
        (
            name
            for name in names
            if name not in ("report.html", "report.json") and Path(name).suffix not in known
        ),
        "",
    )


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def _plain(cell: Cell, kind: Kind) -> Any:
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    if isinstance(cell, tuple):
        return [_plain(one, kind) for one in cell]
    return cell

"""Measures what importing costs: all captions of Flickr30k are read, tokenised, chunked, typed and stored.

`make bench-import` measures the embedded SQLite, and PostgreSQL (every commit durable; the server in
DATABASE_URL, if that names one). `python -m benchmarks.import --size quick` takes a tenth of the captions.
They are expected in ../shared/data/flickr30k, or below GROUNDCREW_SHARED, the path of the folder `shared`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT, measure_apart, options, print_table, write_json

PAPER = "the paper has 3.23 mentions a caption of 2.35 words"


def main() -> int:
    """Run both databases, each in a process of its own, and print what they measured."""
    from tests.servers import postgres

    chosen = options(__doc__, databases=True).parse_args()
    shared = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")
    captions = shared / "data" / "flickr30k" / "captions.token.gz"
    if not captions.exists():
        print(f"{captions} is missing; set GROUNDCREW_SHARED to the folder shared", file=sys.stderr)
        return 1
    figures = {}
    if chosen.database != "postgresql":
        figures["sqlite"] = _measure("", captions, chosen.size)
    if chosen.database != "sqlite":
        with postgres(durable=True) as database:
            figures["postgresql"] = _measure(database, captions, chosen.size)
    print_table(
        "Importing (seconds; MB: peak of all its processes; raw inserts: the same rows, nothing else)",
        ("", "captions", "mentions", "a caption", "words each", "seconds", "captions/s", "CPU s", "MB",
         "MB at a tenth", "raw inserts", "again", "MB again"),
        [_row(name, run) for name, run in figures.items()],
    )  # fmt: skip
    print(f"\n{PAPER}")
    references = {f"of {name}": run["raw_insert_seconds"] for name, run in figures.items()}
    write_json("import", figures, references=references, folder=chosen.out)
    return 0


def _row(name: str, run: dict[str, Any]) -> list[object]:
    captions = run["captions"]
    return [
        name,
        f"{captions:,}",
        f"{run['mentions']:,}",
        f"{run['mentions'] / captions:.2f}",
        f"{run['words'] / run['mentions']:.2f}",
        run["import"]["seconds"],
        f"{captions / run['import']['seconds']:,.0f}",
        run["import"]["cpu_seconds"],
        run["import"]["peak_mb"],
        run["import"]["peak_mb_at_a_tenth"],
        f"{run['raw_insert_seconds']:.1f}",
        run["again"]["seconds"],
        run["again"]["peak_mb"],
    ]


def _measure(database: str, captions: Path, size: str) -> dict[str, Any]:
    return measure_apart("benchmarks.import_run", str(captions), size, DATABASE_URL=database)


if __name__ == "__main__":
    sys.exit(main())

"""Measures what grows with the data: the same at the size of the full corpus and at ten times that size.

`make bench-scale` fills a PostgreSQL of its own with 31,800 images and then with 318,000. At both sizes it
measures claims and the lag of advance under a load of eight annotators, each periodic task, the console's
pages, exports, verify_state and seals: time, rows that the database read, and memory. The database needs
about 25 GB of disk. `python -m benchmarks.scale --size quick` does with a tenth.

Milliseconds depend on what else the machine does; the reference was measured before and after each size. Rows
do not. What reads ten times the rows of ten times the data has to: a whole export, a whole count.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.report import measure_apart, options, print_table, write_json

SLOWEST = 12
"""How many pages the table of pages shows, besides all that grow."""
GROWS = 3.0
"""A page that reads so many times the rows at ten times the size grows with the data."""
FEW_ROWS = 5_000
"""A page that reads no more rows than this is shown only if it is slow."""


def main() -> int:
    """Measure both sizes in a process of its own, and print them side by side."""
    from tests.servers import postgres, redis

    chosen = options(__doc__).parse_args()
    with postgres() as database, redis() as broker:
        full, ten = _measure(database, broker, chosen.size)
    # At the smallest size, a stage may have nothing to claim at one of the sizes.
    later = dict(_lines(ten))
    print_table(
        "Ten times the size, on PostgreSQL",
        ("", "full size", "ten times", "ratio"),
        [
            [name, _plain(before), _plain(later[name]), _ratio(before, later[name])]
            for name, before in _lines(full)
            if name in later
        ],
    )
    earlier = {page["address"]: page for page in full["pages"]}
    pages = sorted(
        ((earlier[page["address"]], page) for page in ten["pages"] if page["address"] in earlier),
        key=lambda pair: -pair[1]["ms"],
    )
    shown = [
        pair
        for place, pair in enumerate(pages)
        if place < SLOWEST or (pair[1]["rows"] > max(FEW_ROWS, GROWS * pair[0]["rows"]))
    ]
    print_table(
        f"The console: the slowest {SLOWEST} of {len(pages)} pages, and all that read more than"
        f" {FEW_ROWS:,} rows and {GROWS:.0f} times as many",
        ("page", "queries", "ms", "ten times", "ratio", "rows read", "ten times", "ratio"),
        [
            [
                after["address"],
                after["queries"],
                *(_plain(one) for one in (before["ms"], after["ms"])),
                _ratio(before["ms"], after["ms"]),
                *(_plain(one) for one in (before["rows"], after["rows"])),
                _ratio(before["rows"], after["rows"]),
            ]
            for before, after in shown
        ],
    )
    references = {
        f"{part} ({size}, {when})": figures[when][part]
        for size, figures in (("full", full), ("ten", ten))
        for when in ("machine", "machine_after")
        for part in figures[when]
    }
    write_json("scale", {"full": full, "ten": ten}, references=references, folder=chosen.out)
    return 0


def _measure(database: str, broker: str, size: str) -> list[dict[str, Any]]:
    figures = measure_apart(
        "benchmarks.scale.run",
        size,
        GROUNDCREW_TASK_PROCESSES="1",
        GROUNDCREW_LOG_LEVEL="WARNING",
        DATABASE_URL=database,
        REDIS_URL=broker,
    )
    sizes: list[dict[str, Any]] = figures["sizes"]
    return sizes


def _lines(figures: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield what the table shows of a size, in its order."""
    rows, load = figures["rows"], figures["load"]
    for kind in ("image", "judgment", "item", "waiting", "ledgerentry", "worker", "megabytes"):
        yield {"waiting": "open items", "ledgerentry": "ledger entries"}.get(kind, f"{kind}s"), rows[kind]
    for part in ("scan", "row", "write"):
        for when in ("machine", "machine_after"):
            after = ", after" if when == "machine_after" else ""
            yield f"the machine: {part}, ms{after}", figures[when][f"{part}_ms"]
    yield "filling, s", figures["fill_seconds"]
    for kind in ("claim", "submit", "lag"):
        for share in ("p50", "p99"):
            yield f"{kind} {share}, ms", load[f"{kind}_ms"][share]
    yield "judgments a second", load["judgments_a_second"]
    yield "rows read a judgment", load["rows_a_judgment"]
    for group, label in (("claims", "claim and return"), ("tasks", "task")):
        for name, cost in figures[group].items():
            yield f"{label}: {name}, ms", cost["ms"]
            yield f"{label}: {name}, rows", cost["rows"]
    labels = {
        "counts": "all figures counted anew",
        "export_sample": "export of a sample",
        "export_all": "export of everything",
        "verify": "verify_state of a sample",
        "seal": "1,000 new rows sealed",
    }
    for step, label in labels.items():
        yield f"{label}, s", figures[step]["seconds"]
        yield f"{label}, peak MB", figures[step]["peak_mb"]
    pages = figures["pages"]
    for part in ("ms", "rows"):
        yield f"pages: median {part}", statistics.median(page[part] for page in pages)
    yield "pages: slowest, ms", max(page["ms"] for page in pages)
    yield "pages: most queries", max(page["queries"] for page in pages)


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def _ratio(before: float, after: float) -> str:
    return f"{after / before:.1f}" if before else "-"


if __name__ == "__main__":
    sys.exit(main())

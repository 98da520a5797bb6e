"""Measures what the researchers' pages cost at the size of the full corpus, on PostgreSQL and on SQLite.

`make bench-console` makes a project of 31,783 images and over two million judgments, and looks at every page
below /admin/ three times, as a manager. Its exit code is 1 if a page takes more than 30 queries, or more than
300 ms in the median. `python -m benchmarks.console --size quick` tries it on less. For comparison, it also
prints what the machine takes, without Django, for one row by its key and for fifty rows in a row.
"""

from __future__ import annotations

import sys
from typing import Any

from benchmarks.made_up_corpus import IMAGES
from benchmarks.report import DATABASES, IncompleteError, measure_apart, options, print_table, write_json

SIZES = {"full": IMAGES, "quick": 300, "tiny": 3}
SLOWEST = 25
"""How many pages the table shows. The file has all of them."""
_TIMES = ("median", "worst")


def main() -> int:
    """Run both databases, each in a process of its own, and print what they measured."""
    from tests.servers import postgres

    parser = options(__doc__, databases=True)
    parser.add_argument("--images", type=int, help="another number of images than that of the size")
    chosen = parser.parse_args()
    images = chosen.images or SIZES[chosen.size]
    figures: dict[str, Any] = {"images": images}
    if chosen.database != "sqlite":
        with postgres() as database:
            figures["postgresql"] = _measure(database, images, chosen.size)
    if chosen.database != "postgresql":
        figures["sqlite"] = _measure("", images, chosen.size)
    over = 0
    for name in DATABASES:
        if name in figures:
            over += _report(name, figures[name])
    references = {
        f"{part} ({name})": value
        for name in DATABASES
        if name in figures
        for part, value in figures[name]["machine"].items()
    }
    write_json("console", figures, references=references, folder=chosen.out)
    return 0 if chosen.size == "tiny" else min(over, 1)


def _report(name: str, figures: dict[str, Any]) -> int:
    """Print the figures. Returns how many pages are over a limit."""
    pages = sorted(figures["pages"], key=lambda page: -page["median"])
    over = [page for page in pages if page["too_much"]]
    rows = [
        [
            page["address"],
            page["status"],
            page["queries"],
            *(f"{page[part]:.1f}" for part in ("median", "worst")),
        ]
        for page in [*over, *(page for page in pages[:SLOWEST] if page not in over)]
    ]
    machine, size = figures["machine"], figures["rows"]
    print_table(
        f"Pages of the console on {name}: the {len(rows)} slowest of {len(pages)} (milliseconds)",
        ("page", "status", "queries", *_TIMES),
        rows,
    )
    print(f"{size['judgment']:,} judgments, {size['item']:,} items; made in {figures['fill_seconds']:.0f} s")
    print(f"the machine: one row {machine['row_ms']:.3f} ms, fifty rows {machine['fifty_ms']:.3f} ms")
    print(f"most queries: {max(page['queries'] for page in pages)}; over a limit: {len(over)} pages")
    if failed := [page["address"] for page in pages if page["status"] >= 500]:
        raise IncompleteError(f"these pages failed on {name}: {', '.join(failed)}")
    print_table(
        "Counting the project's figures (seconds)", ("kind", "seconds"), list(figures["counts"].items())
    )
    return len(over)


def _measure(database: str, images: int, size: str) -> dict[str, Any]:
    return measure_apart(
        "benchmarks.console.visits",
        str(images),
        size,
        GROUNDCREW_LOG_LEVEL="ERROR",
        DATABASE_URL=database,
        # The server has an account, so that its pages have something to show. Nothing calls the platform.
        GROUNDCREW_MTURK_KEY_ID="none",
        GROUNDCREW_MTURK_SECRET="none",  # noqa: S106
        GROUNDCREW_MTURK_SECRET_FILE="",
    )


if __name__ == "__main__":
    sys.exit(main())

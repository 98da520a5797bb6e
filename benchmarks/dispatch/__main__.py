"""Measures what serving costs: latencies of claim and submit, judgments a second, and CPU a judgment.

Judgments are counted while advance keeps up. `make bench-dispatch` measures PostgreSQL (every commit durable)
with a Redis-protocol broker, and the embedded SQLite with its filesystem broker. It runs granian with two
workers and one Celery process, and annotators without think time on the same cores. `python -m
benchmarks.dispatch --size quick` takes a tenth of the time.
"""

from __future__ import annotations

import sys
from typing import Any

from benchmarks.report import measure_apart, options, print_table, write_json

TARGETS = (
    "wanted: at least 500 judgments a second, at most 4 ms of CPU each, p99 of claim at 1,000,000 within 1.5x"
)


def main() -> int:
    """Run both databases, each in a process of its own, and print what they measured."""
    from tests.servers import postgres, redis

    chosen = options(__doc__, databases=True).parse_args()
    figures = {}
    if chosen.database != "sqlite":
        with postgres(durable=True) as database, redis() as broker:
            figures["postgresql"] = _measure(database, broker, chosen.size)
    if chosen.database != "postgresql":
        figures["sqlite"] = _measure("", "", chosen.size)
    rows, heads = [], []
    for name, measured in figures.items():
        raw = round(measured["raw"]["judgments_a_second"])
        rows += [[name, run["annotators"], *_row(run), raw] for run in measured["load"]]
        heads += [[name, *_head(run, measured["queue"][0])] for run in measured["queue"]]
    print_table(
        "Serving, all six stages (milliseconds; raw: the same writes in bare transactions)",
        ("", "annotators", "claim p50", "p95", "p99", "submit p50", "p95", "p99", "judgments/s",
         "CPU ms/judgment", "backlog max", "at end", "drained s", "raw judgments/s"),
        rows,
    )  # fmt: skip
    print_table(
        "Claims by open items, 8 annotators (milliseconds)",
        ("", "open items", "p50", "p95", "p99", "p99 / first"),
        heads,
    )
    print(f"\n{TARGETS}")
    references = {f"of {name}": measured["raw"]["judgments_a_second"] for name, measured in figures.items()}
    write_json("dispatch", figures, references=references, folder=chosen.out)
    return 0


def _row(run: dict[str, Any]) -> list[object]:
    latencies = [run[kind][share] for kind in ("claim_ms", "submit_ms") for share in ("p50", "p95", "p99")]
    backlog = [run["backlog_max"], run["backlog_at_end"], run["drained_seconds"]]
    return [*latencies, round(run["judgments_a_second"]), run["cpu_ms_a_judgment"], *backlog]


def _head(run: dict[str, Any], first: dict[str, Any]) -> list[object]:
    p50, p95, p99 = (run["claim_ms"][share] for share in ("p50", "p95", "p99"))
    return [f"{run['open_items']:,}", p50, p95, p99, round(p99 / first["claim_ms"]["p99"], 2)]


def _measure(database: str, broker: str, size: str) -> dict[str, Any]:
    return measure_apart(
        "benchmarks.dispatch.run",
        size,
        GROUNDCREW_TASK_PROCESSES="1",
        # Two requests at once on two cores: with more, threads only take turns at the interpreter's lock.
        GROUNDCREW_WEB_THREADS="1",
        GROUNDCREW_LOG_LEVEL="WARNING",
        DATABASE_URL=database,
        REDIS_URL=broker,
    )


if __name__ == "__main__":
    sys.exit(main())

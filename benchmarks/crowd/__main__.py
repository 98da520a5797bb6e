"""Measures how many calls rounds with a platform make, and how long workers wait for their pay.

`make bench-crowd` runs rounds every 30 s, as beat begins them, with an emulated Mechanical Turk on which 500
HITs are open. Workers submit one page after another meanwhile. It runs once at five calls a second, as with
Amazon, and once without a limit. `python -m benchmarks.crowd --size quick` takes fewer HITs and a tenth of
the time.
"""

from __future__ import annotations

import sys
from typing import Any

from benchmarks.report import measure_apart, options, print_table, write_json

SIZES = {"full": (500, 30.0, 4, 0.5), "quick": (60, 5.0, 4, 1.0), "tiny": (6, 1.0, 2, 4.0)}
"""Open HITs, seconds between rounds, rounds, submissions a second."""


def main() -> int:
    """Measure in a process whose environment names the database and the emulator, and print the figures."""
    from simulation.emulators.mturk.run import process
    from tests.servers import postgres

    chosen = options(__doc__).parse_args()
    with postgres(durable=True) as database, process("--funds", "100000000") as turk:
        figures = measure_apart(
            "benchmarks.crowd.run",
            turk.url,
            turk.queue_url,
            *map(str, SIZES[chosen.size]),
            GROUNDCREW_SITE="https://groundcrew.example",
            GROUNDCREW_LOG_LEVEL="WARNING",
            DATABASE_URL=database,
        )
    _print(figures)
    references = {name: value["p50"] for name, value in figures["reference"].items()}
    write_json("crowd", figures, references=references, folder=chosen.out)
    return 0


def _print(figures: dict[str, Any]) -> None:
    runs = figures["runs"]
    operations = sorted({name for run in runs for name in run["calls_a_round"]})
    hits, rate = figures["open_hits"], figures["submissions_a_second"]
    print_table(
        f"Calls a round, {hits} open HITs, {rate} submissions a second",
        ("", *(run["pacing"] for run in runs)),
        [
            *([name, *(run["calls_a_round"].get(name, 0) for run in runs)] for name in operations),
            ["all", *(run["calls"] for run in runs)],
        ],
    )  # fmt: skip
    print_table(
        "Rounds, and from a worker's submission to our approval (seconds)",
        ("", "rounds", "seconds a round", "calls/s", "submitted", "approved", "p50", "p95"),
        [
            [run["pacing"], run["rounds"], run["seconds_a_round"], run["calls_a_second"], run["submitted"],
             run["approved"], run["approval_seconds"]["p50"], run["approval_seconds"]["p95"]]
            for run in runs
        ],
    )  # fmt: skip
    machine = figures["reference"]
    print_table(
        "This machine, in the same run (milliseconds)",
        ("", "p50", "p95"),
        [
            ["a bare call of boto3 to the emulator", machine["call_ms"]["p50"], machine["call_ms"]["p95"]],
            ["two bare transactions, as a call's log", machine["log_ms"]["p50"], machine["log_ms"]["p95"]],
        ],
    )


if __name__ == "__main__":
    sys.exit(main())

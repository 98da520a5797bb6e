"""Holds forecasts against whole simulated batches: `make bench-forecast`.

Twelve batches of 6 to 200 images are forecast and then annotated to their end, under all three regimes, by
people who are invited and by workers who come through Mechanical Turk's emulator. They work at the same time,
in made-up time, through the services of a process with an embedded database of its own. A tenth of them is
careless. The forecast knows how many people there are and nothing else about them.

Options: --size, --only (some of the batches, by name), --seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.report import measure_apart, print_table, write_json
from benchmarks.report import options as shared_options

CARELESS = 0.1
GOLD = 60
"""Images for verification questions, beside those that are annotated."""
NARROW = 0.4
"""A range may reach so far to either side of its middle, on average of both sides, as a share of it."""


@dataclass(frozen=True, slots=True)
class Given:
    """A batch to forecast and to annotate."""

    name: str
    provider: str
    regime: str
    images: int
    workers: int
    gold: int = GOLD
    careless: float = CARELESS
    seed: int = 0


def _given(provider: str, regime: str, images: int, workers: int) -> Given:
    gold = 1 if regime == "open" else GOLD
    return Given(f"{provider}-{images}-{regime}", provider, regime, images, workers, gold)


BATCHES: Sequence[Given] = (
    _given("direct", "open", 6, 6),
    _given("direct", "trusted", 12, 8),
    _given("direct", "verification", 25, 10),
    _given("direct", "trusted", 60, 15),
    _given("direct", "verification", 100, 20),
    _given("direct", "open", 200, 20),
    _given("mturk", "trusted", 6, 6),
    _given("mturk", "open", 12, 8),
    _given("mturk", "verification", 20, 8),
    _given("mturk", "trusted", 30, 10),
    _given("mturk", "open", 40, 12),
    _given("mturk", "verification", 60, 12),
)
SIZES: dict[str, Sequence[Given]] = {
    "full": BATCHES,
    "quick": [one for one in BATCHES if one.images <= 12],
    "tiny": [_given("direct", "open", 1, 4)],
}


def main() -> int:
    """Forecast and annotate the batches, one after the other, and print what they cost."""
    parser = shared_options(__doc__)
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[one.name for one in BATCHES])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    given = [one for one in SIZES[options.size] if not options.only or one.name in options.only]
    runs = [_measure(one, number, options) for number, one in enumerate(given)]
    _print(runs)
    held = {"contained": sum(map(contains, runs)), "narrow": sum(map(is_narrow, runs)), "batches": len(runs)}
    print(f"\n{held['contained']} of {held['batches']} ranges contain what the batch cost, and "
          f"{held['narrow']} are no wider than ±{NARROW:.0%}.")  # fmt: skip
    figures = [{key: value for key, value in run.items() if key != "sample"} for run in runs]
    write_json(
        "forecast",
        {"seed": options.seed, **held, "batches_run": figures},
        references={"pages": float(sum(run["pages"] for run in runs))},
        folder=options.out,
    )
    return 0


def _measure(given: Given, number: int, options: argparse.Namespace) -> dict[str, Any]:
    told = json.dumps({**asdict(given), "seed": options.seed + number})
    return measure_apart("research.forecast_run", told, GROUNDCREW_LOG_LEVEL="ERROR")


def contains(run: dict[str, Any]) -> bool:
    """Return whether the range contains what the batch cost."""
    cost = run["forecast"]["cost"]
    return bool(cost["low"] <= run["cost"] <= cost["high"])


def width(run: dict[str, Any]) -> float:
    """Return half the width of the range as a share of its middle."""
    cost = run["forecast"]["cost"]
    return float((cost["high"] - cost["low"]) / 2 / cost["middle"])


def is_narrow(run: dict[str, Any]) -> bool:
    """Return whether the range says enough."""
    return width(run) <= NARROW


def _print(runs: Sequence[dict[str, Any]]) -> None:
    rows = []
    for run in runs:
        cost = run["forecast"]["cost"]
        rows.append(
            [
                *(run["name"], run["workers"], f"{run['cost'] / 100:.2f}"),
                f"{cost['low'] / 100:.2f} to {cost['high'] / 100:.2f}",
                *(f"±{width(run):.0%}", "yes" if contains(run) else "NO", run["judgments"], run["pages"]),
                *(run["came"], run["left"], run["seconds"]),
            ]
        )
    print_table(
        "What whole batches cost, in dollars",
        ("", "workers", "cost", "forecast", "width", "within", "judgments", "pages", "came", "left", "s"),
        rows,
    )


if __name__ == "__main__":
    sys.exit(main())

"""Measures what quality control is worth: `make bench-quality`.

A crowd of 200 annotates one made-up corpus under several settings. Two thirds of them are people with
accuracies around those of the paper's table 3, and a third are careless in five ways. They work through the
services, in a process for each setting, with an embedded database of its own. The paper's figures (table 3)
are printed beside the results.

Options: --size, --images, --gold, --workers, --seed, --settings (some of them, by name).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

from benchmarks.report import measure_apart, own_environment, print_table, write_json
from benchmarks.report import options as shared_options
from research.trust_scores import TABLE_3, Confusion, Worker, confusions

SIZES = {"full": (120, 110, 200), "quick": (12, 30, 24), "tiny": (1, 4, 24)}
"""Images to annotate, images for verification questions, workers."""
RAW = {"full": (4.0, 200), "quick": (4.0, 200), "tiny": (0.3, 10)}
"""Seconds and images of the raw transactions."""
SEED = 2015
AT_ONCE = 2
"""How many settings run side by side."""
CONTROLLED = ("trusted", "set aside", "with test")
NAMES = ("open", *CONTROLLED, "verification")


def main() -> int:
    """Run the settings, and print what they measured."""
    parser = shared_options(__doc__)
    parser.add_argument("--images", type=int, help="to annotate")
    parser.add_argument("--gold", type=int, help="more, for verification questions")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--settings", nargs="+", choices=NAMES, help="all, or with --size tiny only open")
    options = parser.parse_args()
    for name, number in zip(("images", "gold", "workers"), SIZES[options.size], strict=True):
        if getattr(options, name) is None:
            setattr(options, name, number)
    names = options.settings or (NAMES[:1] if options.size == "tiny" else NAMES)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = {run["name"]: run for run in pool.map(lambda name: _measure(name, options), names)}
    raw = _raw(*RAW[options.size])
    for name in CONTROLLED:
        if name in runs:
            _print_trust(name, runs[name])
    if "verification" in runs:
        _print_verification(runs["verification"])
    _print_spent(runs)
    _print_outcome(runs)
    if "open" in runs:
        _print_pace(runs["open"])
    print(f"\nRaw transactions of the embedded database: {raw:.0f} judgments/s")
    figures = {name: _figures(run) for name, run in runs.items()}
    sizes = {name: getattr(options, name) for name in ("images", "gold", "workers", "seed")}
    written = {**sizes, "raw_judgments_a_second": raw, "settings": figures, "paper": TABLE_3_JSON}
    write_json("quality", written, references={"raw transactions": raw}, folder=options.out)
    return 0


TABLE_3_JSON = {
    stage: {"trusted": trusted, "quality": quality, "rejected": rejected}
    for stage, (trusted, quality, rejected) in TABLE_3.items()
}


def _measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    sizes = [str(getattr(options, size)) for size in ("images", "gold", "workers", "seed")]
    return measure_apart("research.quality_run", name, *sizes, GROUNDCREW_LOG_LEVEL="ERROR")


def _raw(seconds: float, images: int) -> float:
    """Return judgments a second of bare transactions with the writes of claim, submit and advance."""
    with tempfile.TemporaryDirectory(prefix="groundcrew-bench-") as folder:
        environment = own_environment(folder, GROUNDCREW_LOG_LEVEL="ERROR")
        command = [sys.executable, "-m", "research.quality_run", "raw", str(seconds), str(images)]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    return float(done.stdout)


def trusts(run: dict[str, Any]) -> dict[str, Confusion]:
    """Return who is trusted in the end, by stage."""
    return confusions(Worker(**worker) for worker in run["workers"])


def _print_trust(name: str, run: dict[str, Any]) -> None:
    rows = []
    for stage, found in trusts(run).items():
        trusted, quality, _ = TABLE_3[stage]
        rows.append(
            [
                *(stage, f"{found.precision:.1%}", f"{found.recall:.1%}", found.trusted, trusted),
                *(f"{found.quality:.1%}", f"{quality:.1f}%", f"{found.accuracy:.1%}"),
                *(found.wrong, found.missed, found.caught),
            ]
        )
    print_table(
        f"{name}: who is trusted in the end (in brackets: the paper's table 3)",
        ("", "precision", "recall", "trusted", "(paper)", "their quality", "(paper)", "true accuracy",
         "wrongly", "missed", "caught"),
        rows,
    )  # fmt: skip
    kinds: dict[str, list[str]] = {}
    for worker in run["workers"]:
        kinds.setdefault(worker["kind"], []).append(worker["state"])
    print_table(
        f"{name}: workers and stages by kind",
        ("", "trusted", "lost", "at the entrance", "never came in"),
        [
            [kind, *(states.count(state) for state in ("trusted", "lost", "entering", ""))]
            for kind, states in sorted(kinds.items())
        ],
    )


def rejected(counts: dict[str, int]) -> float:
    """Return the share of the scored pages that was rejected."""
    bad = counts.get("rejected", 0) + counts.get("failing", 0)
    scored = bad + counts.get("accepted", 0)
    return bad / scored if scored else 0.0


def _print_verification(run: dict[str, Any]) -> None:
    rows = [
        [
            stage,
            f"{rejected(counts):.1%}",
            f"{'<' if stage == 'requirement' else ''}{TABLE_3[stage][2]:g}%",
            sum(counts.values()),
            counts.get("pending", 0),
        ]
        for stage, counts in run["verdicts"].items()
    ]
    print_table(
        "verification, a quarter of the workers: pages rejected, of those scored "
        "(in brackets: the paper's, of non-trusted workers)",
        ("", "rejected", "(paper)", "pages", "not scored"),
        rows,
    )


def _print_spent(runs: dict[str, Any]) -> None:
    base = _total(runs["open"]) if "open" in runs else None
    rows = []
    for name, run in runs.items():
        counts = run["spent"]
        total = _total(run)
        rows.append(
            [
                *(name, counts["ordinary"], counts["set_aside"], counts["entrance"], counts["checks"]),
                *(counts["tests"], total, "" if base is None else f"{total / base - 1:+.0%}", run["seconds"]),
            ]
        )
    print_table(
        "Answers spent",
        ("", "ordinary", "(set aside)", "entrance", "mixed in", "tests", "all", "against open", "seconds"),
        rows,
    )


def _total(run: dict[str, Any]) -> int:
    return sum(run["spent"][name] for name in ("ordinary", "entrance", "checks", "tests"))


OUTCOME = {
    "finished": "images done",
    "unfinished": "images nobody could finish",
    "review": "chains that wait for a researcher",
    "precision": "pairs: precision",
    "recall": "pairs: recall",
    "f1": "pairs: F1",
    "exact_chains": "chains found exactly",
    "box_recall": "boxes: recall at IoU 0.5",
    "box_precision": "boxes: precision",
    "mean_iou": "boxes: mean IoU",
}


def _print_outcome(runs: dict[str, Any]) -> None:
    rows = [[text, *(_number(run["outcome"][key]) for run in runs.values())] for key, text in OUTCOME.items()]
    print_table("What came out, against the truth, over the images that were finished", ("", *runs), rows)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _print_pace(run: dict[str, Any]) -> None:
    rows = [
        [kind, *(counts.get(name, 0) for name in ("workers", "flagged", "fast", "straight", "one-box"))]
        for kind, counts in sorted(run["paced"].items())
    ]
    print_table(
        "open: who was flagged for answering without looking, in some stage, and for what",
        ("", "workers", "flagged", "too fast", "always alike", "one box"),
        rows,
    )


def _figures(run: dict[str, Any]) -> dict[str, Any]:
    kept = {name: run[name] for name in ("seconds", "spent", "verdicts", "outcome", "paced")}
    trust = {}
    for stage, found in trusts(run).items():
        counts = {k: v for k, v in asdict(found).items() if isinstance(v, int)}
        names = ("trusted", "precision", "recall", "quality", "accuracy")
        trust[stage] = {**counts, **{name: getattr(found, name) for name in names}}
    return {**kept, "trust": trust}


if __name__ == "__main__":
    sys.exit(main())

"""Reports what benchmarks measured: a table for people, and the same figures as JSON for programs."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "benchmarks" / "out"
SIZES = ("full", "quick", "tiny")
DATABASES = ("postgresql", "sqlite")
SECRETS = ("DATABASE_URL", "DATABASE_PASSWORD", "REDIS_URL", "GROUNDCREW_SECRET_KEY")
_ERROR = re.compile(r"\b(ERROR|CRITICAL)\b|^Traceback ")


class IncompleteError(RuntimeError):
    """A benchmark did not measure all that it reports. The message names what is missing."""


def options(about: str | None, *, databases: bool = False) -> argparse.ArgumentParser:
    """Return a parser of the arguments that benchmarks share. `about` is the docstring of the module."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument(
        "--size",
        choices=SIZES,
        default="full",
        help="quick: about a tenth; tiny: only whether the benchmark works, its figures mean nothing",
    )
    parser.add_argument("--out", type=Path, default=OUT, help="folder for the JSON file (benchmarks/out)")
    if databases:
        parser.add_argument("--database", choices=DATABASES, help="only this one")
    return parser


def own_environment(folder: str, **variables: str) -> dict[str, str]:
    """Return an environment for processes of a benchmark, which keep everything in `folder`.

    Unless `variables` name servers, they have the embedded database and broker there. If
    GROUNDCREW_BENCHMARK_DATABASE names an empty one that has been migrated, they begin with a copy of it.
    """
    if template := os.environ.get("GROUNDCREW_BENCHMARK_DATABASE"):
        shutil.copy(template, Path(folder) / "groundcrew.sqlite3")
    return {
        **os.environ,
        "GROUNDCREW_VAR": folder,
        "GROUNDCREW_SECRET_KEY": "only for this benchmark, " * 3,
        **dict.fromkeys(("DATABASE_URL", "REDIS_URL"), ""),
        # Whoever runs the benchmark may have a site of theirs in these.
        **dict.fromkeys((f"{name}_FILE" for name in SECRETS), ""),
        **variables,
    }


def measure_apart(module: str, *arguments: str, **variables: str) -> dict[str, Any]:
    """Return the figures of a module that runs in a process and an environment of its own.

    The module gets the path of the JSON file that it has to write, and then `arguments`.
    """
    with tempfile.TemporaryDirectory(prefix="groundcrew-bench-") as folder:
        out = Path(folder) / "figures.json"
        command = [sys.executable, "-m", module, str(out), *arguments]
        subprocess.run(command, env=own_environment(folder, **variables), check=True)
        figures: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        return figures


def run_process(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, float]:
    """Return seconds, CPU seconds and peak resident megabytes of a process. Raises an error if it fails.

    Linux counts the memory of the process that starts another as the other's, so a small one starts it.
    """
    begin = time.perf_counter()
    run = [sys.executable, "-S", "-c", _STARTER, *command]
    done = subprocess.run(run, env=environment, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command)
    cpu_seconds, peak = json.loads(done.stdout)
    scale = 1 if sys.platform == "darwin" else 1024
    return {
        "seconds": round(time.perf_counter() - begin, 1),
        "cpu_seconds": round(cpu_seconds, 1),
        "peak_mb": round(peak * scale / 1e6, 1),
    }


_STARTER = """
import os
import sys
null = os.open(os.devnull, os.O_WRONLY)
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
_, status, usage = os.wait4(pid, 0)
if code := os.waitstatus_to_exitcode(status):
    sys.exit(code if code > 0 else 128 - code)
print([usage.ru_utime + usage.ru_stime, usage.ru_maxrss])
"""


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print an aligned table. The first column is aligned to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(f"\n{title}")
    for row in cells:
        first, *rest = [
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join([first, *rest]))


def write_json(
    name: str, figures: dict[str, Any], *, references: Mapping[str, float], folder: Path = OUT
) -> Path:
    """Write the figures, with the machine they are from, to NAME.json in `folder`. Return the path.

    `references` are what the machine alone can do, by what they are called. Raise IncompleteError if one of
    them is not above 0, or if a figure is missing: then nothing was measured, and nothing is written.
    """
    missing = [
        *(f"{figure} is missing" for figure in missing_figures(figures)),
        *(f"the reference {called} is {value}" for called, value in references.items() if not value > 0),
    ]
    if missing:
        raise IncompleteError(f"bench-{name}: {'; '.join(missing)}")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    path.write_text(json.dumps({"machine": machine, **figures}, indent=2) + "\n", encoding="utf-8")
    print(f"\nThe same figures: {path}")
    return path


def missing_figures(figures: object, place: str = "") -> Iterator[str]:
    """Yield the place of each figure that is not there: None, not a finite number, or a list without rows."""
    if isinstance(figures, Mapping):
        for name, value in figures.items():
            yield from missing_figures(value, f"{place}.{name}" if place else str(name))
    elif isinstance(figures, list | tuple) and figures:
        for number, value in enumerate(figures):
            yield from missing_figures(value, f"{place}[{number}]")
    elif figures in (None, [], ()) or (isinstance(figures, float) and not math.isfinite(figures)):
        yield place


def check_logs(folder: Path) -> None:
    """Raise IncompleteError if a service logged an error, since its figures are not those of a sound one."""
    for log in sorted(folder.glob("*.log")):
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if _ERROR.search(line):
                raise IncompleteError(f"{log.stem} logged an error: {line}")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` (0 to 1) of the values do not exceed. Without values, return NaN."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan

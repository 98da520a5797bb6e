"""Measures what exporting costs: a made-up annotated corpus of the paper's size into every format.

`make bench-export` measures the embedded SQLite, and PostgreSQL (the server in DATABASE_URL, if that names
one, with an empty database). `python -m benchmarks.export --size quick` takes a tenth of the images.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT, options, own_environment, print_table, run_process, write_json

PROJECT = "bench-export"
RUNS = (
    ("flickr30k-entities", ()),
    ("flickr30k-entities", ("--no-merge",)),
    ("coco", ()),
    ("coco-grounding", ()),
    ("huggingface", ()),
    ("odvg", ()),
    ("refcoco", ()),
    ("jsonl", ()),
    ("parquet", ()),
    ("webdataset", ()),
    ("yolo", ()),
    ("voc", ()),
    ("cvat", ()),
    ("label-studio", ()),
    ("ms-swift", ()),
    ("qwen2.5-vl", ()),
    ("kosmos-2", ()),
)
SHARES = {"full": 1.0, "quick": 0.1, "tiny": 0.001}
TARGET = "the target for flickr30k-entities, merged: under 60 s and 300 MB on two cores"


def main() -> int:
    """Measure both databases, and print a table of each."""
    from tests.servers import postgres

    chosen = options(__doc__, databases=True).parse_args()
    figures: dict[str, Any] = {}
    if chosen.database != "postgresql":
        figures["sqlite"] = _measure("", chosen.size)
    if chosen.database != "sqlite":
        with postgres(durable=True) as database:
            figures["postgresql"] = _measure(database, chosen.size)
    for name, result in figures.items():
        _print(name, result)
    print(f"\n{TARGET}")
    references = {
        f"{part} ({run['format']}, {name})": run["raw"][part]
        for name, result in figures.items()
        for run in result["runs"]
        for part in ("rows", "read", "write")
    }
    write_json("export", figures, references=references, folder=chosen.out)
    return 0


def _measure(database: str, size: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="groundcrew-bench-") as name:
        folder = Path(name)
        environment = own_environment(name, DATABASE_URL=database)
        begin = time.perf_counter()
        run_process([sys.executable, "-m", "benchmarks.made_up_corpus", str(SHARES[size])], environment)
        result: dict[str, Any] = {"build_seconds": round(time.perf_counter() - begin, 1), "runs": []}
        for number, (format, arguments) in enumerate(RUNS[:1] if size == "tiny" else RUNS):
            result["runs"].append(_export(folder / str(number), format, arguments, environment))
        return result


def _export(
    out: Path, format: str, arguments: tuple[str, ...], environment: dict[str, str]
) -> dict[str, Any]:
    """Run one export in a process of its own, then only its raw work."""
    command = ["manage.py", "export_dataset", str(out), "--project", PROJECT, "--format", format, *arguments]
    figures = run_process([sys.executable, *command], environment)
    manifest = json.loads((out / "about" / "manifest.json").read_text())
    sizes = {str(path.relative_to(out)): path.stat().st_size for path in out.rglob("*") if path.is_file()}
    sizes_file, copy = out.with_suffix(".sizes"), out.with_suffix(".raw")
    sizes_file.write_text(json.dumps(sizes))
    copy.mkdir()
    command = ["-m", "benchmarks.export.reference", str(sizes_file), str(copy)]
    raw = subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, check=True, capture_output=True, text=True
    )
    return {
        "format": " ".join((format, *arguments)),
        **figures,
        "files": len(sizes),
        "megabytes": round(sum(sizes.values()) / 1e6, 1),
        "counts": manifest["counts"],
        "content_hash": manifest["content_hash"],
        "raw": {name: round(value, 4) for name, value in json.loads(raw.stdout).items()},
    }


def _print(name: str, result: dict[str, Any]) -> None:
    counts = result["runs"][0]["counts"]
    print_table(
        f"Exporting {counts['images']:,} images, {counts['mentions']:,} mentions, {counts['chains_raw']:,}"
        f" chains, {counts['boxes_raw']:,} boxes from {name} (built in {result['build_seconds']} s)",
        ("format", "seconds", "CPU s", "peak MB", "files", "MB", "chains", "boxes", "raw read", "raw write"),
        [
            (
                run["format"], run["seconds"], run["cpu_seconds"], run["peak_mb"], f"{run['files']:,}",
                run["megabytes"], f"{run['counts']['chains']:,}", f"{run['counts']['boxes']:,}",
                f"{run['raw']['read']:.2f}", f"{run['raw']['write']:.2f}",
            )
            for run in result["runs"]
        ],
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())

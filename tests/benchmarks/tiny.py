"""Runs a benchmark at its smallest size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.report import missing_figures
from tests.shared import ROOT


def make_template(folder: Path) -> Path:
    """Make an empty database with all migrations, which take longer than a tiny benchmark."""
    environment = {**os.environ, "DATABASE_URL": "", "GROUNDCREW_VAR": str(folder)}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
    return folder / "groundcrew.sqlite3"


def run_tiny(name: str, out: Path, *arguments: str, **env: str) -> dict[str, Any]:
    """Run a benchmark at its smallest size, and return the figures that it wrote."""
    environment = {**os.environ, "DATABASE_URL": "", "REDIS_URL": "", **env}
    package = "research" if (ROOT / "research" / f"{name}.py").exists() else "benchmarks"
    command = [sys.executable, "-m", f"{package}.{name}", "--size", "tiny", "--out", str(out), *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    cells = {cell.strip("()") for cell in done.stdout.lower().split()}
    assert not cells & {"nan", "none", "inf"}, done.stdout
    figures: dict[str, Any] = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    assert not list(missing_figures(figures))
    return figures

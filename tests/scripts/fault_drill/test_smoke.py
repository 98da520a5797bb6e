"""A short drill on SQLite, with real servers: each service is killed once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.fault_drill.plan import SERVICES
from tests.shared import ROOT


@pytest.mark.nightly(
    "tests/faults and tests/e2e kill each service, too, and the other files here try the parts"
)
def test_each_service_is_killed_once_and_nothing_is_lost(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scripts.fault_drill", "--smoke", "--database", "sqlite"]
    done = subprocess.run(
        [*command, "--seed", "1", "--minutes", "0.4", "--out", str(tmp_path)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("GROUNDCREW_")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = (tmp_path / "sqlite-1" / "report.txt").read_text(encoding="utf-8")
    for target in SERVICES:
        assert f"kill {target}: process" in report
    assert " 0 findings" in report

"""What a benchmark says about a process is about that process alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.report import run_process


def test_the_memory_of_a_process_is_not_that_of_the_benchmark() -> None:
    """The test holds 150 MB. On Linux, a process that it starts itself would seem to have them, too."""
    held = b"x" * 150_000_000
    found = run_process([sys.executable, "-S", "-c", "print('not part of the figures')"], os.environ)
    assert 5 < found["peak_mb"] < 100 < len(held) / 1e6
    assert found["cpu_seconds"] <= found["seconds"] + 0.1


def test_a_process_that_fails_fails_the_benchmark() -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run_process([sys.executable, "-S", "-c", "raise SystemExit(3)"], os.environ)
    assert failed.value.returncode == 3

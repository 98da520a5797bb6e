"""`make bench-drawing` still works: it runs here at its smallest size."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.drawing.__main__ import GESTURES
from tests.benchmarks.tiny import run_tiny


@pytest.mark.nightly("test_walks draws boxes in a browser, and tests/benchmarks run what benchmarks share")
def test_it_measures_every_gesture(tmp_path: Path) -> None:
    figures = run_tiny("drawing", tmp_path / "out")
    assert len(figures["gestures"]) == 1 + len(GESTURES)

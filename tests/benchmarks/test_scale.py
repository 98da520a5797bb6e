"""`make bench-scale` works, and what it multiplies stays a project whose state follows from its judgments."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scale.copies import COPIED
from tests.benchmarks.tiny import run_tiny


@pytest.mark.nightly("a project is annotated, multiplied and measured on servers of its own, in minutes")
def test_it_measures_both_sizes(tmp_path: Path) -> None:
    """At the smallest size it verifies every image, original or copy, and fails if one differs."""
    figures = run_tiny("scale", tmp_path / "out")
    before, after = figures["full"], figures["ten"]
    for name in ("image", "mention", "worker", "publication"):
        assert after["rows"][name] >= 2 * before["rows"][name] > 0, name
    assert set(before["rows"]) >= {str(model._meta.model_name) for model in COPIED}
    assert {page["address"] for page in before["pages"]} & {page["address"] for page in after["pages"]}
    assert all(page["status"] < 500 for page in (*before["pages"], *after["pages"]))

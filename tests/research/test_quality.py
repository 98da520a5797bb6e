"""A small crowd with and without quality control, as in `make bench-quality`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from research import quality_run
from research.quality import rejected, trusts
from simulation.characters import Kind

pytestmark = pytest.mark.django_db

CONTROL = {"entrance": 10, "recent": 10}
REGIME = dict.fromkeys(("link", "verification", "requirement"), "open")
"""The other stages, which have boxes, keep the default: trusted workers."""
BOXED = ("drawing", "quality", "coverage")
TRUSTED = {"regime": REGIME, "control": CONTROL, "screening": quality_run.NO_TEST}
SIZES: dict[str, Any] = {"images": 5, "gold": 16, "crowd": 12, "seed": 4, "each": 6}


@pytest.mark.django_db(reset_sequences=True)  # what workers are asked depends on their ids
@pytest.mark.nightly(
    "tests/workflows/quality hold how trust is won and lost, and test_smoke runs this benchmark"
)
def test_control_keeps_careless_workers_out_and_boxes_good(tmp_path: Path, record_property: Any) -> None:
    """There are twelve workers, four of them careless.

    In the stages with boxes, each begins with ten verification questions.
    """
    controlled_run = quality_run.run(tmp_path / "a", "trusted", settings=TRUSTED, **SIZES)
    free = quality_run.run(tmp_path / "b", "open", project="free", **SIZES)
    by_kind: dict[bool, list[bool]] = {True: [], False: []}
    for worker in controlled_run["workers"]:
        if worker["state"] in ("trusted", "lost") and worker["kind"] != Kind.LOOSE:
            by_kind[worker["kind"] == Kind.HONEST].append(worker["state"] == "trusted")
    assert sum(by_kind[True]) > 0.6 * len(by_kind[True])
    assert sum(by_kind[False]) < 0.25 * len(by_kind[False])
    loose = [w for w in controlled_run["workers"] if w["kind"] == Kind.LOOSE and w["stage"] == "drawing"]
    assert {worker["state"] for worker in loose} <= {"lost", "entering"}
    with_control, without = controlled_run["outcome"], free["outcome"]
    assert with_control["box_precision"] > without["box_precision"] + 0.05
    assert free["spent"]["entrance"] == 0 < controlled_run["spent"]["entrance"]
    assert {stage for stage, found in trusts(controlled_run).items() if found.trusted} == set(BOXED)
    record_property(
        "figure", f"boxes right: {with_control['box_precision']} against {without['box_precision']}"
    )


def test_pages_that_wait_for_more_questions_are_neither_accepted_nor_rejected() -> None:
    assert rejected({"accepted": 6, "rejected": 1, "failing": 1, "pending": 99}) == 0.25
    assert rejected({"pending": 3}) == 0.0

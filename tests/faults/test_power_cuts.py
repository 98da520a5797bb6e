"""After a power cut, whatever was acknowledged is on the disk, on the embedded default.

A process works for a day: it imports, annotates with several threads, pays and exports (power_cuts/work.py).
Every change of a file is written down in order. From that, a model of a disk makes what might be there if
the power went at any moment (power_cuts/disk.py), and each such state is examined (power_cuts/judge.py).
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from config.serve import ROOT
from tests.faults.power_cuts.trace import SOURCE, compile_library, compiler, run_traced

pytestmark = [
    pytest.mark.slow("works for a day and cuts the power a hundred times"),
    pytest.mark.skipif(platform.system() != "Linux", reason="NOT RUN: the shim only works on Linux"),
    pytest.mark.skipif(compiler() is None, reason="NOT RUN: there is no C compiler (cc, gcc or clang)"),
]

CUTS, NIGHTLY_CUTS, SEED = 100, 1000, 13
PAGES, REPLAYED = 70, 10
KEY = "only-for-tests-" + 8 * "0123456789"
WORK, JUDGE = "tests.faults.power_cuts.work", "tests.faults.power_cuts.judge"


@dataclass(frozen=True)
class Bench:
    """What every day begins with."""

    folder: Path
    shim: Path
    start: Path

    def day(self, name: str, pages: int, *missing: str) -> Path:
        """Let a process work for a day, perhaps without a safeguard. Return where it worked."""
        place = self.folder / name
        end = place / "end"
        shutil.copytree(self.start, end)
        run_traced(
            [sys.executable, "-m", WORK, "day", str(end / "out"), str(pages), *missing],
            shim=self.shim,
            folder=end,
            trace=place / "trace",
            environment=embedded(end / "var"),
        )
        return place

    def judge(self, place: Path, *, cuts: int, replayed: int = 0) -> dict[str, Any]:
        """Cut the power of a day, and return what the judge found."""
        var = place / "after/var"
        parts = (self.start, place / "trace", place / "end", cuts, SEED, replayed)
        command = [sys.executable, "-m", JUDGE, *map(str, parts)]
        environment = embedded(var) | {"GROUNDCREW_SECRET_KEY": KEY}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def embedded(var: Path) -> dict[str, str]:
    """Return the environment of the embedded default, as it is without any variable, in this folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDCREW_")}
    own = {"DATABASE_URL": "", "REDIS_URL": "", "GROUNDCREW_VAR": str(var), "GROUNDCREW_HOSTS": "testserver"}
    own["GROUNDCREW_CONTACT"] = "lab@example.org"  # a batch that pays is not launched without
    return kept | own | {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("power-cuts")
    start = folder / "start"
    (start / "out").mkdir(parents=True)
    environment = embedded(start / "var") | {"GROUNDCREW_SECRET_KEY": KEY}
    subprocess.run(
        [sys.executable, "-m", WORK, "prepare", str(start / "out")], cwd=ROOT, env=environment, check=True
    )
    return Bench(folder, compile_library(SOURCE, folder), start)


def test_what_was_acknowledged_is_there_after_a_power_cut(
    bench: Bench, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    cuts = NIGHTLY_CUTS if request.config.getoption("--suite") == "nightly" else CUTS
    found = bench.judge(bench.day("safe", PAGES), cuts=cuts, replayed=REPLAYED)
    assert found["differs"] == [], "the trace leads to other files than there are, so it lacks a change"
    assert found["lost"] == {}
    assert found["acknowledged"]["page"] == PAGES and found["replayed"] == cuts // REPLAYED
    said = ", ".join(f"{count} {kind}" for kind, count in found["acknowledged"].items())
    record_property(
        "figure",
        f"{cuts:,} power cuts among {found['records']:,} changes of files with {found['syncs']:,} syncs: "
        f"nothing lost of {said}; {found['replayed']:,} states replayed",
    )


@pytest.mark.nightly("test_power_cut_model.py holds the model by itself")
def test_the_model_finds_what_is_lost_without_a_safeguard(bench: Bench) -> None:
    """One test, so that several processes of a run do not each prepare the same."""
    lost = {}
    for safeguard, pages in (("full", 20), ("files", 0), ("folders", 0)):
        found = bench.judge(bench.day(safeguard, pages, safeguard), cuts=30)
        lost[safeguard] = set(found["lost"])
    assert {"page", "money"} <= lost["full"], "commits are lost with synchronous=NORMAL"
    assert {"picture", "version"} <= lost["files"], "rows claim files whose content was not synced"
    assert {"picture", "version"} <= lost["folders"], "rows claim files whose names were not synced"
    assert not any("database" in kinds for kinds in lost.values()), "the database itself stays whole"

"""The kernels of other processors, and a machine that is busy."""

from __future__ import annotations

import os
import platform
import time

import numpy as np
import pytest

from scripts import other_machines
from scripts.other_machines import MACHINES, NEWER, busy, disabled, main


def test_only_features_that_numpy_uses_here_are_disabled() -> None:
    """NumPy warns of others, and warnings are errors."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    assert set(disabled("X86_V3", *NEWER).split()) <= set(found)
    assert disabled("NO_SUCH_FEATURE") == ""


def test_each_kernel_is_tried_with_one_thread_and_with_two() -> None:
    numbers = {machine.get("OMP_NUM_THREADS") for machine in MACHINES.values()}
    assert numbers == {"1", "2", None}


def test_loops_keep_the_machine_busy_until_the_block_ends() -> None:
    with busy(1, 3):
        begun = os.times()
        time.sleep(0.05)
    ended = os.times()
    assert ended.children_user + ended.children_system > begun.children_user + begun.children_system


def test_the_slow_machine_also_runs_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(other_machines, "CORES", 0)

    def run(results: list[object], name: str, command: list[str], environment: object) -> None:
        ran.append(command)
        results.append((name, True, 1.0))

    monkeypatch.setattr(other_machines, "run", run)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert main([]) == 0
    assert len(ran) == len(MACHINES) + 1 and ran[-1] == other_machines.DEMO
    assert main(["no such machine"]) == 2


def test_kernels_of_x86_are_not_tried_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(other_machines, "CORES", 0)
    monkeypatch.setattr(other_machines, "run", lambda results, name, *_: ran.append(name))
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    main([])
    assert all("slower" in name for name in ran) and len(ran) == 2

"""Run tests with the kernels of other processors, and on a machine that is three times slower.

    python -m scripts.other_machines            # all of them
    python -m scripts.other_machines old slow   # some of them: see MACHINES

Kernels decide the last bits of sums, and on a slow machine limits of seconds run out. `make test-nightly`
ends with this.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from subprocess import Popen

import numpy as np

from scripts.test import EMBEDDED, MANY, NO_BROWSER, PYTEST, SUITES, Results, run, show

CORES = os.cpu_count() or 1
SLOWER = 3
TESTS = [*PYTEST, *MANY, *NO_BROWSER, *SUITES["--quick"]]
DEMO = [sys.executable, "-m", "simulation.demo"]
NEWER = ("X86_V4", "AVX512_ICL", "AVX512_SPR")
"""NumPy's names of what a processor of Haswell's time lacks."""


def disabled(*features: str) -> str:
    """Return those of NumPy's features that it uses here. It warns of others, and warnings are errors."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    return " ".join(feature for feature in found if feature in features)


def threads(number: int) -> dict[str, str]:
    return {"OMP_NUM_THREADS": str(number), "OPENBLAS_NUM_THREADS": str(number)}


MACHINES: Mapping[str, Mapping[str, str]] = {
    "old": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "OPENCV_CPU_DISABLE": "SSE4.1,SSE4.2,AVX,FP16,AVX2,AVX512-SKX",
        "NPY_DISABLE_CPU_FEATURES": disabled("X86_V3", *NEWER),
        **threads(1),
    },
    "haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "OPENCV_CPU_DISABLE": "AVX512-SKX",
        "NPY_DISABLE_CPU_FEATURES": disabled(*NEWER),
        **threads(2),
    },
    "zen": {"OPENBLAS_CORETYPE": "Zen", **threads(1)},
    "skylakex": {"OPENBLAS_CORETYPE": "SkylakeX", **threads(2)},
    "slow": {},
}
"""The environment of each machine. The last one has ours, and shares the processors with idle loops."""


@contextmanager
def busy(cores: int, slower: int) -> Iterator[None]:
    """Let everything else run about `slower` times as long, by loops that want each core."""
    loops = [
        Popen([sys.executable, "-c", "while True: pass"])  # ends with the block
        for _ in range(cores * (slower - 1))
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def main(names: list[str]) -> int:
    """Run the tests as the named machines would, or as all. Return the exit code: 0 if everything passed."""
    if unknown := set(names) - set(MACHINES):
        print(f"There is no machine {', '.join(sorted(unknown))}; there are {', '.join(MACHINES)}.")
        return 2
    results: Results = []
    if platform.machine() not in ("x86_64", "AMD64"):
        print("The kernels are those of x86-64: on this processor only the slow machine is tried.")
        names = ["slow"]
    for name in names or MACHINES:
        environment = {**EMBEDDED, **MACHINES[name]}
        if name == "slow":
            with busy(CORES, SLOWER):
                run(results, f"tests on a machine {SLOWER} times slower", TESTS, environment)
                run(results, f"the demo on a machine {SLOWER} times slower", DEMO, environment)
        else:
            run(results, f"tests with the kernels of: {name}", TESTS, environment)
    return show(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

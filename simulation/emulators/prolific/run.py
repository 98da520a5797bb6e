"""Starts an emulator in its own process."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simulation.emulators.prolific.handle import Handle

ROOT = Path(__file__).parents[3]


@contextmanager
def process(*arguments: str) -> Iterator[Handle]:
    """Run an emulator in its own process, which is killed at the end.

    Arguments are as on the command line.
    """
    command = [sys.executable, "-m", "simulation.emulators.prolific", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout
            address = re.search(r"http://\S+", running.stdout.readline())
            if not address:
                raise RuntimeError(f"The emulator did not start; it ended with {running.wait()}.")
            with Handle(address[0]) as handle:
                yield handle
        finally:
            running.kill()

"""Runs an emulator in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]

ONE_REQUEST = {"Connection": "close"}
"""Headers of a client that several threads share: each request has a connection of its own.

httpcore may close an idle connection that it has just given to another thread (its issue 1110).
"""


@contextmanager
def running(module: str, *arguments: str) -> Iterator[str]:
    """Run an emulator on a free port, and kill it at the end. Yield the first line that it prints.

    Arguments are as on the command line.
    """
    command = [sys.executable, "-m", module, "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"The emulator did not start; it ended with {process.wait()}.")
            yield line
        finally:
            process.kill()

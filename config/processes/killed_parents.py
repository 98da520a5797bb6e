"""Ends processes whose parent was killed, so that none of them goes on unseen. Only Linux can do it.

As a program, `killed_parents.py PARENT COMMAND ...` becomes this command, which is killed when the process
PARENT dies. It is started without the package `config`, which would load much.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_CAN = sys.platform.startswith("linux")


def end_with_parent() -> None:
    """Have the kernel end this process when granian's main process dies. Does nothing outside of granian.

    Without this, processes whose parent was killed go on serving the old code, on the port that the next web
    server shares with them.
    """
    parent = multiprocessing.parent_process()
    if parent is None or not _CAN:
        return
    _end_with(parent.pid)


def ending_with_us(command: Sequence[str]) -> list[str]:
    """Return a command that does the same, and is killed when this process, or the thread that runs it, dies.

    Without this, services of a `make serve` that was killed would go on beside those of the next one.
    """
    # Isolated, since files of this folder have names of modules of Python.
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command] if _CAN else list(command)


def _end_with(parent: int | None) -> None:
    """Have the kernel kill us when our parent dies. `parent` is the process that it should be."""
    # Not SIGTERM, which processes that still load ignore or lose.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before that
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    _end_with(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606  (no shell is wanted)

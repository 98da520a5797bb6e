"""Ends a web server process whose parent was killed."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def end_with_parent() -> None:
    """Have the kernel end this process when granian's main process dies. Does nothing outside of granian.

    Without this, processes whose parent was killed go on serving the old code, on the port that the next web
    server shares with them. Only Linux can do it.
    """
    parent = multiprocessing.parent_process()
    if parent is None or not sys.platform.startswith("linux"):
        return
    # A process that still loads the application ignores SIGTERM.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent.pid:  # it died before that
        os.kill(os.getpid(), signal.SIGKILL)

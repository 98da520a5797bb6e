"""Processes that a test starts in order to kill them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.serve import ROOT
from tests.services import database_url

READY_SECONDS = 30


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its children by SIGKILL. `celery_worker` has put all of them in a group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def celery_worker(log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Celery worker of two processes on the test database. It is killed at the end, if not before."""
    command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--concurrency", "2"]
    command += ["--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url()},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            _wait_until_ready(process, log)
            yield process
        finally:
            kill(process)


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + READY_SECONDS
    while b" ready." not in log.read_bytes():
        assert process.poll() is None and time.monotonic() < end, log.read_text(errors="replace")
        time.sleep(0.05)


def run_and_die(code: str) -> None:
    """Run Python on the test database in its own process, which must end by its own SIGKILL.

    The code may call `die()`.
    """
    prelude = (
        "import os, signal, django; django.setup()\ndef die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", prelude + code],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        timeout=READY_SECONDS,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode(errors="replace")

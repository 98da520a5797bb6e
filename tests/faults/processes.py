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

from django.db import connection

from config.serve import ROOT
from tests.services import database_url

READY_SECONDS = 30
PRELUDE = """
import os, signal, time, django
django.setup()
def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
"""
"""What the code of a process begins with."""


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its children by SIGKILL. `celery_worker` has put all of them in a group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def celery_worker(log: Path, *, wait: bool = True, **env: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Celery worker of two processes on the test database. It is killed at the end, if not before.

    It has these environment variables, too. If `wait`, it is ready when the block begins.
    """
    command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--concurrency", "2"]
    command += ["--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url(), **env},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            if wait:
                wait_until_ready(process, log)
            yield process
        finally:
            kill(process)


def wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + READY_SECONDS
    while b" ready." not in log.read_bytes():
        assert process.poll() is None and time.monotonic() < end, log.read_text(errors="replace")
        time.sleep(0.05)


@contextmanager
def started(code: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run Python on the test database in its own process, until it has printed a line.

    It is killed at the end, if not before.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code],
        cwd=ROOT,
        env=_environment(),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None and process.stdout.readline(), "it ended without a line"
        yield process
    finally:
        kill(process)
        process.communicate()


def cut_connections() -> None:
    """Have PostgreSQL end all other sessions of the test database, as if it had been started again.

    SQLite has no sessions.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            assert cursor.fetchone()[0] > 0, "the worker keeps its connections"


def _environment() -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}


def run_and_die(code: str) -> None:
    """Run Python on the test database in its own process, which must end by its own SIGKILL.

    The code may call `die()`.
    """
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        cwd=ROOT,
        env=_environment(),
        capture_output=True,
        timeout=READY_SECONDS,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode(errors="replace")

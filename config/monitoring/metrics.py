"""`/metrics` for Prometheus: counts of requests and tasks from all processes, and gauges of the database.

It is off without GROUNDCREW_METRICS_TOKEN. Each process counts in its own file (the settings name the folder
before prometheus_client is loaded), and the process that replies adds the files up.
"""

from __future__ import annotations

import hmac
import os
import socket
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config.monitoring.counters import OWN
from config.monitoring.gauges import gauges

PATH = "/metrics"
FORGOTTEN_SECONDS = 7 * 24 * 3600
"""Files that nobody wrote for so many seconds, and whose processes have ended, are removed."""


class MetricsMiddleware:
    """Replies with the metrics to requests with the token, `Authorization: Bearer …`; to others 404 or 401.

    It comes before the other middleware, as probes do, because Prometheus asks from inside, without TLS.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        if settings.METRICS_TOKEN:
            forget(settings.METRICS_FOLDER, now=time.time())

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != PATH or not settings.METRICS_TOKEN:
            return self.get_response(request)
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        right = hmac.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
        if scheme.lower() != "bearer" or not right:
            return HttpResponse(
                "a bearer token is needed\n",
                status=401,
                content_type="text/plain",
                headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
            )
        return HttpResponse(page(), content_type=CONTENT_TYPE_LATEST)


class _Counted(Collector):
    """Collects the counts of all processes, or of only this one if there is no folder."""

    def collect(self) -> Iterable[Metric]:
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            yield from OWN.collect()
            return
        files = [str(file) for file in Path(settings.METRICS_FOLDER).glob("*/*.db")]
        yield from MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]


class _Gauges(Collector):
    def collect(self) -> Iterable[Metric]:
        return gauges()


def page() -> bytes:
    """Return all metrics in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Counted())
    registry.register(_Gauges())
    return generate_latest(registry)


def forget(folder: Path, *, now: float) -> None:
    """Remove files that nobody wrote for FORGOTTEN_SECONDS, except those of processes that run here."""
    for file in folder.glob("*/*.db"):
        try:
            old = now - file.stat().st_mtime > FORGOTTEN_SECONDS
            if old and not (file.parent.name == socket.gethostname() and _runs(file)):
                file.unlink()
        except FileNotFoundError:
            continue  # another process removed it first


def _runs(file: Path) -> bool:
    return Path("/proc", file.stem.rpartition("_")[2]).exists()

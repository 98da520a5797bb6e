"""Counters of requests and tasks. Each process has its own file; config/monitoring/metrics.py adds them up.

This must be loaded after the settings, which tell prometheus_client the folder of the files.
"""

from __future__ import annotations

import time
from typing import Any

from celery import signals
from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram

OWN = CollectorRegistry()
"""The counts of this process."""
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The known methods. Anybody can make up others, each of which would be a series for ever."""

_requests = Counter("groundcrew_requests", "Requests replied to.", ("method", "view", "status"), registry=OWN)
_request_seconds = Histogram(
    "groundcrew_request_seconds", "Time to reply.", ("view",), buckets=SECONDS, registry=OWN
)
_tasks = Counter("groundcrew_tasks", "Background tasks that ended.", ("task", "state"), registry=OWN)
_task_seconds = Histogram(
    "groundcrew_task_seconds", "Time a task ran.", ("task",), buckets=(*SECONDS, 60, 600, 3600), registry=OWN
)
_began: dict[str, float] = {}


def request_ended(method: str | None, view: str, status: int, seconds: float) -> None:
    """Count a request."""
    _requests.labels(method if method in METHODS else "other", view, str(status)).inc()
    _request_seconds.labels(view).observe(seconds)


@signals.task_prerun.connect
def task_begins(*, task_id: str, **_: Any) -> None:
    if settings.METRICS_TOKEN:
        _began[task_id] = time.monotonic()


@signals.task_postrun.connect
def task_ended(*, task_id: str, task: Any, state: str | None = None, **_: Any) -> None:
    if (began := _began.pop(task_id, None)) is None:
        return
    _tasks.labels(task.name, (state or "unknown").lower()).inc()
    _task_seconds.labels(task.name).observe(time.monotonic() - began)

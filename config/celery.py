"""The Celery application: `celery --app config worker` and `celery --app config beat`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from config import lost_processes as lost_processes  # imported for their signal receivers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("groundcrew")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def _limit(**_: Any) -> None:
    """Limit how long tasks wait for locks. This is loaded late: the database needs the settings."""
    from config.waits import TASKS, limit_waits

    limit_waits(TASKS)


@app.on_after_configure.connect
def _count(**_: Any) -> None:
    """Count tasks. This is loaded late, since the counters need the settings."""

"""The Celery application: `celery --app config worker` and `celery --app config beat`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery

from config import lost_processes as lost_processes  # imported for their signal receivers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("groundcrew")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect
def _count(**_: Any) -> None:
    """Count tasks. This is loaded late, since the counters need the settings."""

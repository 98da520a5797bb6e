"""The Celery application: `celery --app config worker` and `celery --app config beat`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun, worker_process_init

from config.processes import lost_processes as lost_processes  # imported for their signal receivers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks import every page, which no task needs: a worker would start more slowly, and each of its
# processes would be larger. `migrate` does the checks.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("groundcrew")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def _prepare(**_: Any) -> None:
    """Prepare this process's database connection. This is loaded late: the database needs the settings."""
    from django.db import connection

    from config.processes.waits import TASKS, limit_waits

    limit_waits(TASKS)
    # A connection is kept for the next task, since a new one costs more than most tasks. If the database was
    # started again meanwhile, the task gets a new one: nobody tries a task again as they do a page.
    connection.settings_dict["CONN_HEALTH_CHECKS"] = True
    task_prerun.connect(_check_connection)


def _check_connection(**_: Any) -> None:
    """Close a connection that is too old or broken. The next statement checks one that is kept."""
    from django.db import close_old_connections

    close_old_connections()


@app.on_after_configure.connect
def _count(**_: Any) -> None:
    """Count tasks. This is loaded late, since the counters need the settings."""

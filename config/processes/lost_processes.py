"""Ends a Celery worker when one of its processes is killed while it waits, for example for lack of memory.

With messages in files, billiard's own pool runs the tasks. Its processes share one pipe, and the process that
waits for the next task holds the pipe's lock. If it is killed, the lock is never released, and the worker
looks well but does nothing for ever. So the worker ends, and its supervisor starts it again. Tasks may run
twice, and the sweep sends lost ones again. With Redis, each process has its own pipes, and this is not
needed.
"""

from __future__ import annotations

import logging
import os
import signal
from contextlib import suppress
from functools import partial
from typing import Any

from billiard.pool import RUN, Pool
from celery import signals

logger = logging.getLogger(__name__)

EXIT_CODE = os.EX_TEMPFAIL


@signals.worker_ready.connect
def _watch(sender: Any = None, **_: Any) -> None:
    pool: Any = getattr(getattr(sender, "pool", None), "_pool", None)
    kind = type(pool)
    if kind is Pool:  # Celery's subclass has pipes for each process
        pool.on_process_down = partial(process_went, pool)


def process_went(pool: Any, process: Any) -> None:
    """End this worker, with exit code EXIT_CODE, if the process was killed while it had no task.

    A process that had a task did not hold the lock. Another replaces it, and Celery sends the task again.
    """
    if pool._state != RUN or process.exitcode is None or process.exitcode >= 0:
        return
    if any(process.pid in job.worker_pids() for job in list(pool._cache.values())):
        return
    logger.critical(
        "process %d of this worker was killed (signal %d) while it waited for a task: the worker ends, "
        "since the others might wait for ever, and has to be started again",
        process.pid,
        -process.exitcode,
    )
    for other in list(pool._pool):
        with suppress(ProcessLookupError):
            os.kill(other.pid, signal.SIGKILL)
    logging.shutdown()
    os._exit(EXIT_CODE)

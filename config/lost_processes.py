"""What a Celery worker does when one of its processes is killed, by the machine for want of memory, say.

Where messages are files, billiard's own pool runs the tasks: its processes share one pipe, and the one that
waits for the next task holds its lock. Killed, it takes the lock along, and the worker looks well and does
nothing for ever. So the worker ends instead, and what watches it starts it anew: a task may run twice, and
the sweep asks again for what was lost. With Redis each process has pipes of its own and needs none of this.
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
    if kind is Pool:  # not Celery's subclass of it, which has pipes for each
        pool.on_process_down = partial(process_went, pool)


def process_went(pool: Any, process: Any) -> None:
    """End this worker, with exit code EXIT_CODE, if the process was killed while it had no task.

    One that had a task did not hold the lock: another takes its place, and Celery asks for the task again.
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

"""The scheduler of beat, which goes on when the clock is set back."""

from __future__ import annotations

import logging
from typing import Any

from celery.beat import PersistentScheduler

logger = logging.getLogger(__name__)


class Scheduler(PersistentScheduler):
    """Celery's scheduler, which keeps in a file when each task last ran, and trusts no time from the future.

    Celery itself would run nothing until the clock has come to those times again, also after a restart.
    """

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Run one task that is due. Return the seconds until the next call."""
        now = self.app.now()
        entries: list[Any] = list(self.schedule.values())
        ahead = [entry for entry in entries if entry.last_run_at > now]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            logger.warning("the clock was set back: %d periodic tasks are scheduled again", len(ahead))
            self._heap = None  # it has the old times, and is made anew
        return super().tick(*args, **kwargs)

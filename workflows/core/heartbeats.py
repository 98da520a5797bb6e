"""Heartbeats of periodic tasks, for probes and metrics.

They are rows, because the web server cannot ask the process that runs the tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.core.models import Beat


def begin_beat(name: str, *, now: datetime) -> None:
    """Write that a run of the task `name` begins."""
    with write_transaction():
        Beat.objects.update_or_create(name=name, defaults={"began_at": now})


def end_beat(name: str, *, now: datetime, found: Mapping[str, int]) -> None:
    """Write that the run has ended, and add one run and what it `found` to the totals."""
    with write_transaction():
        beat = Beat.objects.select_for_update().get(name=name)
        for key, value in {"runs": 1, **found}.items():
            beat.totals[key] = beat.totals.get(key, 0) + value
        beat.ended_at = now
        beat.save(update_fields=["ended_at", "totals"])

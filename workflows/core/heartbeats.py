"""Keeps that a periodic task ran, for probes and metrics: what runs in another process cannot be asked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.core.models import Beat


def begin_beat(name: str, *, now: datetime) -> None:
    """A run begins."""
    with write_transaction():
        Beat.objects.update_or_create(name=name, defaults={"began_at": now})


def end_beat(name: str, *, now: datetime, found: Mapping[str, int]) -> None:
    """A run that had begun has ended; what it found is added to the totals, together with `runs`."""
    with write_transaction():
        beat = Beat.objects.select_for_update().get(name=name)
        for key, value in {"runs": 1, **found}.items():
            beat.totals[key] = beat.totals.get(key, 0) + value
        beat.ended_at = now
        beat.save(update_fields=["ended_at", "totals"])

"""Wakes who speaks to platforms. A message that is lost costs a minute: the next step does it anyhow."""

from __future__ import annotations

from workflows import tasks


def hint_crowd(name: str) -> None:
    """Say that something waits to be done on the platform of this name."""
    tasks._hint(tasks.crowd_step, expires=60)  # type: ignore[attr-defined]


def hint_reconcile(name: str) -> None:
    tasks._hint(tasks.crowd_reconcile, name, expires=600)  # type: ignore[attr-defined]


def hint_write(name: str, worker: str, subject: str, text: str) -> None:
    tasks._hint(tasks.write_to_worker, name, worker, subject, text, expires=3600)  # type: ignore[attr-defined]

"""Researchers' notes about workers, for colleagues. Notes are added and never changed."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Worker
from workflows.workers.models import WorkerNote

MAX_NOTE_LENGTH = 2000


class NoteError(ValueError):
    """The text cannot be a note; the message says why."""


def note_worker(*, worker: Worker, by: str, text: str, now: datetime) -> WorkerNote:
    """Store a note of up to MAX_NOTE_LENGTH characters. Raises NoteError."""
    text = text.strip()
    if not text or len(text) > MAX_NOTE_LENGTH or "\0" in text:
        raise NoteError(f"a note is text of 1 to {MAX_NOTE_LENGTH} characters")
    return WorkerNote.objects.create(worker=worker, by=by, text=text, created_at=now)

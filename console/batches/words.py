"""Of batches: their states and what can be done with them, in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from annotation.models import Batch

STATES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        Batch.State.DRAFT: ("draft", ""),
        Batch.State.RUNNING: ("running", "good"),
        Batch.State.PAUSED: ("paused", "warn"),
        Batch.State.FINISHED: ("finished", ""),
        Batch.State.CANCELLED: ("cancelled", "bad"),
    }
)
"""Of each state: its word, and the look of its chip."""


class Action(NamedTuple):
    """On a button, as a heading, and what was done when it is done."""

    button: str
    title: str
    done: str
    danger: bool = False


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "launch": Action("Launch", "Launch batch", "is launched: its first questions open now"),
        "pause": Action("Pause", "Pause batch", "is paused: nobody gets a new page of it"),
        "resume": Action("Resume", "Resume batch", "goes on"),
        "cancel": Action("Cancel", "Cancel batch", "is cancelled; its judgments are kept", danger=True),
        "delete": Action("Delete", "Delete draft", "is deleted", danger=True),
    }
)

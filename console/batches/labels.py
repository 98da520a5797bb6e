"""Labels of the states of batches and of what can be done with them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from annotation.models import Batch
from console.common.labels import Action, Look

STATES: Mapping[str, Look] = MappingProxyType(
    {
        Batch.State.DRAFT: ("draft", ""),
        Batch.State.RUNNING: ("running", "good"),
        Batch.State.PAUSED: ("paused", "warn"),
        Batch.State.FINISHED: ("finished", ""),
        Batch.State.CANCELLED: ("cancelled", "bad"),
    }
)


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "launch": Action("Launch", "Launch batch", "is launched. Workers get its first questions now"),
        "pause": Action("Pause", "Pause batch", "is paused. Workers get no new page of it"),
        "resume": Action("Resume", "Resume batch", "is resumed"),
        "cancel": Action("Cancel", "Cancel batch", "is cancelled. Its judgments are kept", danger=True),
        "delete": Action("Delete", "Delete draft", "is deleted", danger=True),
    }
)

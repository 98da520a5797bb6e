"""Read the settings of a batch from its row."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import orjson

from annotation.models import Batch, Project
from workflows.batch_settings.domain.names import free_name
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings


def settings_of(batch: Batch) -> BatchSettings:
    """Return the batch's settings, with what its launch pinned.

    Raises SettingsError if the stored ones cannot be used.
    """
    return _parsed(orjson.dumps([batch.settings, batch.box_heads]))


def next_name(project: Project, wanted: str) -> str:
    """Return the name, with a number if a batch of the project has it already. One query."""
    return free_name(wanted, set(project.batches.values_list("name", flat=True)))


@lru_cache(maxsize=256)
def _parsed(data: bytes) -> BatchSettings:
    settings, heads = orjson.loads(data)
    return replace(parse_settings(settings), box_heads=heads)

"""Read the settings of a batch from its row."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import orjson

from annotation.models import Batch
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings


def settings_of(batch: Batch) -> BatchSettings:
    """Return the batch's settings, with what its launch pinned.

    Raises SettingsError if the stored ones cannot be used.
    """
    return _parsed(orjson.dumps([batch.settings, batch.box_heads]))


@lru_cache(maxsize=256)
def _parsed(data: bytes) -> BatchSettings:
    settings, heads = orjson.loads(data)
    return replace(parse_settings(settings), box_heads=heads)

"""Read the settings of a batch from its row."""

from __future__ import annotations

from functools import lru_cache

import orjson

from annotation.models import Batch
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings


def settings_of(batch: Batch) -> BatchSettings:
    """Return the batch's settings. Raises SettingsError if the stored ones cannot be used."""
    return _parsed(orjson.dumps(batch.settings))


@lru_cache(maxsize=256)
def _parsed(data: bytes) -> BatchSettings:
    return parse_settings(orjson.loads(data))

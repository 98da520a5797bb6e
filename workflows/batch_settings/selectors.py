"""Read the settings of a batch from where they are stored, and check settings before they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

from annotation.models import Batch
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.pipeline.domain.link_strategies import STRATEGIES
from workflows.pipeline.domain.moves import PROTOCOLS


def settings_of(batch: Batch) -> BatchSettings:
    """The batch's settings, parsed. Raises SettingsError if somebody stored what cannot be used."""
    return _parsed(orjson.dumps(batch.settings))


@lru_cache(maxsize=256)
def _parsed(data: bytes) -> BatchSettings:
    return check_settings(orjson.loads(data))


def check_settings(data: Mapping[str, Any]) -> BatchSettings:
    """Settings from JSON against the protocols and strategies there are. Raises SettingsError."""
    return parse_settings(data, protocols=tuple(PROTOCOLS), strategies=tuple(STRATEGIES))

"""What platforms' ids and our tokens look like, so that made-up values are refused before they are stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from workflows.batch_settings.domain.crowd_settings import MTURK, PROLIFIC

MAX_TOKEN = 64  # characters
TOKEN = rf"[A-Za-z0-9._:-]{{1,{MAX_TOKEN}}}"
"""The pattern of a token: of those that we accept, and of those that we read back from a bonus's reason."""

_PATTERNS: Mapping[str, Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        # As EntityId and CustomerId in botocore's model of the API.
        MTURK: {
            "assignment": re.compile(r"[A-Z0-9]{1,64}"),
            "worker": re.compile(r"A[A-Z0-9]{1,63}"),
        },
        # They are said to be 24 letters and digits. That is promised nowhere, so any number of them will do.
        PROLIFIC: {
            "assignment": re.compile(r"[A-Za-z0-9]{1,64}"),
            "worker": re.compile(r"[A-Za-z0-9]{1,64}"),
        },
    }
)


def strange(provider: str, **ids: str) -> list[str]:
    """Return the names of those `ids` (`assignment`, `worker`) that the platform would never give out."""
    patterns = _PATTERNS.get(provider, {})
    return [name for name, value in ids.items() if name in patterns and not patterns[name].fullmatch(value)]


def is_token(text: str) -> bool:
    """Return whether a text may be a payment's token."""
    return re.fullmatch(TOKEN, text) is not None

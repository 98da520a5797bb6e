"""What platforms' ids look like: whatever else stands in an address is nobody's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from workflows.batch_settings.domain.crowd_settings import MTURK, PROLIFIC

_PATTERNS: Mapping[str, Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        # EntityId and CustomerId of botocore's model of the API.
        MTURK: {
            "assignment": re.compile(r"[A-Z0-9]{1,64}"),
            "worker": re.compile(r"A[A-Z0-9]{1,63}"),
        },
        # Said to be 24 letters and digits, and promised nowhere: no more is asked than that they are such.
        PROLIFIC: {
            "assignment": re.compile(r"[A-Za-z0-9]{1,64}"),
            "worker": re.compile(r"[A-Za-z0-9]{1,64}"),
        },
    }
)


def strange(provider: str, **ids: str) -> list[str]:
    """Which of the platform's ids (`assignment`, `worker`) it would never give."""
    patterns = _PATTERNS.get(provider, {})
    return [name for name, value in ids.items() if name in patterns and not patterns[name].fullmatch(value)]


MOST_TOKEN = 64
TOKEN = rf"[A-Za-z0-9._:-]{{1,{MOST_TOKEN}}}"
"""The one pattern: of what is accepted, and of what is read back from a bonus's reason."""


def is_token(text: str) -> bool:
    return re.fullmatch(TOKEN, text) is not None

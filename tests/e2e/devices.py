"""The devices that people work with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

DESK: Mapping[str, Any] = MappingProxyType({"viewport": {"width": 1280, "height": 800}})
PHONE: Mapping[str, Any] = MappingProxyType(
    {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    }
)
DEVICES = MappingProxyType({"desk": DESK, "phone": PHONE})

"""The devices that people work with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


def _desk(width: int, height: int) -> Mapping[str, Any]:
    return MappingProxyType({"viewport": {"width": width, "height": height}})


def _by_touch(width: int, height: int, **more: Any) -> Mapping[str, Any]:
    return MappingProxyType({**_desk(width, height), "has_touch": True, "is_mobile": True, **more})


DESK, LARGE_DESK = _desk(1280, 800), _desk(1920, 1080)
PHONE = _by_touch(390, 844, device_scale_factor=2)
TABLET, LARGE_TABLET = _by_touch(768, 1024), _by_touch(820, 1180)
DEVICES = MappingProxyType({"desk": DESK, "phone": PHONE})

"""Checks of settings that come as JSON. Each raises SettingsError, which names the field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any


class SettingsError(ValueError):
    """A setting of a batch cannot be used. `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


def check_choice(data: Mapping[str, Any], name: str, allowed: tuple[str, ...], within: str = "") -> None:
    """Check that the setting, if it is given, is one of `allowed`. `within` is the prefix of its group."""
    if name in data and data[name] not in allowed:
        raise SettingsError(within + name, f"{data[name]!r} is not one of {', '.join(allowed)}")


def check_whole(data: Mapping[str, Any], name: str, low: int, high: int, within: str = "") -> None:
    """Check that the setting, if it is given, is a whole number from `low` to `high`."""
    if name in data and not (type(data[name]) is int and low <= data[name] <= high):
        raise SettingsError(within + name, f"must be a whole number from {low} to {high}")


def check_share(data: Mapping[str, Any], name: str, within: str) -> None:
    """Check that the setting, if it is given, is a number from 0 to 1."""
    if name in data and not (type(data[name]) in (int, float) and 0 <= data[name] <= 1):
        raise SettingsError(within + name, "must be a share from 0 to 1")


def parse_group(value: object, name: str, kind: Any) -> dict[str, Any]:
    """Return a group of settings as a dict, after a check that all are fields of the dataclass `kind`."""
    known = [f.name for f in fields(kind)]
    if not isinstance(value, Mapping):
        raise SettingsError(name, f"must be an object with the settings {', '.join(known)}")
    for field_name in value:
        if field_name not in known:
            raise SettingsError(
                f"{name}.{field_name}", f"is not a setting; the settings are {', '.join(known)}"
            )
    return dict(value)

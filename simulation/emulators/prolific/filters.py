"""The filters that exist, checks of a study's filters, and whether a participant passes them."""

from __future__ import annotations

from typing import Any

from simulation.emulators.prolific.errors import RefusalError
from simulation.emulators.prolific.world import Participant, World

COUNTRIES = (
    "United Kingdom",
    "United States",
    "Ireland",
    "Germany",
    "France",
    "Poland",
    "Canada",
    "Australia",
)
RESIDENCE = "current-country-of-residence"
ALLOW, BLOCK = "participant_group_allowlist", "participant_group_blocklist"
RANGES = ("approval_rate", "approval_numbers")
TOGETHER = ("and", "or")
LIST: list[dict[str, Any]] = [
    {
        "filter_id": RESIDENCE,
        "title": "Current country of residence",
        "type": "select",
        "data_type": "ChoiceID",
        "choices": {str(number): name for number, name in enumerate(COUNTRIES)},
    },
    {"filter_id": "approval_rate", "title": "Approval rate", "type": "range", "data_type": "integer"},
    {"filter_id": "approval_numbers", "title": "Approvals", "type": "range", "data_type": "integer"},
    {"filter_id": ALLOW, "title": "Participant group allow list", "type": "select", "data_type": "string"},
    {"filter_id": BLOCK, "title": "Participant group block list", "type": "select", "data_type": "string"},
]
Filter = dict[str, Any]


def check_filters(world: World, filters: list[Any]) -> None:
    """Raise RefusalError unless the filters are well formed."""
    _check(all(isinstance(one, dict) for one in filters), "Expected a list of filters.")
    for one in filters:
        name = one.get("filter_id")
        if name in TOGETHER:
            check_filters(world, one.get("selected_filters") or [])
        elif name in (ALLOW, BLOCK):
            for group in _values(one):
                world.group(group)
        elif name == RESIDENCE:
            known = {str(number) for number in range(len(COUNTRIES))}
            _check(set(_values(one)) <= known, "Not a valid choice.")
        else:
            _check(name in RANGES, f"Unknown filter {name}.")
            bounds = one.get("selected_range")
            _check(
                isinstance(bounds, dict) and bool(set(bounds) & {"lower", "upper"}), "A bound is required."
            )


def passes(world: World, who: Participant, filters: list[Filter]) -> bool:
    return all(_passes(world, who, one) for one in filters)


def _passes(world: World, who: Participant, one: Filter) -> bool:
    name = one["filter_id"]
    if name in TOGETHER:
        each = [_passes(world, who, inner) for inner in one["selected_filters"]]
        return all(each) if name == "and" else any(each)
    if name in RANGES:
        value = who.approval_rate if name == "approval_rate" else who.approvals
        bounds = one["selected_range"]
        return _within(value, bounds)
    values = one["selected_values"]
    if name == RESIDENCE:
        return who.country in (COUNTRIES[int(number)] for number in values)
    is_member = any(who.id in world.groups[group].members for group in values)
    return is_member if name == ALLOW else not is_member


def _within(value: int, bounds: dict[str, Any]) -> bool:
    lower, upper = bounds.get("lower"), bounds.get("upper")
    return (lower is None or value >= lower) and (upper is None or value <= upper)


def _values(one: Filter) -> list[str]:
    values = one.get("selected_values")
    _check(isinstance(values, list) and bool(values), "selected_values is required.")
    assert isinstance(values, list)
    return values


def _check(good: bool, problem: str) -> None:
    if not good:
        raise RefusalError(400, {"filters": [problem]})

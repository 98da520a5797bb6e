"""Qualification requirements: which workers may discover, preview and accept a HIT.

All comparators over system qualifications and the requester's own are emulated.
"""

from __future__ import annotations

from typing import Any

from simulation.emulators.mturk.errors import bad_value, no_such
from simulation.emulators.mturk.state import Hit, State, Worker

APPROVED = "00000000000000000040"  # number of HITs approved
PERCENT = "000000000000000000L0"  # percentage of assignments approved
LOCALE = "00000000000000000071"
ADULT = "00000000000000000060"
MASTERS = frozenset({"2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"})  # live, sandbox
SYSTEM = frozenset({APPROVED, PERCENT, LOCALE, ADULT}) | MASTERS

MEANINGFUL = 100  # assignments; a worker with fewer has a percentage of 100
MAX_REQUIREMENTS, MAX_INTEGERS, MAX_LOCALES = 10, 15, 30
_SETS = ("In", "NotIn")
_PRESENCE = ("Exists", "DoesNotExist")
_LOCALE_COMPARATORS = ("EqualTo", "NotEqualTo", *_SETS)

# The actions that a requirement guards. To accept is always among them.
_GUARDS = {
    "preview": ("PreviewAndAccept", "DiscoverPreviewAndAccept"),
    "discover": ("DiscoverPreviewAndAccept",),
}


def check(state: State, requirements: list[dict[str, Any]]) -> None:
    """Raise ApiError for requirements that the platform would not take."""
    if len(requirements) > MAX_REQUIREMENTS:
        raise bad_value(f"At most {MAX_REQUIREMENTS} QualificationRequirements.")
    for one in requirements:
        type_id, comparator = one["QualificationTypeId"], one["Comparator"]
        if type_id not in SYSTEM and type_id not in state.qualification_types:
            raise no_such("QualificationType", type_id)
        if "RequiredToPreview" in one and "ActionsGuarded" in one:
            raise bad_value("RequiredToPreview cannot be given with ActionsGuarded.")
        integers, locales = one.get("IntegerValues", []), one.get("LocaleValues", [])
        if comparator in _PRESENCE:
            if integers or locales:
                raise bad_value(f"{comparator} compares with no value.")
        elif type_id == LOCALE:
            _check_values(comparator, locales, integers, MAX_LOCALES, "LocaleValues")
            if comparator not in _LOCALE_COMPARATORS:
                raise bad_value(f"{comparator} does not compare locales.")
        else:
            _check_values(comparator, integers, locales, MAX_INTEGERS, "IntegerValues")


def _check_values(comparator: str, values: list[Any], others: list[Any], most: int, name: str) -> None:
    if others:
        raise bad_value(f"This qualification compares with {name} only.")
    if not 1 <= len(values) <= (most if comparator in _SETS else 1):
        raise bad_value(f"{comparator} needs {f'1 to {most}' if comparator in _SETS else 'one'} of {name}.")


def asks_for_masters(requirements: list[dict[str, Any]]) -> bool:
    return any(one["QualificationTypeId"] in MASTERS for one in requirements)


def allowed(state: State, worker: str, hit: Hit, action: str = "accept") -> bool:
    """Return whether a worker meets the requirements of an action: discover, preview or accept.

    Blocked workers never do.
    """
    if worker in state.blocks:
        return False
    return all(
        meets(state, state.worker(worker), one)
        for one in state.types[hit.type_id].requirements
        if action == "accept" or _guard(one) in _GUARDS[action]
    )


def _guard(requirement: dict[str, Any]) -> str:
    usual = "PreviewAndAccept" if requirement.get("RequiredToPreview") else "Accept"
    return str(requirement.get("ActionsGuarded", usual))


def meets(state: State, worker: Worker, requirement: dict[str, Any]) -> bool:
    type_id: str = requirement["QualificationTypeId"]
    comparator: str = requirement["Comparator"]
    value = _locale(worker) if type_id == LOCALE else _value(state, worker, type_id)
    if comparator in _PRESENCE:
        return (value is not None) == (comparator == "Exists")
    if value is None:
        return False
    if isinstance(value, tuple):
        named = any(
            value[0] == one["Country"] and one.get("Subdivision", value[1]) == value[1]
            for one in requirement["LocaleValues"]
        )
        return named == (comparator in ("EqualTo", "In"))
    return _compare(value, comparator, requirement["IntegerValues"])


def _compare(value: int, comparator: str, wanted: list[int]) -> bool:
    match comparator:
        case "LessThan":
            return value < wanted[0]
        case "LessThanOrEqualTo":
            return value <= wanted[0]
        case "GreaterThan":
            return value > wanted[0]
        case "GreaterThanOrEqualTo":
            return value >= wanted[0]
        case "NotEqualTo" | "NotIn":
            return value not in wanted
        case _:
            return value in wanted


def _locale(worker: Worker) -> tuple[str, str] | None:
    return (worker.country, worker.subdivision) if worker.country else None


def _value(state: State, worker: Worker, type_id: str) -> int | None:
    """Return the worker's value of a qualification, or None if they do not have it."""
    if type_id == APPROVED:
        return worker.approved
    if type_id == PERCENT:
        total = worker.approved + worker.rejected
        return 100 if total < MEANINGFUL else worker.approved * 100 // total
    if type_id == ADULT:
        return int(worker.adult)
    if type_id in MASTERS:
        return 1 if worker.masters else None
    held = state.qualifications.get(f"{type_id}:{worker.id}")
    return held.value if held and held.status == "Granted" else None

"""Checks of request bodies by the published reference. Every problem is reported with its field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from simulation.emulators.prolific.errors import RefusalError
from simulation.emulators.prolific.filters import check_filters
from simulation.emulators.prolific.world import SCREEN_OUT, World

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ACTIONS = ("MANUALLY_REVIEW", "AUTOMATICALLY_APPROVE", "REQUEST_RETURN", SCREEN_OUT)
LABELS = ("survey", "writing_task", "annotation", "decision_making_task", "interview", "other")
DEVICES = ("desktop", "tablet", "mobile")
PERIPHERALS = ("audio", "camera", "download", "microphone")
ID_OPTIONS = ("question", "url_parameters", "not_required")
REQUIRED = (
    "name",
    "description",
    "external_study_url",
    "prolific_id_option",
    "completion_codes",
    "total_available_places",
    "estimated_completion_time",
    "reward",
)
OPTIONAL = (
    "internal_name",
    "maximum_allowed_time",
    "device_compatibility",
    "peripheral_requirements",
    "filters",
    "project",
    "submissions_config",
    "study_labels",
    "metadata",
)
MIN_SCREEN_OUT = 10  # pence
MAX_MINUTES = 24 * 60 - 1
Body = Mapping[str, Any]


class Problems:
    """Problems of a request, which are collected and raised together."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {}

    def add(self, field: str, problem: str) -> None:
        self._found.setdefault(field, []).append(problem)

    def check(self, good: bool, field: str, problem: str) -> bool:
        if not good:
            self.add(field, problem)
        return good

    def settle(self) -> None:
        if self._found:
            raise RefusalError(400, self._found)


def check_study(world: World, body: Body, *, partly: bool = False) -> dict[str, Any]:
    """Return the checked fields of a study that is made or (`partly`) changed. Raise RefusalError."""
    problems = Problems()
    for field in body:
        problems.check(field in (*REQUIRED, *OPTIONAL), field, "Unknown field.")
    for field in () if partly else REQUIRED:
        problems.check(body.get(field) not in (None, "", []), field, "This field is required.")
    for field in ("name", "description", "external_study_url"):
        if field in body:
            problems.check(isinstance(body[field], str), field, "Not a valid string.")
    for field in ("total_available_places", "estimated_completion_time", "maximum_allowed_time", "reward"):
        if body.get(field) is not None:
            problems.check(is_whole(body[field]) and body[field] >= 1, field, "A valid number is required.")
    _check_url(problems, body)
    _check_codes(problems, body)
    _check_lists(problems, body)
    _check_labels(problems, body)
    if body.get("project") not in (None, world.project):
        problems.add("project", "Project does not exist.")
    problems.settle()
    check_filters(world, body.get("filters") or [])
    _check_times(problems, body)
    problems.settle()
    return dict(body)


def _check_url(problems: Problems, body: Body) -> None:
    if isinstance(body.get("external_study_url"), str):
        parts = urlsplit(body["external_study_url"])
        secure = parts.scheme == "https" or parts.hostname in LOOPBACK
        problems.check(bool(parts.netloc) and secure, "external_study_url", "Enter a valid URL.")
    if "prolific_id_option" in body:
        known = body["prolific_id_option"] in ID_OPTIONS
        problems.check(known, "prolific_id_option", "Not a valid choice.")


def _check_codes(problems: Problems, body: Body) -> None:
    codes = body.get("completion_codes", [])
    if not problems.check(isinstance(codes, list), "completion_codes", "Expected a list."):
        return
    seen = set()
    for one in codes:
        good = isinstance(one, dict) and isinstance(one.get("code"), str) and one.get("code_type")
        if not problems.check(bool(good), "completion_codes", "A code and its type are required."):
            continue
        problems.check(one["code"] not in seen, "completion_codes", "Codes must be unique.")
        seen.add(one["code"])
        actions = [each.get("action") for each in one.get("actions", []) if isinstance(each, dict)]
        known = set(actions) <= set(ACTIONS) and not {"MANUALLY_REVIEW", "AUTOMATICALLY_APPROVE"} <= set(
            actions
        )
        problems.check(known, "completion_codes", "These actions cannot be used, or not together.")
        known = one.get("actor", "participant") in ("participant", "researcher")
        problems.check(known, "completion_codes", "Unknown actor.")
    _check_screen_out(problems, body)


def _check_screen_out(problems: Problems, body: Body) -> None:
    """Check the pay of who is screened out, which one code of a study may have."""
    actions = [act for one in body.get("completion_codes", []) for act in one.get("actions", [])]
    paid = [act for act in actions if act.get("action") == SCREEN_OUT]
    problems.check(len(paid) < 2, "completion_codes", "Only one code can screen participants out.")
    for act in paid:
        pay, slots = act.get("fixed_screen_out_reward"), act.get("slots")
        good = is_whole(pay) and MIN_SCREEN_OUT <= pay < body.get("reward", 0)
        text = f"fixed_screen_out_reward must be at least {MIN_SCREEN_OUT}, and less than the reward."
        problems.check(good, "completion_codes", text)
        problems.check(is_whole(slots) and slots >= 1, "completion_codes", "slots must be 1 or more.")


def _check_lists(problems: Problems, body: Body) -> None:
    for field, choices in (("device_compatibility", DEVICES), ("peripheral_requirements", PERIPHERALS)):
        value = body.get(field, [])
        problems.check(isinstance(value, list) and set(value) <= set(choices), field, "Not a valid choice.")
    config = body.get("submissions_config") or {}
    most = config.get("max_submissions_per_participant", 1) if isinstance(config, dict) else None
    good = isinstance(most, int) and (most == -1 or most >= 1)
    problems.check(good, "submissions_config", "max_submissions_per_participant is -1, or 1 and more.")


def _check_labels(problems: Problems, body: Body) -> None:
    labels = body.get("study_labels", [])
    good = isinstance(labels, list) and len(labels) <= 1 and set(labels) <= set(LABELS)
    problems.check(good, "study_labels", f"One of these at most: {', '.join(LABELS)}.")


def _check_times(problems: Problems, body: Body) -> None:
    estimated, allowed = body.get("estimated_completion_time"), body.get("maximum_allowed_time")
    if estimated and allowed:
        least = 2 + 2 * estimated + 2 * math.sqrt(estimated)
        good = least <= allowed <= MAX_MINUTES
        text = f"Must be between {least:.1f} and {MAX_MINUTES} minutes."
        problems.check(good, "maximum_allowed_time", text)


def is_whole(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)


def texts(body: Body, *fields: str) -> list[str]:
    """Return fields that have to be texts. Raise RefusalError if one is not."""
    problems = Problems()
    for field in fields:
        value = body.get(field)
        problems.check(isinstance(value, str) and bool(value), field, "This field is required.")
    problems.settle()
    return [body[field] for field in fields]


def ids(body: Body, field: str) -> list[str]:
    value = body.get(field)
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise RefusalError(400, {field: ["Expected a list of ids."]})
    return value

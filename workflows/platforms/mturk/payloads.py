"""What we send to Mechanical Turk: an order's HIT type, its requirements and its question."""

from __future__ import annotations

import math
from typing import Any
from xml.sax.saxutils import escape

from workflows.platforms.mturk.replies import dollars
from workflows.platforms.provider import Environment, Order, RefusedError, Requirements

# Amazon's own qualifications. All but Masters have the same id in production and in the sandbox.
APPROVED_HITS = "00000000000000000040"
PERCENT_APPROVED = "000000000000000000L0"
LOCALE = "00000000000000000071"
MASTERS_LIVE, MASTERS_SANDBOX = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"
MAX_REQUIREMENTS, MAX_LOCALES = 10, 30
FRAME_HEIGHT = 0  # as high as the worker's window
_NAMESPACE = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
)


def external_question(url: str) -> str:
    """Return the XML of a question that shows our page in a frame."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><ExternalQuestion xmlns="{_NAMESPACE}">'
        f"<ExternalURL>{escape(url)}</ExternalURL><FrameHeight>{FRAME_HEIGHT}</FrameHeight></ExternalQuestion>"
    )


def hit_type(order: Order, environment: Environment) -> dict[str, Any]:
    """Return the parameters of CreateHITType.

    Raises RefusedError if Mechanical Turk has no such requirements.
    """
    return {
        "AutoApprovalDelayInSeconds": order.approval_seconds,
        "AssignmentDurationInSeconds": order.work_seconds,
        "Reward": dollars(order.reward.amount),
        "Title": order.title,
        "Keywords": ", ".join(order.keywords),
        "Description": order.description,
        "QualificationRequirements": qualification_requirements(order.requirements, environment),
    }


def qualification_requirements(wanted: Requirements, environment: Environment) -> list[dict[str, Any]]:
    """Return the QualificationRequirements of a HIT type.

    Workers who fail Amazon's own requirements may still look at the work; those who fail ours do not find it.
    Raises RefusedError, which names the setting, if Mechanical Turk has no such requirements.
    """
    made: list[dict[str, Any]] = []
    if wanted.completed:
        made.append(_at_least(APPROVED_HITS, wanted.completed))
    if wanted.approval:
        # Rounded first: 0.57 * 100 is a little over 57.
        made.append(_at_least(PERCENT_APPROVED, math.ceil(round(wanted.approval * 100, 6))))
    if wanted.locales:
        made.append(_living_in(wanted.locales))
    if wanted.masters:
        live = environment == Environment.LIVE
        made.append(_held(MASTERS_LIVE if live else MASTERS_SANDBOX, "Exists", "Accept"))
    made += [_held(one, "Exists", "DiscoverPreviewAndAccept") for one in wanted.holding]
    made += [_held(one, "DoesNotExist", "DiscoverPreviewAndAccept") for one in wanted.lacking]
    if len(made) > MAX_REQUIREMENTS:
        raise RefusedError(f"Mechanical Turk takes {MAX_REQUIREMENTS} requirements, not {len(made)}.")
    return made


def _at_least(qualification: str, value: int) -> dict[str, Any]:
    return {
        "QualificationTypeId": qualification,
        "Comparator": "GreaterThanOrEqualTo",
        "IntegerValues": [value],
        "ActionsGuarded": "Accept",
    }


def _held(qualification: str, comparator: str, guarded: str) -> dict[str, Any]:
    return {"QualificationTypeId": qualification, "Comparator": comparator, "ActionsGuarded": guarded}


def _living_in(locales: tuple[str, ...]) -> dict[str, Any]:
    if len(locales) > MAX_LOCALES:
        raise RefusedError(f"crowd.locales: Mechanical Turk takes {MAX_LOCALES}, not {len(locales)}.")
    return {
        "QualificationTypeId": LOCALE,
        "Comparator": "In",
        "LocaleValues": [_locale(code) for code in locales],
        "ActionsGuarded": "Accept",
    }


def _locale(code: str) -> dict[str, str]:
    country, _, part = code.partition("-")
    if part and len(part) != 2:
        raise RefusedError(
            f"crowd.locales: Mechanical Turk knows parts of two letters, as US-CA, not {code}."
        )
    return {"Country": country, "Subdivision": part} if part else {"Country": country}

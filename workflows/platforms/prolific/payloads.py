"""What we send to Prolific: an order's study, its filters, and a bonus. Pure."""

from __future__ import annotations

import hashlib
import html
import math
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

from workflows.platforms.provider import Order

MAX_NAME = 120  # characters of our words in a study's internal name
MAX_SUBMISSIONS = -1  # of one participant: as many as there are places, since each is for other pages
MAX_MINUTES = 24 * 60 - 1  # "always less than 24 hours"
LABEL = "annotation"  # of Prolific's labels by which participants choose, the one that fits all our stages
PARAMETERS = {
    "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
    "STUDY_ID": "{{%STUDY_ID%}}",
    "SESSION_ID": "{{%SESSION_ID%}}",
}
Filter = dict[str, object]


def study_of(
    order: Order, *, code: str, screen_out_code: str, filters: list[Filter], project: str
) -> dict[str, object]:
    """Return the body that makes a draft. Money is in the smallest unit; times are in minutes."""
    minutes = max(1, math.ceil(order.typical_seconds / 60))
    return {
        "name": order.title,
        "internal_name": f"{order.annotation[:MAX_NAME]} [groundcrew {order.token}]",
        "description": _paragraphs(order.description),
        "external_study_url": with_parameters(order.url),
        "prolific_id_option": "url_parameters",
        "completion_codes": [
            _code(code, "COMPLETED", {"action": "MANUALLY_REVIEW"}),
            *(
                [
                    _code(
                        screen_out_code,
                        "FIXED_SCREENOUT",
                        {
                            "action": "FIXED_SCREEN_OUT_PAYMENT",
                            "fixed_screen_out_reward": order.screen_out,
                            "slots": order.screen_outs,
                        },
                    )
                ]
                if order.screen_outs
                else []
            ),
        ],
        "total_available_places": order.places,
        "estimated_completion_time": minutes,
        "maximum_allowed_time": allowed_minutes(order.work_seconds, minutes),
        "reward": order.reward.amount,
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "peripheral_requirements": [],
        "study_labels": [LABEL],
        "filters": filters,
        "submissions_config": {"max_submissions_per_participant": MAX_SUBMISSIONS},
        **({"project": project} if project else {}),
    }


def _code(code: str, kind: str, action: dict[str, object]) -> dict[str, object]:
    return {"code": code, "code_type": kind, "actions": [action], "actor": "participant"}


def with_parameters(url: str) -> str:
    """Return the address with the PARAMETERS it lacks. They stay unquoted, so that Prolific fills them in."""
    parts = urlsplit(url)
    known = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    added = "&".join(f"{name}={value}" for name, value in PARAMETERS.items() if name not in known)
    return f"{url}{'&' if parts.query else '?'}{added}"


def allowed_minutes(work_seconds: int, estimated: int) -> int:
    """Return the minutes that the order allows, but at least Prolific's 2 + 2t + 2√t for t estimated ones."""
    least = math.ceil(2 + 2 * estimated + 2 * math.sqrt(estimated))
    return min(MAX_MINUTES, max(least, math.ceil(work_seconds / 60)))


def filters_of(
    *,
    completed: int,
    approval: float,
    countries: list[str],
    holding: tuple[str, ...],
    lacking: tuple[str, ...],
) -> list[Filter]:
    """Return the filters of a study: a participant has to pass all of them.

    `approval` is a share from 0 to 1, `countries` are choices of Prolific's filter, and `holding` and
    `lacking` are ids of our groups.
    """
    found: list[Filter] = []
    if completed:
        found.append({"filter_id": "approval_numbers", "selected_range": {"lower": completed}})
    if approval:
        lower = math.ceil(round(approval * 100, 6))
        found.append({"filter_id": "approval_rate", "selected_range": {"lower": lower, "upper": 100}})
    if countries:
        found.append({"filter_id": "current-country-of-residence", "selected_values": countries})
    # If one filter names several groups, being in any of them is enough.
    members: list[Filter] = [
        {"filter_id": "participant_group_allowlist", "selected_values": [group]} for group in holding
    ]
    if len(members) > 1:
        members = [{"filter_id": "and", "selected_filters": members}]
    found += members
    if lacking:
        found.append({"filter_id": "participant_group_blocklist", "selected_values": list(lacking)})
    return found


def extension_mark(token: str) -> str:
    """Return the mark that a study's internal name gets when it is extended under this token."""
    return f"+{hashlib.sha256(token.encode()).hexdigest()[:10]}"


def bonus_line(submission_id: str, amount: int) -> str:
    """Return a line of `csv_bonuses`, with the amount in the currency's main unit, as in 4.25."""
    return f"{submission_id},{Decimal(amount) / 100:.2f}"


def _paragraphs(text: str) -> str:
    """Return our text as the HTML that a description may contain."""
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    return "".join(f"<p>{html.escape(part, quote=False)}</p>" for part in parts)

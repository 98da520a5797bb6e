"""A payroll was paid: what it was for is not owed any more."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from annotation.models import Project
from workflows.core.audit_log import record_action
from workflows.core.time_slices import Turn
from workflows.crowd_payroll import unpaid_in
from workflows.domain.crowd.ledger import Kind
from workflows.domain.crowd.payroll import Period, PeriodError
from workflows.services.earnings import pay_out

AT_ONCE = 500


def mark_paid(*, project: Project, period: Period, by: str, now: datetime, turn: Turn | None = None) -> int:
    """Everything that was owed in the period has been paid; returns how many entries were not marked yet.

    Again, or at the same time, it marks what is left, each once. What the `turn` has no time for is left:
    `turn.cut` says so. Raises PeriodError where the period is not
    over: what was owed after its table was made would be marked unseen.
    """
    if not period.is_over(now):
        raise PeriodError(f"to: {period.last} is not over (UTC); only what is complete can be marked as paid")
    unpaid: dict[int, list[str]] = defaultdict(list)
    rows = unpaid_in(project, period).order_by("pk")
    for batch, token in rows.values_list("entry__batch", "entry__token"):
        unpaid[batch].append(token.removeprefix(f"{Kind.EARN}:"))
    marked = 0
    memo = f"payroll {period.first} to {period.last}, by {by}"
    parts = (
        (batch, tokens[start : start + AT_ONCE])
        for batch, tokens in sorted(unpaid.items())
        for start in range(0, len(tokens), AT_ONCE)
    )
    for batch, part in (turn or Turn()).each(parts):
        marked += pay_out(batch_id=batch, tokens=part, now=now, memo=memo)
    if marked:
        _record("payroll.paid", project, period, by, now, {"entries": marked})
    return marked


def record_export(*, project: Project, period: Period, by: str, now: datetime) -> None:
    """Somebody took out the table, which names workers and what they earned."""
    _record("payroll.export", project, period, by, now, {})


def _record(
    action: str, project: Project, period: Period, by: str, now: datetime, detail: dict[str, int]
) -> None:
    days = {"from": period.first.isoformat(), "to": period.last.isoformat()}
    record_action(
        by=by,
        action=action,
        now=now,
        project=project,
        kind="project",
        object=project.name,
        object_id=project.pk,
        detail={**days, **detail},
    )

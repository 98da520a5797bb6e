"""The payroll of direct workers: a page, a CSV file, and marking a period as paid."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.models import Project
from console.common.access import managing, overseeing
from console.common.numbers import amounts
from console.common.pages import page, read_number, user_name
from console.common.tables import csv_reply
from workflows.core.time_slices import Turn
from workflows.money import payroll as payrolls
from workflows.money.domain.currencies import amount
from workflows.money.domain.payroll import Line, Period, PeriodError, month_of, parse_period, table_rows

WORKERS = 100
"""Workers on a page. The file has all of them."""
SECONDS = 10.0
"""Workers that one request marks as paid. A longer period takes several requests."""


@overseeing
def payroll(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what was earned in a period. A POST marks the period as paid."""
    project = get_object_or_404(Project, pk=pk)
    now, data = timezone.now(), request.POST if request.method == "POST" else request.GET
    first, last = data.get("from", ""), data.get("to", "")
    period, error = None, ""
    months = payrolls.months_due(project)
    if not (first or last):
        usual = _usual_period(months, now)
        first, last = usual.first.isoformat(), usual.last.isoformat()
    try:
        period = parse_period(first, last)
        if request.method == "POST":
            if not data.get("paid"):
                raise PeriodError("paid: tick the box to confirm that it was paid; this does not move money")
            turn = Turn(SECONDS)
            marked = payrolls.mark_paid(
                project=project, period=period, by=user_name(request), now=now, turn=turn
            )
            if turn.cut:
                messages.warning(
                    request,
                    f"Marked as paid: {marked:,} entries. The rest is still due. Mark the period again.",
                )
            elif marked:
                messages.success(request, f"Marked as paid: {marked:,} entries.")
            else:
                messages.info(request, "Nothing was changed: nothing is due.")
            words = urlencode({"from": first, "to": last})
            return redirect(f"{reverse('crowd:payroll', args=[pk])}?{words}")
    except PeriodError as problem:
        error = f"{str(problem).partition(': ')[2] or problem}."
    after = read_number(request.GET, "after") or 0
    found = payrolls.payroll_page(project, period, workers=WORKERS, after=after) if period else None
    due = {line.currency: line.due for line in found.totals if line.due} if found else {}
    query: dict[str, str] = {"from": first, "to": last}
    context = {
        "project": project,
        "crumb": "Payroll",
        "first": first,
        "last": last,
        "error": error,
        "over": period is not None and period.is_over(now),
        "lines": [(line, *_amounts(line)) for line in found.lines] if found else [],
        "totals": [(line, *_amounts(line)) for line in found.totals] if found else [],
        "due": amounts(due) if due else "",
        "elsewhere": _elsewhere(months, period) if period else [],
        "query": urlencode(query),
        "more": urlencode({**query, "after": str(found.after)}) if found and found.after else "",
        "begins": not after,
    }
    status = 422 if error and (request.method == "POST" or "from" in request.GET) else 200
    return page(request, "crowd/payroll.html", context, title="Payroll", status=status)


@managing
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return the whole period as CSV. The audit log records who downloaded names and earnings."""
    project = get_object_or_404(Project, pk=pk)
    try:
        period = parse_period(request.GET.get("from", ""), request.GET.get("to", ""))
    except PeriodError as problem:
        messages.error(request, f"No file was made: {problem}.")
        return redirect(reverse("crowd:payroll", args=[pk]))
    payrolls.record_export(project=project, period=period, by=user_name(request), now=timezone.now())
    lines = payrolls.payroll(project, period)
    reply = csv_reply(table_rows(period, lines), f"payroll-{period.first}-{period.last}.csv")
    reply["Cache-Control"] = "no-store"
    return reply


def _amounts(line: Line) -> list[str]:
    return [amount(units, line.currency) for units in (line.earned, line.paid, line.due)]


def _usual_period(months: Sequence[Period], now: datetime) -> Period:
    """Return the last complete month, or the earliest one in which something is due if nothing is in that."""
    last = month_of(now.date().replace(day=1) - timedelta(days=1))
    return last if last in months else next(iter(months), last)


def _elsewhere(months: Sequence[Period], shown: Period) -> list[tuple[str, str]]:
    """Return the months with something due that are not wholly shown, each with its address."""
    return [
        (f"{month.first:%B %Y}", urlencode({"from": month.first.isoformat(), "to": month.last.isoformat()}))
        for month in months
        if not (shown.first <= month.first and month.last <= shown.last)
    ]

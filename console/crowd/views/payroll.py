"""What direct workers earned and are owed: hours and amounts, a file, and that it was paid."""

from __future__ import annotations

import csv
from collections import Counter
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.models import Project
from console.access import managing, overseeing
from console.money import amount, amounts
from console.pages import page, user_name
from workflows import crowd_payroll
from workflows.domain.crowd.payroll import Line, Period, PeriodError, parse_period, rows
from workflows.services.crowd.payroll import mark_paid, record_export

MOST_SHOWN = 3000
"""Entries of a period that a page adds up; what is more is for the file, and may take minutes."""


@overseeing
def payroll(request: HttpRequest, pk: int) -> HttpResponse:
    """A period's table; a POST says that all of it was paid, and takes the period along."""
    project = get_object_or_404(Project, pk=pk)
    now, data = timezone.now(), request.POST if request.method == "POST" else request.GET
    first, last = data.get("from", ""), data.get("to", "")
    period, error = None, ""
    if not (first or last):
        first, last = _last_month(now)
    try:
        period = parse_period(first, last)
        if request.method == "POST":
            if not data.get("paid"):
                raise PeriodError("paid: say that it was paid: nothing here moves money")
            marked = mark_paid(project=project, period=period, by=user_name(request), now=now)
            said = (
                f"Marked as paid: {marked:,} entries." if marked else "Nothing was changed: nothing is due."
            )
            (messages.success if marked else messages.info)(request, said)
            words = urlencode({"from": first, "to": last})
            return redirect(f"{reverse('crowd:payroll', args=[pk])}?{words}")
    except PeriodError as problem:
        error = f"{str(problem).partition(': ')[2] or problem}."
    lines, many = _lines(project, period) if period else ([], False)
    context = {
        "project": project,
        "crumb": "Payroll",
        "first": first,
        "last": last,
        "error": error,
        "over": period is not None and period.is_over(now),
        "lines": [(line, f"{line.seconds / 3600:.2f}", *_amounts(line)) for line in lines],
        "many": many,
        "most": MOST_SHOWN,
        "due": amounts(_due(lines)) if any(line.due for line in lines) else "",
        "query": urlencode({"from": first, "to": last}),
    }
    status = 422 if error and (request.method == "POST" or "from" in request.GET) else 200
    return page(request, "crowd/payroll.html", context, title="Payroll", status=status)


@managing
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole period as CSV: names and what was earned, so that it is kept who took it."""
    project = get_object_or_404(Project, pk=pk)
    try:
        period = parse_period(request.GET.get("from", ""), request.GET.get("to", ""))
    except PeriodError as problem:
        messages.error(request, f"No file was made: {problem}.")
        return redirect(reverse("crowd:payroll", args=[pk]))
    reply = HttpResponse(content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="payroll-{period.first}-{period.last}.csv"'
    reply["Cache-Control"] = "no-store"
    csv.writer(reply).writerows(rows(period, crowd_payroll.payroll(project, period)))
    record_export(project=project, period=period, by=user_name(request), now=timezone.now())
    return reply


def _lines(project: Project, period: Period) -> tuple[list[Line], bool]:
    """The table, unless there are too many entries to add them up while somebody waits."""
    entries = crowd_payroll.earned_in(project, period).order_by()
    if entries.values("pk")[: MOST_SHOWN + 1].count() > MOST_SHOWN:
        return [], True
    return crowd_payroll.payroll(project, period), False


def _amounts(line: Line) -> list[str]:
    return [amount(units, line.currency) for units in (line.earned, line.paid, line.due)]


def _due(lines: list[Line]) -> Counter[str]:
    due: Counter[str] = Counter()
    for line in lines:
        due[line.currency] += line.due
    return due


def _last_month(now: datetime) -> tuple[str, str]:
    """The latest whole month."""
    last = now.date().replace(day=1) - timedelta(days=1)
    return last.replace(day=1).isoformat(), last.isoformat()

"""The page of the audit log, and its download."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from console.audit.download import rows
from console.audit.entries import every, log, read_wanted
from console.audit.labels import SAYS
from console.common.access import may_manage, viewing
from console.common.pages import page
from console.common.query import read_number
from console.common.tables import csv_reply


@viewing
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Show who did what, the newest first."""
    wanted = read_wanted(request.GET)
    before = read_number(request.GET, "before") or 0
    found = log(wanted, before=before)
    context = {
        "found": found,
        "wanted": wanted,
        "actions": sorted(SAYS),
        "more": wanted.query(before=found.more) if found.more else "",
        "newest": (wanted.query() or "?") if before else "",
        "file": wanted.query(before=before),
    }
    return page(request, "audit/log.html", context, title="Audit log")


@viewing
@require_safe
def download(request: HttpRequest) -> StreamingHttpResponse:
    """Stream the filtered entries as CSV."""
    wanted, before = read_wanted(request.GET), read_number(request.GET, "before") or 0
    lines = rows(every(wanted, before=before), addresses=may_manage(request))
    return csv_reply(lines, "audit-log.csv")

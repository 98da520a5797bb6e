"""The page of the audit log, and its download."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from console.audit.entries import all_entries, log_page, read_wanted
from console.audit.labels import SAYS
from console.common.access import may_manage, viewing
from console.common.pages import page, read_number
from console.common.tables import csv_reply
from workflows.core.models import AuditEntry
from workflows.core.spreadsheet_cells import safe_cell

COLUMNS = ("id", "time", "by", "action", "project", "kind", "object", "object_id", "detail")
ADDRESS = "address"


@viewing
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Show who did what, the newest first."""
    wanted = read_wanted(request)
    before = read_number(request.GET, "before") or 0
    found = log_page(wanted, before=before)
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
    wanted, before = read_wanted(request), read_number(request.GET, "before") or 0
    lines = _table(all_entries(wanted, before=before), addresses=may_manage(request))
    return csv_reply(lines, "audit-log.csv")


def _table(entries: Iterable[AuditEntry], *, addresses: bool) -> Iterator[list[str]]:
    """Yield the names of the columns, then the rows; with `addresses`, also where requests came from."""
    yield [*COLUMNS, *([ADDRESS] if addresses else [])]
    for entry in entries:
        cells = [
            *(str(entry.pk), entry.created_at.isoformat(), entry.by, entry.action),
            *(entry.project.name if entry.project else "", entry.kind, entry.object, entry.object_id),
            json.dumps(entry.detail, ensure_ascii=False) if entry.detail else "",
        ]
        yield [safe_cell(cell) for cell in [*cells, *([entry.address or ""] if addresses else [])]]

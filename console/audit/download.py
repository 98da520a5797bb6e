"""The audit log as a table for a spreadsheet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from workflows.core.models import AuditEntry
from workflows.core.spreadsheet_cells import safe_cell

COLUMNS = ("id", "time", "by", "action", "project", "kind", "object", "object_id", "detail")
ADDRESS = "address"


def rows(entries: Iterable[AuditEntry], *, addresses: bool) -> Iterator[list[str]]:
    """Yield the names of the columns, then the rows; with `addresses`, also where requests came from."""
    yield [*COLUMNS, *([ADDRESS] if addresses else [])]
    for entry in entries:
        cells = [
            *(str(entry.pk), entry.created_at.isoformat(), entry.by, entry.action),
            *(entry.project.name if entry.project else "", entry.kind, entry.object, entry.object_id),
            json.dumps(entry.detail, ensure_ascii=False) if entry.detail else "",
        ]
        yield [safe_cell(cell) for cell in [*cells, *([entry.address or ""] if addresses else [])]]

"""The audit log as a table for a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator

from workflows.domain.cells import safe
from workflows.models import AuditEntry

COLUMNS = ("id", "time", "by", "action", "project", "kind", "object", "object_id", "detail")
ADDRESS = "address"


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def rows(entries: Iterable[AuditEntry], *, addresses: bool) -> Iterator[str]:
    """Lines of CSV, the first with the names of columns; with `addresses` where requests came from, too."""
    writer = csv.writer(_Echo())
    yield writer.writerow([*COLUMNS, *([ADDRESS] if addresses else [])])
    for entry in entries:
        cells = [
            *(str(entry.pk), entry.created_at.isoformat(), entry.by, entry.action),
            *(entry.project.name if entry.project else "", entry.kind, entry.object, entry.object_id),
            json.dumps(entry.detail, ensure_ascii=False) if entry.detail else "",
        ]
        yield writer.writerow(
            [safe(cell) for cell in [*cells, *([entry.address or ""] if addresses else [])]]
        )

"""Tables as files for spreadsheets, a line at a time, so that nobody waits for all of it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Each row as a line of CSV. Cells have to be `safe` already."""
    writer = csv.writer(_Echo())
    return (writer.writerow(row) for row in rows)


def csv_reply(rows: Iterable[Sequence[str]], name: str) -> StreamingHttpResponse:
    """The rows as a file of this name to download."""
    reply = StreamingHttpResponse(csv_lines(rows), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply

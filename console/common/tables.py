"""Tables as CSV downloads that are streamed a line at a time."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield each row as a line of CSV. Cells must be `safe` already."""
    writer = csv.writer(_Echo())
    return (writer.writerow(row) for row in rows)


def csv_reply(rows: Iterable[Sequence[str]], name: str) -> StreamingHttpResponse:
    """Return the rows as a download of this name."""
    reply = StreamingHttpResponse(csv_lines(rows), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply

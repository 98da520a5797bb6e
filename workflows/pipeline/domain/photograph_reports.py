"""The rule by which an image rests because workers say that its photograph is unusable [ours]."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

WORKERS = 2
"""How many different workers must say so. One is enough if the server finds the file broken, too."""


@dataclass(frozen=True, slots=True)
class Report:
    """A worker says that the photograph is unusable. `broken`: the server found so at that moment."""

    id: int
    worker: int
    broken: bool


def rests(reports: Iterable[Report], dismissed: Collection[int]) -> bool:
    """Return whether nothing more is asked of an image with these reports.

    Reports whose ids are `dismissed` do not count: a researcher decided since that the photograph is usable.
    """
    counting = [report for report in reports if report.id not in dismissed]
    return any(report.broken for report in counting) or len({report.worker for report in counting}) >= WORKERS

"""The rules by which an image rests, or a question waits, because workers abstained [ours].

An image rests if workers say that its photograph is unusable. A question waits for a researcher if workers
cannot tell the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

WORKERS = 2
"""How many different workers must say so. One is enough if the server finds the file broken, too.

If it were three, nobody would be left to say it in a team of three, of whom one drew the box.
"""


@dataclass(frozen=True, slots=True)
class Report:
    """A worker says that the photograph is unusable. `broken`: the server found so at that moment.

    If `unsure` names an item, the worker says instead that they cannot tell the answer to it.
    """

    id: int
    worker: int
    broken: bool
    unsure: int | None = None


def rests(reports: Iterable[Report], dismissed: Collection[int]) -> bool:
    """Return whether nothing more is asked of an image with these reports on its photograph.

    Reports whose ids are `dismissed` do not count: a researcher decided since that the image goes on.
    """
    counting = [one for one in reports if one.unsure is None and one.id not in dismissed]
    return any(report.broken for report in counting) or len({report.worker for report in counting}) >= WORKERS


def untold_items(reports: Iterable[Report], dismissed: Collection[int]) -> frozenset[int]:
    """Return the items (ids) whose answer several workers could not tell. See `rests` for `dismissed`."""
    workers: dict[int, set[int]] = defaultdict(set)
    for one in reports:
        if one.unsure is not None and one.id not in dismissed:
            workers[one.unsure].add(one.worker)
    return frozenset(item for item, found in workers.items() if len(found) >= WORKERS)

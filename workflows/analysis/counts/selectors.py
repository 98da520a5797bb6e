"""Read the figures that `workflows.analysis.counts.refresh` keeps. Pages show these and count nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from annotation.models import Batch, Project
from workflows.analysis.domain.kept_counts import (
    KINDS,
    OF_BATCHES,
    Corpus,
    Counted,
    Hours,
    Items,
    Judgments,
    Links,
    Money,
    Queue,
    Results,
    Suggestions,
)
from workflows.analysis.models import KeptCounts


@dataclass(frozen=True, slots=True)
class Kept:
    """The kept figures of a project or a batch.

    A kind that was not counted yet is None. A batch has no `corpus` and no `queue`.
    """

    corpus: Corpus | None = None
    items: Items | None = None
    judgments: Judgments | None = None
    hours: Hours | None = None
    results: Results | None = None
    links: Links | None = None
    money: Money | None = None
    queue: Queue | None = None
    suggestions: Suggestions | None = None  # of a batch that shows some
    times: Mapping[str, datetime] = field(default_factory=dict)  # kind -> the time that its figures are of
    counting: datetime | None = None  # when the oldest running count began; None if none is running
    state: str = ""  # of the batch when its items were counted; "" if not known

    @property
    def counted_at(self) -> datetime | None:
        """The time that the oldest of the figures are of, or None if there are none."""
        return min(self.times.values(), default=None)

    @property
    def counted_until(self) -> datetime | None:
        """The time that the newest of the figures are of, or None if all are of the same second."""
        oldest, newest = self.counted_at, max(self.times.values(), default=None)
        at_once = oldest is None or newest is None or newest - oldest < timedelta(seconds=1)
        return None if at_once else newest

    @property
    def images(self) -> int:
        """The number of images that batches want and, for a project, of free images.

        Images of verification questions are left out, since nobody annotates them. 0 also if nothing was
        counted yet.
        """
        wanted = self.items.wanted if self.items else 0
        return wanted + (self.corpus.free_images if self.corpus else 0)


def kept(*, project: Project | int | None = None, batch: Batch | int | None = None) -> Kept:
    """Return the kept figures of a project or a batch, given as an instance or an id. One query."""
    if batch is not None:
        return _kept(_rows(KeptCounts.objects.filter(batch=batch)))
    return _kept(_rows(KeptCounts.objects.filter(project=project, batch=None)))


def kept_of_projects(projects: Collection[int]) -> dict[int, Kept]:
    """Return the kept figures of each of these projects, by id, also if they are empty. One query."""
    found = _grouped(KeptCounts.objects.filter(project__in=projects, batch=None), "project_id")
    return {pk: _kept(found.get(pk, ())) for pk in projects}


def kept_of_batches(batches: Collection[int], *, kinds: Collection[str] = OF_BATCHES) -> dict[int, Kept]:
    """Return the kept figures (all or some `kinds`) of each of these batches, by id. One query.

    Batches without figures are included.
    """
    found = _grouped(KeptCounts.objects.filter(batch__in=batches, kind__in=kinds), "batch_id")
    return {pk: _kept(found.get(pk, ())) for pk in batches}


_Row = tuple[str, dict[str, Any], datetime]


def _rows(figures: Any) -> list[_Row]:
    return list(figures.values_list("kind", "data", "counted_at"))


def _grouped(figures: Any, column: str) -> dict[int, list[_Row]]:
    found: dict[int, list[_Row]] = defaultdict(list)
    for owner, *row in figures.values_list(column, "kind", "data", "counted_at"):
        found[owner].append((row[0], row[1], row[2]))
    return found


def _kept(rows: Iterable[_Row]) -> Kept:
    """Return the figures of these rows. Kinds of another version are skipped.

    A row without figures is being counted for the first time.
    """
    kinds: dict[str, Counted] = {}
    times: dict[str, datetime] = {}
    begun: list[datetime] = []
    state = ""
    for kind, data, at in rows:
        if kind in KINDS and "figures" in data:
            kinds[kind], times[kind] = KINDS[kind].from_json(data["figures"]), at
        if kind == "items":
            state = data.get("mark", {}).get("state", "")
        if kind in KINDS and "claim" in data:
            begun.append(datetime.fromisoformat(data["claim"]["at"]))
    # mypy cannot see that a name and its class belong together.
    return Kept(**kinds, times=times, counting=min(begun, default=None), state=state)  # type: ignore[arg-type]

"""Find out without counting which batches and projects changed lately, so that their figures may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max

from annotation.models import (
    Assignment,
    Batch,
    Caption,
    Decision,
    GoldChain,
    Image,
    ImageWork,
    Judgment,
    Mention,
)
from workflows.pipeline.models import Transition

NEWEST = 50_000
"""The most rows that are looked through. If more were written, everything counts as changed."""
AT_ONCE = 500
SLACK = timedelta(seconds=60)
"""The longest time between the time written in a row and the moment when others can see the row."""


@dataclass
class Activity:
    """When something last happened in each batch, within the time looked at, and how many pages are held."""

    everywhere: bool = False  # more happened than was looked through
    batches: dict[int, datetime] = field(default_factory=dict)
    projects: dict[int, datetime] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)  # batch -> live pages

    def since(self, batches: Iterable[int], project: int | None, time: datetime) -> bool:
        """Return whether anything happened in these batches, or was decided in the project, after `time`."""
        at = self.newest(batches, project)
        return self.everywhere or (at is not None and at > time)

    def newest(self, batches: Iterable[int], project: int | None) -> datetime | None:
        """Return when something last happened in these batches or was decided in the project."""
        times = [self.batches.get(pk) for pk in batches]
        times.append(self.projects.get(project) if project is not None else None)
        return max((at for at in times if at is not None), default=None)

    def _note(self, times: dict[int, datetime], key: int | None, at: datetime) -> None:
        if key is not None:
            times[key] = max(at, times.get(key, at))


def find_activity(since: datetime) -> Activity:
    """Return the events after `since`. Rows are read from the newest backwards."""
    found = Activity()
    for model, batch in ((Judgment, "assignment__batch_id"), (Transition, "work__batch_id")):
        for at, pk in _newest(found, model, since, batch):
            found._note(found.batches, pk, at)
    for at, project, *batches in _newest(found, Decision, since, "project_id", "work__batch_id", "batch_id"):
        named = [pk for pk in batches if pk is not None]
        for pk in named:
            found._note(found.batches, pk, at)
        if not named:
            found._note(found.projects, project, at)
    live = Assignment.objects.filter(state=Assignment.State.LIVE).order_by()
    found.held = dict(live.values_list("batch_id").annotate(Count("pk")))
    return found


def _newest(found: Activity, model: type[Any], since: datetime, *columns: str) -> Iterable[tuple[Any, ...]]:
    number = 0
    for _, at, *row in newest_rows(model, NEWEST, "created_at", *columns):
        if at < since:
            return
        number += 1
        yield at, *row
    found.everywhere |= number == NEWEST


def newest_rows(model: type[Any], most: int, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield id and columns of the newest rows, at most `most`, and read only a little more than are taken.

    `iterator` would read them all: outside of a transaction, PostgreSQL fills its cursor first.
    """
    rows = model.objects.order_by("-pk").values_list("pk", *columns)
    while most > 0:
        some = list(rows[: min(AT_ONCE, most)])
        yield from some
        if len(some) < AT_ONCE:
            return
        most -= len(some)
        rows = rows.filter(pk__lt=some[-1][0])


def corpus_mark(project_id: int) -> list[Any]:
    """Return a value that changes whenever the corpus or its free images do."""
    newest = [model.objects.aggregate(pk=Max("pk"))["pk"] for model in (Image, Caption, Mention, GoldChain)]
    pictures = Image.objects.filter(project=project_id, file="").count()
    works = ImageWork.objects.aggregate(pk=Max("pk"))["pk"]
    batches = Batch.objects.filter(project=project_id).order_by("pk")
    decided = Decision.objects.filter(project=project_id).order_by("-pk").values_list("pk", flat=True).first()
    return [*newest, works, pictures, decided, list(map(list, batches.values_list("pk", "state")))]

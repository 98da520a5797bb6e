"""What the overview and the dashboards read, with a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotation.models import Batch, Project, Standing
from console.common.case_list import filter_of
from console.common.charts import Chart, bars
from console.common.elements import in_order
from console.common.keyset import keyset_page
from console.common.labels import STAGES
from console.common.progress import Progress, is_behind, progress_of
from console.common.reach import Reach
from console.dashboards.costs import Spending, spending_of_batches, spending_of_projects
from console.dashboards.throughput import HOUR, hours_of
from workflows.analysis.counts.selectors import Kept, kept_of_batches, kept_of_projects

PROJECTS = 20
BATCHES = 10


@dataclass(frozen=True, slots=True)
class Row:
    """A project or a batch in a list, with what was counted last."""

    about: Project | Batch
    kept: Kept
    spending: Spending
    running: Sequence[Batch] = ()

    @property
    def progress(self) -> Progress:
        """Return how far its images are.

        Images in no batch are left out, so that the total changes only if somebody makes or ends a batch.
        """
        return progress_of(self.kept.items)

    @property
    def behind(self) -> bool:
        """Return whether this is a batch that has ended since its images were counted."""
        return isinstance(self.about, Batch) and is_behind(self.about, self.kept)

    @property
    def free(self) -> int:
        """Return the number of images in no batch."""
        return self.kept.corpus.free_images if self.kept.corpus else 0

    @property
    def queue(self) -> int | None:
        """Return the number of open review cases, or None if not counted yet."""
        return self.kept.queue.total if self.kept.queue else None

    @property
    def last(self) -> datetime | None:
        """Return the begin of the hour of the newest judgment in the last two weeks, or None."""
        return max((hour for hour, _ in hours_of(self.kept)), default=None)

    @property
    def last_end(self) -> datetime | None:
        """Return the end of that hour, or None."""
        return self.last + HOUR if self.last else None


def overview(before: int, reach: Reach) -> tuple[list[Row], int]:
    """Return a page of projects, the newest first, and where the next page begins (0: nowhere).

    Archived projects are left out.
    """
    page = keyset_page(
        Project.objects.filter(reach.rows("pk"), archived_at__isnull=True), PROJECTS, before=before
    )
    shown = page.rows
    kept = kept_of_projects([project.pk for project in shown])
    running: dict[int, list[Batch]] = defaultdict(list)
    for batch in Batch.objects.filter(project__in=shown, state=Batch.State.RUNNING).order_by("-pk")[:200]:
        running[batch.project_id].append(batch)
    spent = spending_of_projects(kept)
    rows = [Row(one, kept[one.pk], spent[one.pk], running[one.pk]) for one in shown]
    return rows, page.next


def open_cases(project: Project, batch: Batch | None = None) -> dict[str, int]:
    """Count the open cases by reason now, as the review queue shows them with the same filter. One query."""
    shown = filter_of(project, batch).cases()
    return dict(shown.order_by().values_list("reason").annotate(Count("pk")))


def newest_batches(project: Project) -> list[Row]:
    """Return the project's newest batches for its dashboard."""
    batches = list(project.batches.order_by("-pk")[:BATCHES])
    kept = kept_of_batches([batch.pk for batch in batches])
    spent = spending_of_batches(kept)
    return [Row(batch, kept[batch.pk], spent[batch.pk]) for batch in batches]


def standings(*, project: Project, batch: Batch | None = None, kept: Kept) -> Chart:
    """Return a chart of workers by stage and standing. With a batch, those it scores itself are included."""
    where = Q(batch__isnull=True) if batch is None else Q(batch=batch) | Q(batch__isnull=True)
    rows = (
        Standing.objects.filter(where, worker__project=project)
        .values_list("stage", "state")
        .annotate(workers=Count("pk"))
        .order_by()
    )
    count = {(stage, state): workers for stage, state, workers in rows}
    stages = in_order(kept.items.stages if kept.items else ())
    series = {
        str(state): [count.get((stage, state), 0) for stage in stages]
        for state in (Standing.State.TRUSTED, Standing.State.ENTERING, Standing.State.LOST)
    }
    names = [STAGES[stage] for stage in stages]
    return bars("Workers by standing", names, series, stacked=True, horizontal=True, unit="workers")

"""What the pages about batches read."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.domain.protocols import Campaign
from annotation.models import Assignment, Batch, ImageWork, Project
from console.common.keyset import keyset_page
from console.common.progress import Progress, is_behind, progress_of
from console.common.reach import EVERYWHERE, Reach
from workflows.analysis.counts.selectors import Kept, kept_of_batches
from workflows.analysis.relevance_judgments import is_published
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import MOVES
from workflows.core.models import AuditEntry

ROWS = 30
MAX_ACTS = 200
"""Audit entries that are searched for changed settings, the newest first."""


@dataclass(frozen=True, slots=True)
class Row:
    """A batch in the list, with what was counted last."""

    batch: Batch
    kept: Kept

    @property
    def direct(self) -> bool:
        """Return whether its workers come by the server's own links."""
        return settings_of(self.batch).crowd.provider == DIRECT

    @property
    def over(self) -> bool:
        """Return whether nothing more is to come, so that nothing can be forecast."""
        return self.batch.state in Batch.OVER

    @property
    def download(self) -> str:
        """Return what the link to what is published of it is called, or ""."""
        if settings_of(self.batch).campaign is Campaign.RELEVANCE:
            return "Download judgments"
        return "Download instructions and test" if is_published(self.batch) else ""

    @property
    def progress(self) -> Progress | None:
        """Return how far its images are; None before they are counted, and when it has ended since."""
        return (
            None
            if self.kept.items is None or is_behind(self.batch, self.kept)
            else progress_of(self.kept.items)
        )


def actions(batch: Batch) -> list[str]:
    """Return what a researcher may do with the batch now, the most likely action first."""
    may = [action for action, (sources, _) in MOVES.items() if batch.state in sources]
    return [*may, "delete"] if batch.state == Batch.State.DRAFT else may


def offered(batch: Batch) -> list[str]:
    """Return the actions with a button. A draft is deleted, not cancelled."""
    return [one for one in actions(batch) if not (one == "cancel" and batch.state == Batch.State.DRAFT)]


def batch_list(project: Project | None, before: int, reach: Reach = EVERYWHERE) -> tuple[list[Row], int]:
    """Return a page of batches, the newest first, and where the next page begins (0: nowhere).

    Without a project they are those of all projects in `reach` that are not archived, with their projects.
    """
    of_all = Batch.objects.filter(reach.rows(), project__archived_at=None).select_related("project")
    page = keyset_page(of_all if project is None else project.batches.all(), ROWS, before=before)
    counted = kept_of_batches([batch.pk for batch in page.rows])
    return [Row(batch, counted[batch.pk]) for batch in page.rows], page.next


@dataclass(frozen=True, slots=True)
class Touched:
    """What an action on a batch would affect now."""

    images: int
    unfinished: int  # images that are not done
    pages: int  # in workers' hands
    paid: int  # of these, pages that promise a reward


def touched(batch: Batch) -> Touched:
    """Count what an action would affect. Two queries; a batch has no more live pages than workers."""
    held = batch.works.filter(active=True)  # without withdrawn images
    works = held.aggregate(all=Count("pk"), done=Count("pk", filter=Q(state=ImageWork.State.DONE)))
    live = Assignment.objects.filter(batch=batch, state=Assignment.State.LIVE)
    pages = live.aggregate(all=Count("pk"), paid=Count("pk", filter=Q(reward__gt=0)))
    return Touched(works["all"], works["all"] - works["done"], pages["all"], pages["paid"])


def stamp(batch: Batch) -> str:
    """Return a stamp of the batch. A confirmation is void if the batch has another stamp by then."""
    last = AuditEntry.objects.filter(kind="batch", object_id=str(batch.pk)).order_by("-pk").first()
    return f"{batch.state}-{last.pk if last else 0}"


def settings_changed(batch: Batch, stamp: str) -> list[str]:
    """Return the names of settings that were changed since the stamp, in order; all if it is not a stamp."""
    last = stamp.rpartition("-")[2]
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else 0
    acts = AuditEntry.objects.filter(kind="batch", object_id=str(batch.pk), pk__gt=after)
    details = acts.order_by("-pk").values_list("action", "detail")[:MAX_ACTS]
    changed = (detail.get("changed", []) for action, detail in details if action == "batch.settings")
    return sorted({name for names in changed for name in names})

"""What the pages about batches read."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Assignment, Batch, ImageWork, Project
from console.common.keyset import keyset_page
from workflows.analysis.counts.selectors import Kept, kept_of_batches
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import MOVES
from workflows.core.models import AuditEntry

ROWS = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A batch in the list, with what was counted last."""

    batch: Batch
    kept: Kept

    @property
    def direct(self) -> bool:
        """Whether its workers come by links of ours."""
        return settings_of(self.batch).crowd.provider == DIRECT

    @property
    def total(self) -> int | None:
        """Images that are to be done; None before they were counted."""
        return self.kept.items.wanted if self.kept.items else None

    @property
    def done(self) -> int:
        """Images that are."""
        return self.kept.items.images_done if self.kept.items else 0


def actions(batch: Batch) -> list[str]:
    """What a researcher may do with the batch now, the likeliest first."""
    may = [action for action, (sources, _) in MOVES.items() if batch.state in sources]
    return [*may, "delete"] if batch.state == Batch.State.DRAFT else may


def offered(batch: Batch) -> list[str]:
    """The actions worth a button: who does not want a draft deletes it."""
    return [one for one in actions(batch) if not (one == "cancel" and batch.state == Batch.State.DRAFT)]


def batch_list(project: Project, before: int) -> tuple[list[Row], int]:
    """The newest batches made before `before` (0: all), and where the next page begins (0: nowhere)."""
    page = keyset_page(project.batches.all(), ROWS, before=before)
    counted = kept_of_batches([batch.pk for batch in page.rows])
    return [Row(batch, counted[batch.pk]) for batch in page.rows], page.next


@dataclass(frozen=True, slots=True)
class Touched:
    """What an act on a batch would touch, as of now."""

    images: int
    unfinished: int  # images that are not done
    pages: int  # in workers' hands


def touched(batch: Batch) -> Touched:
    """Two queries over one batch: its images, and live pages, of which there are no more than workers."""
    works = batch.works.aggregate(all=Count("pk"), done=Count("pk", filter=Q(state=ImageWork.State.DONE)))
    live = Assignment.objects.filter(batch=batch, state=Assignment.State.LIVE)
    return Touched(works["all"], works["all"] - works["done"], live.count())


def stamp(batch: Batch) -> str:
    """What a confirmation was shown of the batch: another act since, and the confirmation does not hold."""
    last = AuditEntry.objects.filter(kind="batch", object_id=str(batch.pk)).order_by("-pk").first()
    return f"{batch.state}-{last.pk if last else 0}"

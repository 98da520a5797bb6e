"""The tables whose rows are sealed as records, and what of them is not: see docs/tampering.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import models


@dataclass(frozen=True, slots=True)
class Table:
    """A sealed table: the path to a row's project, columns left out, and columns of other tables."""

    project: str = "project_id"
    without: Sequence[str] = ()
    more: Sequence[str] = ()

    def columns(self, model: type[models.Model]) -> tuple[str, ...]:
        """Return the columns that new seals have."""
        own = (part.attname for part in model._meta.concrete_fields)
        return (*(name for name in own if name not in self.without), *self.more)


_OF_PAGE = tuple(
    f"assignment__{name}"
    for name in (
        *("worker_id", "batch_id", "stage", "state", "key", "items", "checks", "images"),
        *("reward", "currency"),
        *("instructions_id", "created_at", "submitted_at", "unaided"),
    )
)
"""What a page was when it was submitted. Page ids have no order, so pages are sealed with their answers."""
_OF_ITEM = tuple(
    f"item__{name}"
    for name in (
        *("batch_id", "work_id", "stage", "mention_a_id", "mention_b_id", "chain_id", "captions"),
        *("shown", "decision_id", "box_id", "counted_id", "written_id"),
    )
)
_OF_WORK = ("work__batch_id", "work__image_id", "work__campaign")

TABLES: Mapping[str, Table] = {
    # First what others refer to.
    "annotation.Project": Table(
        "id", without=("name", "contact", "language", "archived_at", "deleted_at", "erased_at")
    ),
    "annotation.Image": Table(without=("renditions",)),
    "annotation.Caption": Table("image__project_id"),
    "annotation.Mention": Table("image__project_id"),
    "annotation.GoldChain": Table("image__project_id"),
    "annotation.TypesVersion": Table(),
    "annotation.InstructionsVersion": Table(),
    "annotation.Batch": Table(),
    "annotation.Worker": Table(without=("blocked", "generation", "completed", "approval")),
    "annotation.VerificationQuestion": Table(
        without=("exposures", "asked", "right", "good_asked", "good_right")
    ),
    "annotation.Exposure": Table("worker__project_id"),
    "annotation.QualificationTry": Table(
        "worker__project_id",
        without=(
            *("number", "place", "state", "training", "test", "answers", "asked", "right"),
            *("owed", "ended_at"),
        ),
    ),
    "annotation.Judgment": Table(
        "worker__project_id", without=("set_aside_id", "regraded"), more=(*_OF_PAGE, *_OF_ITEM)
    ),
    "annotation.Abstention": Table("worker__project_id", more=_OF_PAGE),
    "annotation.Decision": Table(),
    "annotation.Case": Table(without=("assigned_to", "detail", "closed_at", "decision_id")),
    "annotation.ModelVersion": Table(without=("generation",)),
    "annotation.JudgeRecord": Table("model__project_id"),
    "annotation.ModelAnswer": Table("model__project_id", without=("set_aside_id",)),
    "annotation.SuggestionSet": Table(without=("completed_at",)),
    "annotation.Suggestion": Table("set__project_id"),
    "annotation.PairScores": Table("set__project_id"),
    "annotation.SuggestionStop": Table("case__project_id", without=("resumed_id",)),
    "annotation.RowChange": Table(),
    "workflows.Transition": Table("work__batch__project_id", more=_OF_WORK),
    "workflows.PriorVersion": Table(),
    "workflows.WorkerNote": Table("worker__project_id"),
    "workflows.SpotCheck": Table(),
    "workflows.SpotCheckVerdict": Table("spot_check__project_id"),
}

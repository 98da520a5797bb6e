"""What models say before workers are asked, in sets that never change: boxes, and scores of pairs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.corpus import Image, Mention, Project
from annotation.models.model_answers import ModelVersion
from annotation.models.review import Case, Decision
from annotation.models.work import Batch, Worker


class SuggestionSet(models.Model):
    """What one model says of mentions of a project: boxes for them, or scores of their pairs.

    A batch pins a set of boxes by its number. A set of scores is pinned by the prior that was fitted with it.
    Its rows are written in groups. Until `completed_at` is set, none of them is used.
    """

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="suggestion_sets")
    number = models.PositiveIntegerField(help_text="from 1 in each project")
    model = models.ForeignKey(ModelVersion, models.PROTECT, related_name="suggestion_sets")
    settings = models.JSONField(
        help_text="how boxes were chosen, {'threshold': …, 'nms': …, …}; or pairs, {'test_split': …}"
    )
    report = models.JSONField(help_text="what the file had, and how good it is on known images")
    by = models.CharField(max_length=150, help_text="the user's name")
    created_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True, help_text="when its last suggestion was written")

    class Meta:
        constraints = (
            # of two people who import at once, only one makes the next set.
            models.UniqueConstraint(fields=("project", "number"), name="suggestion_set_number"),
        )

    def __str__(self) -> str:
        return f"suggestion set {self.number}"

    @property
    def of_pairs(self) -> bool:
        """Whether the set has scores of pairs, and no boxes."""
        return "pairs" in self.report


class Suggestion(models.Model):
    """The boxes that a set suggests for a mention, the best first. No boxes: the model found none."""

    set = models.ForeignKey(SuggestionSet, models.PROTECT, db_index=False, related_name="suggestions")
    mention = models.ForeignKey(Mention, models.PROTECT, related_name="+")
    boxes = models.JSONField(
        help_text="[[left, top, right, bottom, score], …]: whole pixels; a score is from the model, or null"
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=("set", "mention"), name="suggestion_once"),)

    def __str__(self) -> str:
        return f"suggestion of set {self.set_id} for mention {self.mention_id}"


class SuggestionStop(models.Model):
    """Suggestions were switched off: for a worker in all batches of the project, or in a batch for everybody.

    Pages that are claimed later show none, until a researcher decides otherwise.
    """

    class Reason(models.TextChoices):
        WORKER = "worker"  # the worker accepts too many bad suggestions
        CROWD = "crowd"  # the workers of the batch do, together
        JUDGE = "judge"  # by the judge's record, accepted suggestions are worse than drawn boxes
        CHECKS = "checks"  # by the checks of workers, they are

    reason = models.CharField(max_length=8, choices=Reason.choices)
    worker = models.ForeignKey(Worker, models.PROTECT, null=True, related_name="suggestion_stops")
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, related_name="suggestion_stops")
    figures = models.JSONField(help_text="what was measured, and the limit; the names depend on the reason")
    case = models.ForeignKey(Case, models.PROTECT, db_index=False, related_name="+")
    resumed = models.ForeignKey(
        Decision,
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="the decision by which suggestions are shown again",
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            # what is off is not switched off again: of two processes that look at once, one does it.
            models.UniqueConstraint(
                fields=("worker",),
                condition=Q(worker__isnull=False, resumed__isnull=True),
                name="suggestion_stop_worker_once",
            ),
            models.UniqueConstraint(
                fields=("batch",),
                condition=Q(batch__isnull=False, resumed__isnull=True),
                name="suggestion_stop_batch_once",
            ),
            models.CheckConstraint(
                condition=Q(reason="worker", worker__isnull=False, batch__isnull=True)
                | Q(~Q(reason="worker"), worker__isnull=True, batch__isnull=False),
                name="suggestion_stop_of_one",
            ),
        )

    def __str__(self) -> str:
        return f"stop {self.pk} of suggestions"


class PairScores(models.Model):
    """The scores that a set has for pairs of mentions of one image. Other pairs have none."""

    set = models.ForeignKey(SuggestionSet, models.PROTECT, db_index=False, related_name="pair_scores")
    image = models.ForeignKey(Image, models.PROTECT, related_name="+")
    scores = models.JSONField(
        help_text="[[mention id, larger mention id, score], …]: the higher, the likelier they are one thing"
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=("set", "image"), name="pair_scores_once"),)

    def __str__(self) -> str:
        return f"scores of set {self.set_id} for image {self.image_id}"

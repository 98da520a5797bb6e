"""Counts that are made in the background and kept, so that pages do not count."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch, Project, Worker
from workflows.analysis.domain.kept_counts import WorkerStage


class KeptCounts(models.Model):
    """One group of counts of a project or a batch, as of `counted_at`. See `analysis.counts.refresh`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="kept_counts")
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, db_index=False, related_name="kept_counts")
    kind = models.CharField(max_length=16)
    data = models.JSONField(default=dict)
    counted_at = models.DateTimeField()
    seconds = models.FloatField(help_text="what counting took: the longer, the rarer it is done again")

    class Meta:
        verbose_name_plural = "kept counts"
        constraints = (
            models.UniqueConstraint(
                fields=("project", "kind"), condition=Q(batch__isnull=True), name="kept_counts_project_kind"
            ),
            models.UniqueConstraint(
                fields=("batch", "kind"), condition=Q(batch__isnull=False), name="kept_counts_batch_kind"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.batch or self.project}"


class WorkerCounts(models.Model):
    """What a worker did so far, kept so that lists of workers can be sorted without counting."""

    worker = models.OneToOneField(Worker, on_delete=models.CASCADE, related_name="counts")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="+")
    judgments = models.PositiveIntegerField(default=0)
    questions = models.PositiveIntegerField(default=0, help_text="verification questions answered")
    right = models.PositiveIntegerField(default=0)
    agreement = models.FloatField(null=True, help_text="share of judgments that agree with the outcome")
    median_seconds = models.FloatField(null=True)
    earned = models.JSONField(default=dict, help_text="currency -> smallest units, of submitted pages")
    stages = models.JSONField(default=dict, help_text="stage -> judgments, agreement, median seconds")
    last_at = models.DateTimeField(null=True, help_text="the newest judgment")
    through = models.PositiveBigIntegerField(default=0, help_text="judgments up to this id are in")
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "worker counts"
        indexes = (
            models.Index(fields=("project", "-judgments", "-worker"), name="worker_counts_judgments"),
            models.Index(fields=("project", "agreement", "worker"), name="worker_counts_agreement"),
            models.Index(fields=("project", "median_seconds", "worker"), name="worker_counts_speed"),
            models.Index(fields=("project", "-last_at", "-worker"), name="worker_counts_last"),
            models.Index(fields=("-last_at", "-worker"), name="worker_counts_last_of_all"),
        )

    def __str__(self) -> str:
        return f"counts of worker {self.worker_id}"

    def by_stage(self) -> dict[str, WorkerStage]:
        """Return the counts of each stage in which the worker answered, in the order of the stages."""
        return {
            stage: WorkerStage.from_json(self.stages[stage]) for stage in ALL_STAGES if stage in self.stages
        }

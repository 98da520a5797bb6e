"""Models of jobs and of the snapshots that exports leave."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Batch, Project


class Job(models.Model):
    """What runs in the background: what was asked for, its progress, what went wrong.

    A Celery message only wakes the job. The run renews `beat_at`; once that is old, another run takes over.
    """

    class Kind(models.TextChoices):
        IMPORT = "import"
        EXPORT = "export"
        EVALUATION = "evaluate"
        PAIRS = "pairs"  # chooses which captions are judged for which images
        SUGGESTIONS = "suggest"  # makes a set of suggestions of a model's boxes

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="jobs")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    state = models.CharField(max_length=12, choices=State.choices, default=State.QUEUED)
    dry_run = models.BooleanField(default=False, help_text="says what would happen and writes nothing")
    options = models.JSONField(default=dict, help_text="what was asked for")
    by = models.CharField(max_length=150)
    cancel_asked = models.BooleanField(default=False)
    phase = models.CharField(max_length=80, blank=True, help_text="what it is at, in words")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, help_text="null while nobody knows")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="times somebody began to run it")
    problems = models.JSONField(default=list, help_text="[{'where', 'message'}], the first few hundred")
    problem_count = models.PositiveIntegerField(default=0)
    outcome = models.JSONField(default=dict, help_text="counts, for people and for tests")
    error = models.TextField(blank=True, help_text="why it failed, and what to do")
    runner = models.CharField(max_length=64, blank=True, help_text="who runs it: a token of that run")
    beat_at = models.DateTimeField(null=True, help_text="when the runner last said that it is there")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("project", "-id"), name="job_project"),
            models.Index(fields=("id",), condition=Q(state__in=("queued", "running")), name="job_unfinished"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Snapshot(models.Model):
    """One exported version of a project's data set. Its files never change."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="snapshots")
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, db_index=False, related_name="snapshots")
    version = models.PositiveIntegerField(help_text="from 1, within the project")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="snapshot")
    format = models.CharField(max_length=24)
    file = models.FileField(max_length=300, help_text="a ZIP archive in the storage")
    size = models.PositiveBigIntegerField(help_text="bytes of the archive")
    sha256 = models.CharField(max_length=64, help_text="of the archive")
    manifest = models.JSONField(help_text="the manifest of the archive")
    digests = models.JSONField(default=dict, help_text="what the next version is compared with")
    changes = models.JSONField(default=dict, help_text="what changed since the version before")
    by = models.CharField(max_length=150)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("project", "version"), name="snapshot_version"),)

    def __str__(self) -> str:
        return f"version {self.version}"

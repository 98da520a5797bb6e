"""The work: batches, the items they ask, who holds them, and what was answered."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q

from annotation.models.corpus import Image, Mention, Project


class Worker(models.Model):
    """A person who answers items, as one crowd provider knows them."""

    provider = models.CharField(max_length=32, default="direct")
    external_id = models.CharField(max_length=128, help_text="the provider's name for the worker")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="workers")
    blocked = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("project", "provider", "external_id"), name="worker_identity"),
        )

    def __str__(self) -> str:
        return f"{self.provider}:{self.external_id}"


class Batch(models.Model):
    """A set of images of a project with the settings they are annotated under."""

    class State(models.TextChoices):
        DRAFT = "draft"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"
        CANCELLED = "cancelled"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="batches")
    name = models.SlugField(max_length=64)
    state = models.CharField(max_length=16, choices=State.choices, default=State.DRAFT)
    settings = models.JSONField(default=dict, help_text="see workflows.domain.policy.BatchSettings")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "batches"
        constraints = (models.UniqueConstraint(fields=("project", "name"), name="batch_project_name"),)

    def __str__(self) -> str:
        return self.name


class ImageWork(models.Model):
    """One image's way through one batch: the subject that `advance` locks."""

    class State(models.TextChoices):
        QUEUED = "queued"  # launched, its first items not yet opened
        LINKING = "linking"
        BOXING = "boxing"  # chains exist; each goes its own way
        DONE = "done"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="works")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="works")
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    active = models.BooleanField(default=True, help_text="false once its batch is cancelled")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("batch", "image"), name="work_batch_image"),
            # An image is annotated by one batch at a time: an export would not know whose chains to take.
            models.UniqueConstraint(fields=("image",), condition=Q(active=True), name="work_image_active"),
        )
        indexes = (
            # "open the next queued images" and "is anything of this batch unfinished?"
            models.Index(fields=("batch", "state", "id"), condition=~Q(state="done"), name="work_unfinished"),
        )

    def __str__(self) -> str:
        return f"work {self.pk}"


class Item(models.Model):
    """One question of one stage about one subject.

    `needed` counts the judgments the rules want so far, `judged` those that are in, `leased` the pages
    that hold it now. The check constraint below is the promise that an item never has more of both
    together than it needs.
    """

    class State(models.TextChoices):
        OPEN = "open"
        DONE = "done"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="items")
    work = models.ForeignKey(ImageWork, on_delete=models.PROTECT, related_name="items")
    stage = models.CharField(max_length=16)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    needed = models.PositiveSmallIntegerField(default=1)
    judged = models.PositiveSmallIntegerField(default=0)
    leased = models.PositiveSmallIntegerField(default=0)
    unread = models.BooleanField(default=False, help_text="has a judgment that advance has not read yet")
    queued_at = models.DateTimeField(help_text="when it last began to wait for a judgment")

    # The subject: two mentions (link), or a chain on its n-th visit to a stage.
    mention_a = models.ForeignKey(Mention, models.PROTECT, null=True, db_index=False, related_name="+")
    mention_b = models.ForeignKey(Mention, models.PROTECT, null=True, db_index=False, related_name="+")
    settling = models.BooleanField(default=False, help_text="a link in a violated triangle: best of three")
    chain = models.ForeignKey("Chain", models.PROTECT, null=True, db_index=False, related_name="items")
    visit = models.PositiveSmallIntegerField(default=0)
    box = models.ForeignKey("Box", models.PROTECT, null=True, db_index=False, related_name="+")
    counted = models.ForeignKey(
        "Judgment",
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="a drawing judgment that counts here as 'no box needed'",
    )
    author = models.ForeignKey(
        Worker,
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="drew the box, or gave the counted judgment: is never asked this item",
    )

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(needed__gte=F("judged") + F("leased")), name="item_not_over_needed"
            ),
            # Asking twice is asking once: what makes `advance` safe to run again.
            models.UniqueConstraint(
                fields=("work", "mention_a", "mention_b"), condition=Q(stage="link"), name="item_link_once"
            ),
            models.UniqueConstraint(
                fields=("chain", "visit"), condition=Q(chain__isnull=False), name="item_visit_once"
            ),
        )
        indexes = (
            # dispatch: the head of a stage's queue. Items that are fully leased are not in it.
            models.Index(
                fields=("batch", "stage", "queued_at", "id"),
                condition=Q(state="open", needed__gt=F("judged") + F("leased")),
                name="item_queue",
            ),
            # advance and the sweep: what has answers nobody has read yet.
            models.Index(fields=("id",), condition=Q(unread=True), name="item_unread"),
        )

    def __str__(self) -> str:
        return f"{self.stage} item {self.pk}"


class Assignment(models.Model):
    """A page of items leased to one worker until `expires_at`."""

    class State(models.TextChoices):
        LIVE = "live"
        SUBMITTED = "submitted"
        RETURNED = "returned"
        EXPIRED = "expired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="assignments")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="assignments")
    stage = models.CharField(max_length=16)
    key = models.CharField(max_length=128, blank=True, help_text="the provider's id for it, if there is one")
    state = models.CharField(max_length=16, choices=State.choices, default=State.LIVE)
    items = models.JSONField(help_text="item ids, in the order they are shown")
    # As promised when it was claimed, whatever becomes of the batch's settings.
    reward = models.PositiveIntegerField(default=0, help_text="of the page, in the currency's smallest unit")
    currency = models.CharField(max_length=3, blank=True, help_text="ISO 4217")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    late = models.JSONField(null=True, help_text="answers, with comments, that came too late to be needed")
    receipt = models.JSONField(
        null=True, help_text="what the submission was answered with; a replay gets it again"
    )

    class Meta:
        constraints = (
            # A second claim returns the page already held; two tabs or a retry never hold two.
            models.UniqueConstraint(
                fields=("worker", "stage", "key"), condition=Q(state="live"), name="assignment_one_live"
            ),
            # A platform's assignment id may come back after a return, but never twice to one worker.
            models.UniqueConstraint(
                fields=("worker", "key"), condition=~Q(key=""), name="assignment_worker_key"
            ),
        )
        indexes = (
            # the sweep: leases that have run out.
            models.Index(fields=("expires_at",), condition=Q(state="live"), name="assignment_live_expiry"),
        )

    def __str__(self) -> str:
        return str(self.pk)


class Judgment(models.Model):
    """One worker's answer to one item. Written once, never changed, never deleted."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, db_index=False, related_name="judgments")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="judgments")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgments")
    answer = models.JSONField()
    seconds = models.FloatField(null=True, help_text="time on the item as the page measured it")
    comment = models.TextField(blank=True)
    chunk_flag = models.BooleanField(default=False, help_text="the worker says this chunk is wrong")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("item", "worker"), name="judgment_item_worker"),)
        indexes = (
            # the review queue: what workers had to say.
            models.Index(
                fields=("id",), condition=Q(chunk_flag=True) | ~Q(comment=""), name="judgment_remarks"
            ),
        )

    def __str__(self) -> str:
        return f"judgment {self.pk}"

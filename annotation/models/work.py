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
    # What the platform says of the worker, where it says anything.
    completed = models.PositiveIntegerField(null=True, help_text="tasks finished on the platform")
    approval = models.FloatField(null=True, help_text="share of these that were approved, 0 to 1")
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
    replayed = models.BooleanField(
        default=False,
        help_text="judgments were set aside or a researcher decided: it is replayed as a whole from now on",
    )

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
        WITHDRAWN = "withdrawn"  # does not follow any more; its judgments are kept, and may follow again

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="items")
    work = models.ForeignKey(ImageWork, on_delete=models.PROTECT, related_name="items")
    stage = models.CharField(max_length=16)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
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
    shown = models.JSONField(default=list, help_text="ids of the boxes that were accepted when it was opened")
    decision = models.ForeignKey(
        "Decision",
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="the researcher's last decision on the chain when it was opened",
    )
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
                fields=("chain", "visit"),
                condition=Q(chain__isnull=False) & ~Q(state="withdrawn"),
                name="item_visit_once",
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
            # what box quality said of a worker's boxes, before their judgments are set aside
            # (workflows.supporting).
            models.Index(fields=("box",), condition=Q(box__isnull=False), name="item_box"),
            # the search for images: links asked again, as answers contradicted each other.
            models.Index(fields=("work",), condition=Q(settling=True), name="item_settling"),
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

    class Verdict(models.TextChoices):
        PENDING = "pending"  # too few verification questions so far to say
        ACCEPTED = "accepted"
        FAILING = "failing"  # below the minimum; its judgments are about to be set aside
        REJECTED = "rejected"  # its judgments are set aside; it is paid all the same

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="assignments")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="assignments")
    stage = models.CharField(max_length=16)
    key = models.CharField(max_length=128, blank=True, help_text="the provider's id for it, if there is one")
    state = models.CharField(max_length=16, choices=State.choices, default=State.LIVE)
    items = models.JSONField(help_text="ids of its ordinary items, in the order they are shown")
    checks = models.JSONField(
        default=list, help_text="[[place on the page from 0, verification question's id], …], by place"
    )
    images = models.JSONField(default=list, help_text="image ids, one a place on the page")
    # Verification questions answered on it, and what became of the page under the regime `verification`.
    asked = models.PositiveSmallIntegerField(default=0)
    right = models.PositiveSmallIntegerField(default=0)
    verdict = models.CharField(max_length=8, choices=Verdict.choices, blank=True)
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
    # Somebody may come from a platform under a name that is not theirs: what they answer counts once the
    # platform says who it was.
    confirmed = models.BooleanField(default=True, help_text="the worker is known to be who they say")
    held = models.JSONField(null=True, help_text="the replies of a page that waits to be confirmed")
    owed = models.BooleanField(
        null=True,
        default=False,
        help_text="submitted by somebody we pay, and not in the ledger yet; null: before there was one",
    )
    bound = models.BooleanField(default=False, help_text="money for it is reserved in the ledger, or was")

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
            # dispatch: which images the worker saw lately in a stage; and the pages a score waits for.
            models.Index(fields=("worker", "stage", "created_at"), name="assignment_history"),
            # the sweep: pages whose judgments are still to be set aside.
            models.Index(fields=("id",), condition=Q(verdict="failing"), name="assignment_failing"),
            # the sweep and the end of a batch: sets of pages that are not judged yet.
            models.Index(
                fields=("batch", "worker", "stage"), condition=Q(verdict="pending"), name="assignment_pending"
            ),
            # pay: pages whose reward is not in the ledger yet.
            models.Index(fields=("batch", "id"), condition=Q(owed=True), name="assignment_owed"),
            # and those that are over, whose reservation may be let go.
            models.Index(fields=("batch", "id"), condition=Q(bound=True), name="assignment_bound"),
        )

    def __str__(self) -> str:
        return str(self.pk)


class Judgment(models.Model):
    """One worker's answer to one item or verification question: written once, never deleted.

    Nothing of it changes but `set_aside`, and that only by a decision that says why.
    """

    item = models.ForeignKey(
        Item, on_delete=models.PROTECT, null=True, db_index=False, related_name="judgments"
    )
    question = models.ForeignKey(
        "VerificationQuestion", models.PROTECT, null=True, db_index=False, related_name="judgments"
    )
    correct = models.BooleanField(null=True, help_text="of a verification question: as it was scored")
    set_aside = models.ForeignKey(
        "Decision",
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="set_aside",
        help_text="the decision by which it does not count",
    )
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="judgments")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgments")
    answer = models.JSONField()
    seconds = models.FloatField(null=True, help_text="time on the item as the page measured it")
    comment = models.TextField(blank=True)
    chunk_flag = models.BooleanField(default=False, help_text="the worker says this chunk is wrong")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("item", "worker"), name="judgment_item_worker"),
            models.UniqueConstraint(
                fields=("question", "worker"),
                condition=Q(question__isnull=False),
                name="judgment_question_worker",
            ),
            models.CheckConstraint(
                condition=Q(item__isnull=False, question__isnull=True, correct__isnull=True)
                | Q(item__isnull=True, question__isnull=False, correct__isnull=False, set_aside__isnull=True),
                name="judgment_of_one",
            ),
        )
        indexes = (
            # a worker's score: their answers to verification questions, in the order they were given.
            models.Index(
                fields=("worker", "id"), condition=Q(question__isnull=False), name="judgment_checks"
            ),
            # what a decision set aside.
            models.Index(
                fields=("set_aside",), condition=Q(set_aside__isnull=False), name="judgment_set_aside"
            ),
            # the review queue: what workers had to say.
            models.Index(
                fields=("id",), condition=Q(chunk_flag=True) | ~Q(comment=""), name="judgment_remarks"
            ),
        )

    def __str__(self) -> str:
        return f"judgment {self.pk}"

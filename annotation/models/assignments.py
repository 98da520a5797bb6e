"""Pages of items: who holds or held each page, and what they answered."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from annotation.models.instructions import InstructionsVersion
from annotation.models.work import Batch, ImageWork, Item, Worker


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
    # The verification questions answered on it, and the page's verdict under the regime `verification`.
    asked = models.PositiveSmallIntegerField(default=0)
    right = models.PositiveSmallIntegerField(default=0)
    verdict = models.CharField(max_length=8, choices=Verdict.choices, blank=True)
    # As promised when the page was claimed, even if the batch's settings change later.
    reward = models.PositiveIntegerField(default=0, help_text="of the page, in the currency's smallest unit")
    currency = models.CharField(max_length=3, blank=True, help_text="ISO 4217")
    # As they were when the page was claimed, even if the researcher changes them later.
    instructions = models.ForeignKey(
        InstructionsVersion,
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="the version that the worker sees; empty: the built-in instructions",
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    late = models.JSONField(null=True, help_text="answers, with comments, that came too late to be needed")
    receipt = models.JSONField(
        null=True, help_text="what the submission was answered with; a replay gets it again"
    )
    # Somebody may come from a platform under another worker's name. So what they answer counts only once the
    # platform has confirmed who it was.
    confirmed = models.BooleanField(default=True, help_text="the worker is known to be who they say")
    held = models.JSONField(null=True, help_text="the replies of a page that waits to be confirmed")
    owed = models.BooleanField(
        default=False, help_text="submitted by somebody we pay, and not in the ledger yet"
    )
    bound = models.BooleanField(default=False, help_text="money for it is reserved in the ledger, or was")
    # As it was when the page was claimed: what was shown must not change while somebody looks at it.
    unaided = models.BooleanField(
        default=False,
        db_default=False,
        help_text="shown without boxes of a model: switched off, or a second page of an entrance",
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
            # a claim: which images the worker saw lately.
            models.Index(fields=("worker", "created_at"), name="assignment_of_worker"),
            # the pages of a stage that a score waits for.
            models.Index(fields=("worker", "stage", "created_at"), name="assignment_history"),
            # the wage floor: the newest pages of a stage, and how long they took.
            models.Index(
                fields=("batch", "stage", "submitted_at"),
                condition=Q(state="submitted"),
                name="assignment_submitted",
            ),
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

    Only `set_aside` and `regraded` ever change, and only by a decision that says why.
    """

    item = models.ForeignKey(
        Item, on_delete=models.PROTECT, null=True, db_index=False, related_name="judgments"
    )
    question = models.ForeignKey(
        "VerificationQuestion", models.PROTECT, null=True, db_index=False, related_name="judgments"
    )
    correct = models.BooleanField(null=True, help_text="of a verification question: as it was scored")
    regraded = models.BooleanField(
        null=True, help_text="whether it is right since the question's answer was corrected; null: as scored"
    )
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
    # What the time depends on.
    drawn_by = models.CharField(
        max_length=8, blank=True, default="", db_default="", help_text="how its boxes were drawn, if known"
    )
    further = models.BooleanField(
        default=False,
        db_default=False,
        help_text="what came before it on the page was about the same image, so its photograph was there",
    )
    # What a model suggested. Where its boxes came from: annotation.domain.suggested.
    suggested = models.PositiveSmallIntegerField(
        null=True, help_text="how many boxes of a model were shown; null: none could be"
    )
    copied = models.BigIntegerField(
        default=0, db_default=0, help_text="bit n is set if its box n, from 0, is an unmoved suggestion"
    )
    comment = models.TextField(blank=True)
    chunk_flag = models.BooleanField(default=False, help_text="the worker says this chunk is wrong")
    unrelated = models.JSONField(
        null=True, help_text="indexes of captions that the worker says are about another photograph"
    )
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
            models.CheckConstraint(
                condition=Q(regraded__isnull=True) | Q(question__isnull=False), name="judgment_regraded"
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

    @property
    def is_right(self) -> bool | None:
        """Whether it is the right answer to its question, as the question's answer is now."""
        return self.correct if self.regraded is None else self.regraded


IS_RIGHT = Q(regraded=True) | Q(regraded=None, correct=True)
"""The condition of `Judgment.is_right`."""


class Abstention(models.Model):
    """One worker's answer that votes for nobody, such as *photograph unusable*: written once, never changed.

    The item is asked of somebody else. If the photograph of a verification question is found to be fine,
    *photograph unusable* is a wrong answer, and so a judgment.
    """

    class Kind(models.TextChoices):
        UNUSABLE = "unusable"  # the photograph does not load, or shows nothing that could be judged
        UNSURE = "unsure"  # the worker cannot tell

    kind = models.CharField(max_length=8, choices=Kind.choices)
    item = models.ForeignKey(Item, models.PROTECT, null=True, db_index=False, related_name="abstentions")
    question = models.ForeignKey(
        "VerificationQuestion", models.PROTECT, null=True, db_index=False, related_name="abstentions"
    )
    work = models.ForeignKey(ImageWork, models.PROTECT, null=True, related_name="abstentions")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, db_index=False, related_name="abstentions")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, db_index=False, related_name="abstentions"
    )
    broken = models.BooleanField(
        default=False, help_text="the server found the photograph's file missing or damaged at that moment"
    )
    after = models.PositiveBigIntegerField(
        help_text="id of the newest judgment when it was given, which puts it in order with judgments"
    )
    seconds = models.FloatField(null=True, help_text="time on the item as the page measured it")
    comment = models.TextField(blank=True)
    unrelated = models.JSONField(null=True, help_text="as of a judgment")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("assignment", "item"), name="abstention_item_once"),
            models.UniqueConstraint(fields=("assignment", "question"), name="abstention_question_once"),
            models.CheckConstraint(
                condition=Q(item__isnull=False, work__isnull=False, question__isnull=True)
                | Q(item__isnull=True, work__isnull=True, question__isnull=False),
                name="abstention_of_one",
            ),
        )
        indexes = (
            # a claim: the images that the worker could not see; and the worker's score.
            models.Index(fields=("worker", "work"), name="abstention_of_worker"),
            # a submission: whether several workers could not tell; and what an item was answered.
            models.Index(fields=("item",), condition=Q(item__isnull=False), name="abstention_of_item"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

"""Quality control: verification questions, who saw them, and how workers stand."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q, Value

from annotation.models.assignments import Assignment
from annotation.models.corpus import GoldChain, Image, Project
from annotation.models.work import Worker


class VerificationQuestion(models.Model):
    """A question of one stage about one image whose answer is known.

    On a page it looks like any item. The counters are kept up to date, not counted when read: `asked` and
    `right` cover everybody's answers, `good_asked` and `good_right` those of workers who were trusted then.
    If the answer is corrected, the decision keeps the one before.
    """

    class Role(models.TextChoices):
        GOLD = "gold"  # mixed into pages
        TRAINING = "training"  # explained after the answer
        TEST = "test"  # of a qualification test

    class Source(models.TextChoices):
        GOLD = "gold"  # imported
        PROMOTED = "promoted"  # of a finished chain
        WRITTEN = "written"  # by hand

    class State(models.TextChoices):
        PROPOSED = "proposed"  # made of crowd work: it is asked only once a researcher has approved it
        ACTIVE = "active"
        RETIRED = "retired"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="questions")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="questions")
    stage = models.CharField(max_length=16)
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.GOLD)
    source = models.CharField(max_length=8, choices=Source.choices)
    kind = models.CharField(max_length=24, help_text="what is asked, e.g. shifted or incomplete; for people")
    mentions = models.JSONField(
        help_text="ids of the highlighted mentions, as the stage shows them; empty in other campaigns"
    )
    boxes = models.JSONField(default=list, help_text="shown as accepted: [[left, top, right, bottom], …]")
    box = models.JSONField(null=True, help_text="the new box to judge (quality)")
    new_boxes = models.JSONField(default=list, help_text="the new boxes to judge (check)")
    points = models.JSONField(
        default=list, help_text="shown as where something is missing: [[x, y], …] (boxes)"
    )
    captions = models.JSONField(
        default=list,
        db_default=Value([], models.JSONField()),
        help_text="texts that are shown in a campaign; for writing, the sentence to correct",
    )
    answer = models.JSONField(
        help_text="the right answer object of the stage; for drawing {'boxes': […]}, any of them, or none; "
        "for boxes {'boxes': […]}, all of them, or the reason for none; "
        "for writing {'captions': […]}, any of these corrections"
    )
    explanation = models.TextField(blank=True, help_text="why, for training")
    gold_chain = models.ForeignKey(GoldChain, models.PROTECT, null=True, db_index=False, related_name="+")
    chain = models.ForeignKey("Chain", models.PROTECT, null=True, db_index=False, related_name="+")
    content = models.CharField(max_length=64, help_text="hash of what is shown: making it twice is once")
    state = models.CharField(max_length=8, choices=State.choices, default=State.ACTIVE)
    retired = models.CharField(max_length=40, blank=True, help_text="why it was retired")
    exposures = models.PositiveIntegerField(default=0, help_text="workers it was shown to")
    asked = models.PositiveIntegerField(default=0, help_text="answers")
    right = models.PositiveIntegerField(default=0)
    good_asked = models.PositiveIntegerField(default=0)
    good_right = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("project", "stage", "content"), name="question_content"),
            models.CheckConstraint(
                condition=Q(right__lte=F("asked"), good_right__lte=F("good_asked")), name="question_counts"
            ),
        )
        indexes = (
            # for claims and qualification tests: the questions that can be asked.
            models.Index(
                fields=("project", "stage", "role", "id"), condition=Q(state="active"), name="question_active"
            ),
            # for the gallery: the questions that wait for a researcher.
            models.Index(
                fields=("project", "image"), condition=Q(state="proposed"), name="question_proposed"
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage} question {self.pk}"


class Exposure(models.Model):
    """A verification question was shown to a worker. It is never shown to the same worker again."""

    question = models.ForeignKey(
        VerificationQuestion, on_delete=models.PROTECT, db_index=False, related_name="shown_to"
    )
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, db_index=False, related_name="exposures")
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, db_index=False, related_name="+")
    entrance = models.BooleanField(default=False, help_text="on a page of nothing but verification questions")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("worker", "question"), name="exposure_once"),)

    def __str__(self) -> str:
        return f"question {self.question_id} to worker {self.worker_id}"


class EntranceImage(models.Model):
    """An image that is set apart for entrances: its questions are on no page with items, whoever gets it."""

    image = models.OneToOneField(Image, on_delete=models.PROTECT, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"image {self.image_id}"


class Standing(models.Model):
    """How a worker stands in a stage of a project: a fold over their answers to verification questions.

    `batch` is null under the regime `trusted`, where trust holds for the whole project; under `verification`
    a worker is scored in each batch. In stages where boxes are drawn, those that were judged count as well.
    """

    class State(models.TextChoices):
        ENTERING = "entering"  # gets nothing but verification questions
        TRUSTED = "trusted"
        LOST = "lost"  # gets no new work of the stage

    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, db_index=False, related_name="standings")
    stage = models.CharField(max_length=16)
    batch = models.ForeignKey("Batch", models.PROTECT, null=True, db_index=False, related_name="standings")
    state = models.CharField(max_length=16, choices=State.choices, default=State.ENTERING)
    asked = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    recent_asked = models.PositiveSmallIntegerField(default=0)
    recent_right = models.PositiveSmallIntegerField(default=0)
    counted_from = models.PositiveBigIntegerField(
        default=0, help_text="judgments up to this id are of a time before the worker began anew"
    )
    stale = models.BooleanField(default=False, help_text="a box of the worker was judged since")
    changed_at = models.DateTimeField(help_text="when the state last changed")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("worker", "stage"), condition=Q(batch__isnull=True), name="standing_once"
            ),
            models.UniqueConstraint(
                fields=("worker", "stage", "batch"),
                condition=Q(batch__isnull=False),
                name="standing_batch_once",
            ),
            models.CheckConstraint(
                condition=Q(right__lte=F("asked"), recent_right__lte=F("recent_asked")),
                name="standing_counts",
            ),
        )
        indexes = (
            models.Index(fields=("id",), condition=Q(stale=True), name="standing_stale"),
            # claims and advance: the standings of a worker, whatever the batch. The index of each constraint
            # has only some of the rows.
            models.Index(fields=("worker", "stage"), name="standing_of_worker"),
        )

    def __str__(self) -> str:
        return f"worker {self.worker_id} in {self.stage}: {self.state}"


class QualificationTry(models.Model):
    """A worker's try at the qualification test of a stage: training first, then the scored part."""

    class State(models.TextChoices):
        TRAINING = "training"
        TESTING = "testing"
        PASSED = "passed"
        FAILED = "failed"

    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, db_index=False, related_name="tries")
    stage = models.CharField(max_length=16)
    number = models.PositiveSmallIntegerField(help_text="from 1")
    state = models.CharField(max_length=8, choices=State.choices, default=State.TRAINING)
    training = models.JSONField(default=list, help_text="question ids, in the order they are shown")
    test = models.JSONField(default=list, help_text="question ids, in the order they are shown")
    answers = models.JSONField(
        default=dict, help_text="question id -> {'answer': …, 'right': …}: the first answer to each"
    )
    asked = models.PositiveSmallIntegerField(default=0)
    right = models.PositiveSmallIntegerField(default=0)
    pass_mark = models.FloatField(help_text="as it was when the try began, 0 to 1")
    # As promised when the try began, even if the batch's settings change later.
    batch = models.ForeignKey("Batch", models.PROTECT, null=True, db_index=False, related_name="+")
    bonus = models.PositiveIntegerField(default=0, help_text="for passing, in the currency's smallest unit")
    currency = models.CharField(max_length=3, blank=True, help_text="ISO 4217")
    owed = models.BooleanField(default=False, help_text="passed, and its bonus is not in the ledger yet")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    # Somebody may come from a platform under another worker's name: see Assignment.confirmed.
    place = models.PositiveBigIntegerField(
        null=True, help_text="the participation it counts for alone, until the platform confirms the worker"
    )

    class Meta:
        verbose_name_plural = "qualification tries"
        constraints = (
            models.UniqueConstraint(
                fields=("worker", "stage", "number"), condition=Q(place__isnull=True), name="try_number"
            ),
            models.UniqueConstraint(
                fields=("worker", "stage"),
                condition=Q(state__in=("training", "testing"), place__isnull=True),
                name="try_one_open",
            ),
            models.UniqueConstraint(
                fields=("place", "number"), condition=Q(place__isnull=False), name="try_number_of_place"
            ),
            models.UniqueConstraint(
                fields=("place",),
                condition=Q(state__in=("training", "testing"), place__isnull=False),
                name="try_one_open_of_place",
            ),
        )
        indexes = (
            models.Index(fields=("worker", "stage"), name="try_of_worker"),
            # pay: tests whose bonus is not in the ledger yet.
            models.Index(fields=("id",), condition=Q(owed=True), name="try_owed"),
        )

    def __str__(self) -> str:
        return f"try {self.number} of worker {self.worker_id} at {self.stage}"

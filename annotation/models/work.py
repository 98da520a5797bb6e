"""The work: batches, their images and items, and the workers who answer them."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import F, Q, Value

from annotation.models.corpus import Image, Mention, Project


class Worker(models.Model):
    """A person who answers items, as one crowd provider knows them."""

    provider = models.CharField(max_length=32, default="direct")
    external_id = models.CharField(max_length=128, help_text="the provider's name for the worker")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="workers")
    blocked = models.BooleanField(default=False)
    generation = models.PositiveIntegerField(default=0, help_text="tokens of earlier generations are refused")
    # What the platform says about the worker, if it says anything.
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

    UNDER_WAY = (State.RUNNING, State.PAUSED)
    OVER = (State.FINISHED, State.CANCELLED)

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="batches")
    name = models.SlugField(max_length=64)
    state = models.CharField(max_length=16, choices=State.choices, default=State.DRAFT)
    settings = models.JSONField(default=dict, help_text="what differs from the defaults")
    by_hand = models.BooleanField(
        default=False,
        help_text="holds the images that researchers annotate alone, outside of any other batch",
    )
    box_heads = models.JSONField(
        default=dict,
        help_text="pinned at the launch: head noun -> [finished chains that had a box, all finished chains]",
    )
    forecast = models.JSONField(
        default=dict,
        db_default=Value({}, models.JSONField()),
        help_text="pinned at the launch: workflows.batches.domain.plan; empty: launched before this was kept",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "batches"
        constraints = (
            models.UniqueConstraint(fields=("project", "name"), name="batch_project_name"),
            models.UniqueConstraint(
                fields=("project",), condition=Q(by_hand=True), name="batch_by_hand_once"
            ),
        )

    def __str__(self) -> str:
        return self.name


class ImageWorkQuerySet(models.QuerySet["ImageWork"]):
    """Questions that several parts of the project ask about works."""

    def grounding(self) -> Self:
        """Return the works whose batch makes chains and boxes of them, and not those of other campaigns."""
        return self.filter(campaign=ImageWork.Campaign.ENTITIES)


class ImageWork(models.Model):
    """One image in one batch. `advance` locks this row."""

    class State(models.TextChoices):
        QUEUED = "queued"  # launched, its first items not yet opened
        LINKING = "linking"
        BOXING = "boxing"  # chains exist; each goes its own way
        ASKING = "asking"  # its questions are open, in a campaign that has neither links nor chains
        RESTING = "resting"  # workers cannot use its photograph or tell a link: a researcher has to decide
        DONE = "done"

    class Campaign(models.TextChoices):
        """What its batch makes of the image: see annotation.domain.protocols.Campaign."""

        ENTITIES = "entities"
        CAPTIONS = "captions"
        RELEVANCE = "relevance"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="works")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="works")
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    campaign = models.CharField(
        max_length=16, choices=Campaign.choices, default=Campaign.ENTITIES, db_default=Campaign.ENTITIES
    )
    active = models.BooleanField(default=True, help_text="false once its batch is cancelled")
    replayed = models.BooleanField(
        default=False,
        help_text="judgments were set aside or a researcher decided: it is replayed as a whole from now on",
    )

    objects = ImageWorkQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("batch", "image"), name="work_batch_image"),
            # An image is annotated by one batch at a time, or an export would not know whose chains to take.
            # The same holds for its captions. Which captions fit may be judged in several batches.
            models.UniqueConstraint(
                fields=("image", "campaign"),
                condition=Q(active=True) & ~Q(campaign="relevance"),
                name="work_image_active",
            ),
        )
        indexes = (
            # "open the next queued images" and "is anything of this batch unfinished?"
            models.Index(fields=("batch", "state", "id"), condition=~Q(state="done"), name="work_unfinished"),
            # the sweep: images that a batch which is over asks about again.
            models.Index(
                fields=("batch",),
                condition=Q(active=True, state__in=("linking", "boxing", "asking")),
                name="work_asked",
            ),
        )

    def __str__(self) -> str:
        return f"work {self.pk}"


UNREAD = Q(unread=True)
"""The condition of the items that `ItemQuerySet.unread` finds, and of the index that it uses."""
WAITING = Q(state="open", needed__gt=F("judged") + F("leased"))
"""An item waits for a judgment: it is open, and needs more judgments than it has and pages will bring."""
WAITING_SQL = "state = 'open' AND needed > (judged + leased)"
"""`WAITING` for statements written by hand. Keep the words of the index `item_queue`, or it is not used."""


class ItemQuerySet(models.QuerySet["Item"]):
    """Questions that several parts of the project ask about items."""

    def unread(self) -> Self:
        """Return the items that have a judgment which `advance` has not read yet."""
        return self.filter(UNREAD)

    def waiting(self) -> Self:
        """Return the items that wait for a judgment, and that a page may be made of."""
        return self.filter(WAITING)


class Item(models.Model):
    """One question of one stage about one subject.

    `needed` counts the judgments that the rules want so far, `judged` those that were given, and `leased` the
    pages that hold the item now. The check constraint below ensures that `judged` and `leased` together never
    exceed `needed`.
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
        help_text="drew the box, wrote the caption, or gave the counted judgment: is never asked this item",
    )
    # The subject in other campaigns than the grounding. `visit` is its number among those of the image.
    captions = models.JSONField(
        default=list, db_default=Value([], models.JSONField()), help_text="ids of the captions to judge"
    )
    written = models.ForeignKey(
        "Judgment",
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="checks",
        help_text="the judgment whose caption is checked",
    )

    objects = ItemQuerySet.as_manager()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(needed__gte=F("judged") + F("leased")), name="item_not_over_needed"
            ),
            # Asking twice asks once. This makes `advance` safe to run again.
            models.UniqueConstraint(
                fields=("work", "mention_a", "mention_b"), condition=Q(stage="link"), name="item_link_once"
            ),
            models.UniqueConstraint(
                fields=("chain", "visit"),
                condition=Q(chain__isnull=False) & ~Q(state="withdrawn"),
                name="item_visit_once",
            ),
            models.UniqueConstraint(
                fields=("work", "visit"),
                condition=Q(stage__in=("writing", "grading", "relevance")),
                name="item_of_image_once",
            ),
            models.UniqueConstraint(
                fields=("written",), condition=Q(written__isnull=False), name="item_written_once"
            ),
        )
        indexes = (
            # for claims: the head of a stage's queue, without the items that are fully leased.
            models.Index(
                fields=("batch", "stage", "queued_at", "id"),
                condition=WAITING,
                name="item_queue",
            ),
            # items that wait for a model before workers are asked.
            models.Index(fields=("batch", "id"), condition=Q(state="open", needed=0), name="item_held"),
            # for advance and the sweep: items with judgments that advance has not read yet.
            models.Index(fields=("id",), condition=UNREAD, name="item_unread"),
            # for the box quality judgments of a worker's boxes, before the worker's judgments are set aside
            # (workflows.review.supporters).
            models.Index(fields=("box",), condition=Q(box__isnull=False), name="item_box"),
            # for the search for images: links that were asked again because answers contradicted each other.
            models.Index(fields=("work",), condition=Q(settling=True), name="item_settling"),
        )

    def __str__(self) -> str:
        return f"{self.stage} item {self.pk}"

"""The results: chains and boxes. They are derived from judgments; `verify_state` checks them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.domain.geometry import Box as Rectangle
from annotation.models.assignments import Judgment
from annotation.models.corpus import Mention
from annotation.models.review import Decision
from annotation.models.work import ImageWork


class Chain(models.Model):
    """Mentions of one image that refer to the same entities, and how far its boxes have come."""

    work = models.ForeignKey(ImageWork, on_delete=models.PROTECT, db_index=False, related_name="chains")
    generation = models.PositiveSmallIntegerField(
        default=0,
        help_text="even: from links (0) or the n-th regrouping by a researcher (2n); odd: split from these",
    )
    first = models.ForeignKey(Mention, models.PROTECT, db_index=False, related_name="+")
    members = models.JSONField(help_text="mention ids in reading order")
    representative = models.ForeignKey(Mention, models.PROTECT, db_index=False, related_name="+")
    types = models.CharField(max_length=400, help_text="union of its mentions' types, joined with a slash")
    state = models.CharField(max_length=16, help_text="where it is in the pipeline")
    visits = models.PositiveSmallIntegerField(default=0, help_text="items asked about it so far")
    boxes_accepted = models.PositiveSmallIntegerField(default=0)
    boxes_rejected = models.PositiveSmallIntegerField(default=0)
    returns = models.PositiveSmallIntegerField(default=0, help_text="times it re-entered box requirement")
    fruitless = models.PositiveSmallIntegerField(
        default=0, help_text="coverage -> drawing trips since the last accepted box that brought none"
    )
    flag = models.CharField(max_length=16, blank=True, help_text="scene or nobndbox, for a non-visual chain")
    reason = models.CharField(max_length=40, blank=True, help_text="the rule that sent it to review")

    class Meta:
        constraints = (
            # Chains of one generation share no mention, so the first mention identifies a chain.
            models.UniqueConstraint(
                fields=("work", "generation", "first"),
                condition=~Q(state="withdrawn"),
                name="chain_work_first",
            ),
        )
        indexes = (
            # for the review queue, and for the progress of unfinished chains.
            models.Index(
                fields=("state", "id"),
                condition=~Q(state__in=("done", "nonvisual", "split", "withdrawn")),
                name="chain_moving",
            ),
            # for the search for images: by the state of their chains, and by rejected boxes.
            models.Index(fields=("work", "state"), name="chain_work_state"),
            models.Index(fields=("work",), condition=Q(boxes_rejected__gt=0), name="chain_rejected"),
        )

    def __str__(self) -> str:
        return f"chain {self.pk}"


class Box(models.Model):
    """A rectangle of pixel edges (half open) that a judgment or a decision drew for one chain."""

    class State(models.TextChoices):
        PROPOSED = "proposed"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        WITHDRAWN = "withdrawn"  # the judgment that drew it, or what led to it, does not count any more

    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="boxes")
    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, null=True, db_index=False, related_name="boxes"
    )
    decision = models.ForeignKey(
        Decision, on_delete=models.PROTECT, null=True, db_index=False, related_name="boxes"
    )
    ordinal = models.PositiveSmallIntegerField(
        default=0, help_text="its place among those of the judgment or decision"
    )
    left = models.PositiveIntegerField()
    top = models.PositiveIntegerField()
    right = models.PositiveIntegerField()
    bottom = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.PROPOSED)

    class Meta:
        verbose_name_plural = "boxes"
        constraints = (
            # A regrouping keeps a box in a new chain, and the old chain keeps its own row of it.
            models.UniqueConstraint(fields=("judgment", "ordinal", "chain"), name="box_judgment_ordinal"),
            models.UniqueConstraint(
                fields=("chain", "decision", "ordinal"),
                condition=Q(decision__isnull=False),
                name="box_decision_ordinal",
            ),
            models.CheckConstraint(
                condition=Q(judgment__isnull=False, decision__isnull=True)
                | Q(judgment__isnull=True, decision__isnull=False),
                name="box_of_one",
            ),
            models.CheckConstraint(
                condition=Q(left__lt=F("right"), top__lt=F("bottom")), name="box_not_empty"
            ),
        )

    def __str__(self) -> str:
        return f"[{self.left}, {self.top}, {self.right}, {self.bottom}]"

    @property
    def rectangle(self) -> Rectangle:
        """Return the box as the geometry's type."""
        return Rectangle(self.left, self.top, self.right, self.bottom)

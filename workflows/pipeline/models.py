"""The log of the pipeline, the pairs that a batch judges, and the captions that workers wrote."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Caption, Chain, ImageWork, Item, Judgment


class Transition(models.Model):
    """One change of state of a chain or an image. Rows are only ever added."""

    work = models.ForeignKey(ImageWork, on_delete=models.PROTECT, related_name="transitions")
    chain = models.ForeignKey(Chain, models.PROTECT, null=True, db_index=False, related_name="transitions")
    item = models.ForeignKey(Item, models.PROTECT, null=True, db_index=False, related_name="+")
    rule = models.CharField(max_length=40, help_text="the rule of the pipeline that fired")
    source = models.CharField(max_length=16, help_text="the state it left")
    target = models.CharField(max_length=16, help_text="the state it came to")
    created_at = models.DateTimeField()

    class Meta:
        indexes = (
            # the history of a chain (console.common.history).
            models.Index(fields=("chain", "id"), condition=Q(chain__isnull=False), name="transition_chain"),
        )

    def __str__(self) -> str:
        return f"{self.source} -> {self.target} ({self.rule})"


class JudgedPair(models.Model):
    """An image and a caption that a batch asks about: does the caption describe the image?

    The captions of one `number` are asked about together, in the order of their places.
    """

    work = models.ForeignKey(ImageWork, models.PROTECT, db_index=False, related_name="pairs")
    caption = models.ForeignKey(Caption, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="of the question, among those about the image")
    place = models.PositiveSmallIntegerField(help_text="of the caption, among those of the question")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("work", "number", "place"), name="pair_place"),
            models.UniqueConstraint(fields=("work", "caption"), name="pair_once"),
        )

    def __str__(self) -> str:
        return f"caption {self.caption_id} for work {self.work_id}"


class WrittenCaption(models.Model):
    """What became of a caption that a worker wrote.

    All but `caption` follows from judgments and decisions.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed"  # waits for a second worker
        FLAGGED = "flagged"  # the rules found something: waits for a researcher
        ACCEPTED = "accepted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"  # its judgment was set aside

    work = models.ForeignKey(ImageWork, models.PROTECT, related_name="written")
    judgment = models.OneToOneField(Judgment, models.PROTECT, related_name="written")
    state = models.CharField(max_length=16, choices=State.choices)
    text = models.TextField(help_text="as it was written, or as a researcher has edited it")
    flags = models.JSONField(default=list, help_text="names of the rules that found something")
    caption = models.ForeignKey(
        Caption,
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="the caption of the corpus that it became, once it was published",
    )

    class Meta:
        indexes = (
            # captions that are to be published.
            models.Index(
                fields=("work",),
                condition=Q(state="accepted", caption__isnull=True),
                name="written_unpublished",
            ),
            # captions that are in the corpus and are not accepted any more.
            models.Index(
                fields=("work",),
                condition=Q(caption__isnull=False) & ~Q(state="accepted"),
                name="written_to_take_back",
            ),
        )

    def __str__(self) -> str:
        return self.text

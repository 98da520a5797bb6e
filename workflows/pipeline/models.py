"""The log of the pipeline: every change of state of a chain or an image."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Chain, ImageWork, Item


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
            # the history of a chain (console.review.history).
            models.Index(fields=("chain", "id"), condition=Q(chain__isnull=False), name="transition_chain"),
        )

    def __str__(self) -> str:
        return f"{self.source} -> {self.target} ({self.rule})"

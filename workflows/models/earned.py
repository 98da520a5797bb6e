"""What workers whom we pay ourselves earned: kept beside the ledger, so that a payroll adds up days."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.models import Batch, Worker


class Earned(models.Model):
    """One worker's day in a batch: the sums of its entries, written with them under the budget's lock.

    See workflows.services.earned.
    """

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="earned")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, db_index=False, related_name="earned")
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    day = models.DateField(help_text="in UTC, on which it was owed")
    pages = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveBigIntegerField(default=0, help_text="at work on these pages")
    earned = models.PositiveBigIntegerField(default=0, help_text="in the currency's smallest unit")
    paid = models.PositiveBigIntegerField(default=0, help_text="of that, whenever it was paid")

    class Meta:
        verbose_name_plural = "earned"
        constraints = (
            models.UniqueConstraint(fields=("batch", "worker", "day", "currency"), name="earned_once"),
            models.CheckConstraint(condition=Q(paid__lte=F("earned")), name="earned_not_overpaid"),
        )
        indexes = (
            # payroll: who earned anything in a period, and how much.
            models.Index(fields=("worker", "day"), name="earned_worker"),
            # and what all of them did.
            models.Index(fields=("batch", "day"), name="earned_batch"),
        )

    def __str__(self) -> str:
        return f"{self.worker_id} on {self.day} in batch {self.batch_id}"

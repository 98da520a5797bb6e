"""Models of money: budgets, the append-only ledger, and what workers earned on each day.

The ledger has double entries, in whole smallest units of one currency for each batch.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.models import Assignment, Batch, Worker
from workflows.core.models import AppendOnly


class Budget(models.Model):
    """What a batch may cost, and what of it is reserved or spent. It is written with the ledger's entries.

    The check constraint holds the cap, also if two publishers write at the same time.
    """

    # A draft's budget is deleted with the draft. A batch with entries cannot be deleted.
    batch = models.OneToOneField(Batch, on_delete=models.CASCADE, related_name="budget")
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    cap = models.PositiveBigIntegerField(null=True, help_text="fees included; null: none")
    environment = models.CharField(
        max_length=16,
        blank=True,
        default="",
        help_text="of the platform that it was launched for; empty: none",
    )
    reserved = models.PositiveBigIntegerField(default=0)
    spent = models.PositiveBigIntegerField(default=0)
    times = models.JSONField(
        default=dict, help_text="what a page takes by stage, in milliseconds, as pay was last looked at"
    )

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(cap__isnull=True) | Q(cap__gte=F("reserved") + F("spent")),
                name="budget_within_cap",
            ),
        )

    def __str__(self) -> str:
        return f"budget of {self.batch}"


class LedgerEntry(AppendOnly):
    """One movement of money. Its token is unique, so it happens once."""

    class Kind(models.TextChoices):
        RESERVE = "reserve"
        COMMIT = "commit"
        RELEASE = "release"
        BONUS = "bonus"
        EARN = "earn"  # a direct worker's page: owed until a payroll pays it
        PAYROLL = "payroll"
        REFUND = "refund"
        MODEL = "model"  # answers of the model that judges

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="ledger")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    token = models.CharField(max_length=100, unique=True, help_text="e.g. reserve:<publication's token>")
    under = models.CharField(
        max_length=100, blank=True, default="", help_text="what it is part of: a reservation, or an earning"
    )
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    # By name, because these models belong to rooms that this one does not import.
    publication = models.ForeignKey(
        "workflows.Publication", models.PROTECT, null=True, related_name="entries"
    )
    participation = models.ForeignKey(
        "workflows.Participation", models.PROTECT, null=True, related_name="entries"
    )
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, related_name="entries")
    worker = models.ForeignKey(Worker, models.PROTECT, null=True, related_name="entries")
    memo = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "ledger entries"
        indexes = (
            models.Index(fields=("batch", "-id"), name="ledger_batch"),
            # payroll: what was earned in a period.
            models.Index(fields=("created_at",), condition=Q(kind="earn"), name="ledger_earned"),
            # what is left of a reservation, and whether an earning was paid.
            models.Index(fields=("under",), condition=~Q(under=""), name="ledger_under"),
        )

    def __str__(self) -> str:
        return self.token


class LedgerLine(AppendOnly):
    """One line of an entry. The amounts of an entry's lines add up to 0."""

    class Account(models.TextChoices):
        FUNDS = "funds"  # where money comes from: the platform's balance, or our own
        RESERVED = "reserved"
        REWARDS = "rewards"
        BONUSES = "bonuses"
        FEES = "fees"
        PAYABLE = "payable"  # owed to direct workers
        MODELS = "models"  # what models that judge cost

    entry = models.ForeignKey(LedgerEntry, on_delete=models.PROTECT, related_name="lines")
    account = models.CharField(max_length=8, choices=Account.choices)
    amount = models.BigIntegerField(help_text="debits positive, credits negative")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("entry", "account"), name="ledger_line_once"),
            models.CheckConstraint(condition=~Q(amount=0), name="ledger_line_not_nothing"),
        )

    def __str__(self) -> str:
        return f"{self.account} {self.amount}"


class Earned(models.Model):
    """The sums of one worker's day in a batch. They are written with the entries, under the budget's lock.

    See workflows.money.earned_days.
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

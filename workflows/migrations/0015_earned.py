"""What workers whom we pay ourselves earned a day, kept beside the ledger: filled from the entries there are.

As `workflows.crowd_earned` and `workflows.domain.crowd.earned` add them up, and as they were then.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from itertools import islice
from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AT_ONCE = 500
"""Entries in memory; of what they come to, a batch's."""
EARN, PAYROLL, PAGE = "earn:", "payroll:", "earn:page:"


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    entries = apps.get_model("workflows", "LedgerEntry").objects
    earned = apps.get_model("workflows", "Earned")
    batches = entries.filter(kind="earn").order_by("batch").values_list("batch", flat=True).distinct()
    for batch in list(batches):
        sums: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for key, added in _movements(apps, batch):
            sums[key] = [one + more for one, more in zip(sums[key], added, strict=True)]
        rows = (
            earned(
                batch_id=batch, worker_id=worker, day=day, currency=currency,
                pages=pages, milliseconds=milliseconds, earned=amount, paid=paid,
            )
            for (worker, day, currency), (pages, milliseconds, amount, paid) in sums.items()
        )  # fmt: skip
        while some := list(islice(rows, AT_ONCE)):
            earned.objects.bulk_create(some)


def _movements(apps: Apps, batch: int) -> Iterator[tuple[tuple[Any, ...], tuple[int, int, int, int]]]:
    """What each entry adds: (worker, day, currency), and pages, milliseconds, earned and paid."""
    entries = apps.get_model("workflows", "LedgerEntry").objects
    payable = entries.filter(
        batch=batch, kind__in=("earn", "payroll"), worker__isnull=False, lines__account="payable"
    ).order_by("pk")
    columns = ("pk", "token", "worker", "currency", "created_at", "lines__amount", "assignment")
    last = 0
    while some := list(payable.filter(pk__gt=last).values_list(*columns)[:AT_ONCE]):
        last = some[-1][0]
        took = _milliseconds(apps, {row[6] for row in some if row[1].startswith(PAGE)})
        of = {row[1]: EARN + row[1].removeprefix(PAYROLL) for row in some if row[1].startswith(PAYROLL)}
        earned_at = dict(entries.filter(token__in=of.values()).values_list("token", "created_at"))
        for _, token, worker, currency, at, amount, page in some:
            if token not in of:
                pages = int(token.startswith(PAGE))
                took_it = took.get(page, 0) if pages else 0
                yield (worker, at.astimezone(UTC).date(), currency), (pages, took_it, -amount, 0)
            elif (then := earned_at.get(of[token])) is not None:
                yield (worker, then.astimezone(UTC).date(), currency), (0, 0, 0, amount)


def _milliseconds(apps: Any, ids: set[Any]) -> dict[Any, int]:
    """What pages took by their answers, up to the server's own clock; by that where they say nothing."""
    wanted = [pk for pk in ids if pk is not None]
    judgments = apps.get_model("annotation", "Judgment").objects.filter(
        assignment__in=wanted, seconds__isnull=False
    )
    answering = dict(judgments.order_by().values_list("assignment").annotate(models.Sum("seconds")))
    pages = apps.get_model("annotation", "Assignment").objects.filter(
        pk__in=wanted, submitted_at__isnull=False
    )
    found = {}
    for pk, claimed, submitted, late in pages.values_list("pk", "created_at", "submitted_at", "late"):
        elapsed = (submitted - claimed).total_seconds()
        said = [one["seconds"] for one in late or () if one.get("seconds") is not None]
        if pk in answering or said:
            elapsed = min(answering.get(pk, 0.0) + sum(said), elapsed)
        found[pk] = round(round(max(0.0, elapsed) * 1000, 3))
    return found


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0014_tries_of_places"),
        ("workflows", "0014_payment_withdrawn"),
    ]

    operations = [
        migrations.CreateModel(
            name="Earned",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("currency", models.CharField(help_text="ISO 4217", max_length=3)),
                ("day", models.DateField(help_text="in UTC, on which it was owed")),
                ("pages", models.PositiveIntegerField(default=0)),
                (
                    "milliseconds",
                    models.PositiveBigIntegerField(default=0, help_text="at work on these pages"),
                ),
                (
                    "earned",
                    models.PositiveBigIntegerField(default=0, help_text="in the currency's smallest unit"),
                ),
                (
                    "paid",
                    models.PositiveBigIntegerField(default=0, help_text="of that, whenever it was paid"),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="earned",
                        to="annotation.batch",
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="earned",
                        to="annotation.worker",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "earned",
                "indexes": [
                    models.Index(fields=["worker", "day"], name="earned_worker"),
                    models.Index(fields=["batch", "day"], name="earned_batch"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "worker", "day", "currency"), name="earned_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("paid__lte", models.F("earned"))), name="earned_not_overpaid"
                    ),
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]

"""Claims on counts: the same figures are counted by one process at a time, and failed counts rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db.models import QuerySet

from annotation.models import Batch
from annotation.transactions import write_transaction
from workflows.analysis.counts.targets import Target
from workflows.analysis.domain.refresh_rules import claim_lasts, is_due, retry_after
from workflows.analysis.models import KeptCounts


@dataclass(frozen=True, slots=True)
class Count:
    """One kind of figures of one target, which may have to be counted."""

    target: Target
    kind: str
    state: str  # of the batch; "" for a project
    row: KeptCounts | None

    def rows(self) -> QuerySet[KeptCounts]:
        """Return the kept figures: at most one row."""
        return KeptCounts.objects.filter(
            project=self.target.project_id, batch=self.target.batch_id, kind=self.kind
        )


def rested(row: KeptCounts, now: datetime) -> bool:
    """Return whether the figures may be counted again: the last count or failure is long enough ago.

    One from far in the future is as good: the clock was set back since.
    """
    if (failed := row.data.get("failed")) is not None:
        return abs(now - datetime.fromisoformat(failed["at"])) >= retry_after(failed["times"])
    return "mark" not in row.data or is_due(counted_at=row.counted_at, seconds=row.seconds, now=now)


def claim_count(one: Count, at: datetime, *, force: bool) -> str | None:
    """Claim the count, so that no other process does it meanwhile, and return the claim.

    Return None if another process has claimed it or has just finished it.
    """
    by = uuid4().hex
    with write_transaction():
        if one.target.batch_id and not Batch.objects.filter(pk=one.target.batch_id).exists():
            return None
        KeptCounts.objects.bulk_create([_empty(one, at)], ignore_conflicts=True)
        row = one.rows().select_for_update().get()
        lasts, dead = claim_lasts(seconds=row.seconds, dead=None), None
        if (held := row.data.get("claim")) is not None:
            dead = timedelta(seconds=held["lasts"]) if "lasts" in held else lasts
            if abs(at - datetime.fromisoformat(held["at"])) < dead:
                return None
        if not force and not rested(row, at):
            return None
        if dead is not None:
            lasts = claim_lasts(seconds=row.seconds, dead=dead)
        row.data["claim"] = {"by": by, "at": at.isoformat(), "lasts": lasts.total_seconds()}
        row.save(update_fields=["data"])
    return by


def store_count(one: Count, claim: str, counted: Mapping[str, Any]) -> bool:
    """Store what was counted: `data`, `counted_at` and `seconds`. Return False if the claim was lost."""
    with write_transaction():
        row = _claimed(one, claim)
        if row is None:
            return False
        changed = row.data.get("changed")
        row.data = {**counted["data"], **({} if changed is None else {"changed": changed})}
        row.counted_at, row.seconds = counted["counted_at"], counted["seconds"]
        row.save(update_fields=["data", "counted_at", "seconds"])
    return True


def release_count(one: Count, claim: str, *, failed_at: datetime | None) -> None:
    """Give up the claim. After a failure the count rests, longer each time."""
    with write_transaction():
        row = _claimed(one, claim)
        if row is None:
            return
        del row.data["claim"]
        if failed_at is not None:
            times = row.data.get("failed", {}).get("times", 0) + 1
            row.data["failed"] = {"times": times, "at": failed_at.isoformat()}
        row.save(update_fields=["data"])


def note_changes(changes: Mapping[int, datetime]) -> None:
    """Store in these rows (ids) when something last happened to what they count."""
    if not changes:
        return
    with write_transaction():
        for row in KeptCounts.objects.filter(pk__in=changes).order_by("pk").select_for_update():
            row.data["changed"] = changes[row.pk].isoformat()
            row.save(update_fields=["data"])


def _claimed(one: Count, claim: str) -> KeptCounts | None:
    """Return the row if the claim still holds.

    Return None if the draft was deleted, or if this took so long that another process took over.
    """
    row = one.rows().select_for_update().first()
    return row if row is not None and row.data.get("claim", {}).get("by") == claim else None


def _empty(one: Count, at: datetime) -> KeptCounts:
    owner = {"project_id": one.target.project_id, "batch_id": one.target.batch_id}
    return KeptCounts(**owner, kind=one.kind, counted_at=at, seconds=0)

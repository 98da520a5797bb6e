"""What was done to a batch since a page about it was shown, by the page's stamp (see `listing.stamp`)."""

from __future__ import annotations

from annotation.models import Batch
from workflows.core.models import AuditEntry

MOST = 200
"""Acts that are looked through: of a page that was open longer, the newest count."""


def settings_changed(batch: Batch, stamp: str) -> list[str]:
    """Names of the settings that were changed since, in order; since ever for what is no stamp."""
    last = stamp.rpartition("-")[2]
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else 0
    acts = AuditEntry.objects.filter(kind="batch", object_id=str(batch.pk), pk__gt=after)
    details = acts.order_by("-pk").values_list("action", "detail")[:MOST]
    changed = (detail.get("changed", []) for action, detail in details if action == "batch.settings")
    return sorted({name for names in changed for name in names})

"""Count statistics of a data set, or agreement, in the background and keep them for their pages.

Counting them reads every image, or every judgment, which is too slow for a page.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from annotation.exporting.folder import ExportError
from annotation.exporting.statistics import count_dataset, options_of
from annotation.exporting.summary import say_left_out
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from workflows.analysis.cut_flags import flagged_patterns
from workflows.analysis.models import KeptCounts

logger = logging.getLogger(__name__)

CROWD, AGREEMENT = "crowd", "agreement"
KINDS = {CROWD: "statistics", "gold": "statistics-gold", AGREEMENT: "agreement"}
"""Source -> kind of the kept figures. Agreement is no data set, but it is counted in the same way."""
MAX_TRIES = 3
"""How often a count is tried whose process ends without a result, for example when memory runs out."""


def want_statistics(*, project: Project, source: str, batch: Batch | None, now: datetime) -> bool:
    """Record that somebody wants the statistics counted. Return False if that was recorded already.

    Then a message is on its way, or the sweep sends one: see `next_wanted`.
    """
    of = {"project": project, "batch": batch, "kind": KINDS[source]}
    with write_transaction():
        kept, _ = KeptCounts.objects.select_for_update(no_key=True).get_or_create(
            **of, defaults={"counted_at": now, "seconds": 0}
        )
        if kept.data.get("wanted_at"):
            return False
        kept.data |= {"wanted_at": now.isoformat(), "tries": 0}
        kept.save(update_fields=["data"])
        return True


def next_wanted() -> tuple[int, str, int | None] | None:
    """Return project, source and batch of the count that somebody has waited for longest, or None."""
    kinds = {kind: source for source, kind in KINDS.items()}
    wanted = KeptCounts.objects.filter(kind__in=kinds, data__has_key="wanted_at")
    first = min(wanted, key=lambda one: str(one.data["wanted_at"]), default=None)
    return (first.project_id, kinds[first.kind], first.batch_id) if first else None


def keep_statistics(
    *, project_id: int, source: str, batch_id: int | None, clock: Callable[[], datetime]
) -> None:
    """Count the statistics if somebody still wants them.

    Two counts at the same time do no harm: the later result stays.
    """
    of = {"project_id": project_id, "batch_id": batch_id, "kind": KINDS[source]}
    if not _begun(of):
        return
    began, start = clock(), time.monotonic()
    if source == AGREEMENT:
        # numpy is large, so only processes that count load it.
        from workflows.analysis.agreement_report import agreement_report

        data = {"figures": agreement_report(project_id=project_id, batch_id=batch_id)}
    else:
        data = _dataset(project_id, source, batch_id)
    with write_transaction():
        seconds = time.monotonic() - start
        KeptCounts.objects.filter(**of).update(data=data, counted_at=began, seconds=seconds)
    logger.info("statistics: project %d, %s, %.1f s", project_id, source, seconds)


def _dataset(project_id: int, source: str, batch_id: int | None) -> dict[str, Any]:
    """Return the statistics of a data set, or why there are none."""
    project = Project.objects.get(pk=project_id)
    batch = Batch.objects.get(pk=batch_id).name if batch_id else ""
    try:
        sums, left_out = count_dataset(project=project, options=options_of(source, batch))
    except ExportError as error:
        logger.error("statistics: %s", error)
        return {"error": str(error)}
    figures: dict[str, Any] = {"sums": sums.to_json(), "without": say_left_out(left_out)}
    if source == CROWD:
        flagged = flagged_patterns(
            project=project, batch=Batch.objects.get(pk=batch_id) if batch_id else None
        )
        figures["cuts"] = [one.to_json() for one in flagged]
    return {"figures": figures}


def _begun(of: dict[str, Any]) -> bool:
    """Record one more try. Return False if nobody wants the count or it was tried too often."""
    with write_transaction():
        kept = KeptCounts.objects.select_for_update(no_key=True).filter(**of).first()
        if kept is None or "wanted_at" not in kept.data:
            return False
        tries = int(kept.data.get("tries", 0)) + 1
        if tries > MAX_TRIES:
            said = f"Counting ended {MAX_TRIES} times without a result; the worker's log says why."
            kept.data = {"error": said}
        else:
            kept.data["tries"] = tries
        kept.save(update_fields=["data"])
    return tries <= MAX_TRIES

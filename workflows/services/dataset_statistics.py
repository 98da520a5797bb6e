"""Keeps the statistics of a data set for its page: counting them reads every image."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from annotation.exporting.folder import ExportError
from annotation.exporting.statistics import count_dataset, options_of
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from workflows.models import Figures

logger = logging.getLogger(__name__)

KINDS = {"crowd": "statistics", "gold": "statistics-gold"}
"""Source -> kind of the kept figures."""
PATIENCE = timedelta(minutes=30)
"""After this, a count that was asked for and did not come may be asked for again."""


def want_statistics(*, project: Project, source: str, batch: Batch | None, now: datetime) -> bool:
    """Keep that somebody wants them counted; False when they are about to be, already."""
    of = {"project": project, "batch": batch, "kind": KINDS[source]}
    with write_transaction():
        kept, _ = Figures.objects.select_for_update(no_key=True).get_or_create(
            **of, defaults={"counted_at": now, "seconds": 0}
        )
        wanted = kept.data.get("wanted_at")
        if wanted and now - datetime.fromisoformat(wanted) < PATIENCE:
            return False
        kept.data["wanted_at"] = now.isoformat()
        kept.save(update_fields=["data"])
        return True


def keep_statistics(
    *, project_id: int, source: str, batch_id: int | None, clock: Callable[[], datetime]
) -> None:
    """Count them, if somebody still wants them. Twice at the same time does no harm: the later one stays."""
    of = {"project_id": project_id, "batch_id": batch_id, "kind": KINDS[source]}
    if not Figures.objects.filter(**of, data__has_key="wanted_at").exists():
        return
    project = Project.objects.get(pk=project_id)
    batch = Batch.objects.get(pk=batch_id).name if batch_id else ""
    began, start = clock(), time.monotonic()
    data: dict[str, Any]
    try:
        sums, left_out = count_dataset(project=project, options=options_of(source, batch))
    except ExportError as error:
        logger.error("statistics: %s", error)
        data = {"error": str(error)}
    else:
        data = {
            "figures": {
                "sums": sums.to_json(),
                "left_out": {why: n for why, n in left_out.images.items() if n},
            }
        }
    with write_transaction():
        seconds = time.monotonic() - start
        Figures.objects.filter(**of).update(data=data, counted_at=began, seconds=seconds)
    logger.info("statistics: project %d, %s, %.1f s", project_id, source, seconds)

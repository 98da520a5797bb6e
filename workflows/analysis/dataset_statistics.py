"""Count statistics of a data set, or agreement, in the background and keep them for their pages.

Counting them reads every image, or every judgment, which is too slow for a page.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from annotation.chunkers import HantaChunker, get_chunker
from annotation.domain.answers import Stage
from annotation.exporting.folder import ExportError
from annotation.exporting.statistics import count_dataset, options_of
from annotation.exporting.summary import say_left_out
from annotation.languages import primary
from annotation.models import Batch, Judgment, Mention, Project
from annotation.transactions import write_transaction
from workflows.analysis.domain.cuts import Cut, CutPattern, cut_patterns
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


MAX_CATEGORIES = 20
_KNOWN_WORDS = 50_000
_ROWS_AT_ONCE = 2_000


def flagged_patterns(*, project: Project, batch: Batch | None) -> list[CutPattern]:
    """Return patterns of the chunks that workers called cut wrongly; none if captions are not English.

    A flag in a link question may mean either mention, so both count. In a verification, all mentions of the
    chain count; in the other questions, the one that stands for the chain. A mention counts once. The flags
    are those of the batch, or of all; they are compared with all mentions of the project.
    """
    if primary(project.language) != HantaChunker.language:
        return []
    flagged = _flagged(project, batch)
    if not flagged:
        return []
    chunker = get_chunker("hanta")
    assert isinstance(chunker, HantaChunker)
    kind_of = lru_cache(_KNOWN_WORDS)(chunker.kind_of)
    mentions = Mention.objects.filter(image__project=project, annotatable=True)
    chosen = mentions.filter(pk__in=flagged).order_by("pk")
    return cut_patterns(_cuts(chosen), _others(mentions, flagged), kind_of, most=MAX_CATEGORIES)


def _flagged(project: Project, batch: Batch | None) -> set[int]:
    """Return the ids of the mentions that flags may mean."""
    judgments = Judgment.objects.filter(chunk_flag=True, item__batch__project=project)
    if batch is not None:
        judgments = judgments.filter(item__batch=batch)
    flagged: set[int] = set()
    chain = ("item__chain__members", "item__chain__representative")
    rows = judgments.values_list("item__stage", "item__mention_a", "item__mention_b", *chain)
    for stage, first, second, members, representative in rows:
        if stage == Stage.LINK:
            flagged |= {first, second}
        else:
            flagged |= set(members) if stage == Stage.VERIFICATION else {representative}
    return flagged


def _others(mentions: QuerySet[Mention], flagged: set[int]) -> Iterator[Cut]:
    rows = mentions.filter(superseded=False).values_list("pk", "caption__tokens", "start", "end")
    for pk, tokens, start, end in rows.iterator(_ROWS_AT_ONCE):
        if pk not in flagged:
            yield Cut(tokens.split(), start, end)


def _cuts(mentions: QuerySet[Mention]) -> Iterator[Cut]:
    for tokens, start, end in mentions.values_list("caption__tokens", "start", "end"):
        yield Cut(tokens.split(), start, end)

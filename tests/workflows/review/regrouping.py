"""Decisions of the kind `regroup`, which an earlier form made. Stored ones are still replayed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from annotation.models import Decision
from annotation.transactions import write_transaction
from workflows.pipeline.replay.domain.decisions import Cut, NewGroup
from workflows.review.decide import follow_up, lock_work, regroup_locked


def regroup(
    *,
    work_id: int,
    by: str,
    note: str,
    now: datetime,
    chains: Sequence[NewGroup],
    cuts: Sequence[Cut],
    version: int,
) -> Decision:
    """Give the image exactly these chains, and chunk these captions as `cuts` say."""
    with write_transaction():
        work = lock_work(work_id, version)
        decision, ended = regroup_locked(
            work, by=by, note=note, now=now, chains=chains, cuts=cuts, kind=Decision.Kind.REGROUP
        )
    follow_up(work.batch_id, ended, now=now)
    return decision

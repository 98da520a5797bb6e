"""Read workers' answers to verification questions in the order in which they were given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.db.models.functions import Coalesce

from workflows.analysis.domain.accuracy_history import Answer
from workflows.quality.evidence import counted_answers


def answers_by_stage(workers: Collection[int]) -> Mapping[int, Mapping[str, Sequence[Answer]]]:
    """Return each of these workers' answers that count in a score, by stage, the oldest first. One query.

    A worker answers a question once, so there are at most as many as the project has questions.
    """
    found: dict[int, dict[str, list[Answer]]] = {worker: defaultdict(list) for worker in workers}
    rows = counted_answers().filter(worker__in=workers).order_by("pk")
    columns = ("worker_id", "assignment__stage", Coalesce("regraded", "correct"), "created_at")
    for worker, stage, right, at in rows.values_list(*columns):
        found[worker][stage].append(Answer(right, at))
    return found

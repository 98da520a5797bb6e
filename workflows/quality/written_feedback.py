"""Reads what a writer is told of their captions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Count

from annotation.models import Judgment

CHECK = "check"
"""The reason of a caption in which the rules found nothing: whoever looked says that it does not describe."""
_ACCEPTED, _REFUSED = "accepted", "refused"


def written_feedback(*, worker_id: int) -> dict[str, Any] | None:
    """Return how many captions of a worker were accepted and refused, and why; None before the first.

    The reasons are the rules that had found something, with the most frequent one first, or `CHECK`. Captions
    that wait for somebody, or that do not count any more, are in neither number. One query.
    """
    # A caption's row is of the pipeline, which knows this room.
    found = Judgment.objects.filter(worker_id=worker_id, written__state__in=(_ACCEPTED, _REFUSED))
    rows = found.order_by().values_list("written__state", "written__flags").annotate(Count("pk"))
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for state, flags, count in rows:
        counts[state] += count
        if state == _REFUSED:
            reasons.update(dict.fromkeys(flags or (CHECK,), count))
    if not counts:
        return None
    ordered = sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
    return {
        "accepted": counts[_ACCEPTED],
        "refused": counts[_REFUSED],
        "reasons": [{"reason": reason, "captions": count} for reason, count in ordered],
    }

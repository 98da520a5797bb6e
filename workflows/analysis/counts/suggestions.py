"""Count what suggestions did in a batch that shows some."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Batch
from workflows.analysis.counts.targets import Target
from workflows.analysis.domain.kept_counts import (
    BadAccepted,
    ByScore,
    Interval,
    Suggestions,
    WithSuggestions,
)
from workflows.suggestions.batch_effects import effects_of
from workflows.suggestions.domain.effects import Figure, Group, share_of

MAX_WORKERS = 20
"""The workers who accepted the most bad suggestions, which a page names."""


def count_suggestions(target: Target, now: datetime) -> Suggestions:
    """Return the figures of the target, which is a batch with a set of suggestions."""
    found = effects_of(Batch.objects.get(pk__in=target.batch_ids))
    worst = sorted(found.by_worker.items(), key=lambda one: (-one[1][1], one[1][0], one[0]))
    return Suggestions(
        with_them=_group(found.with_them),
        without=_group(found.without),
        by_score=tuple(
            ByScore(one.low, one.shown, one.accepted, one.adjusted, one.checked, one.right)
            for one in found.bins
        ),
        bad=_bad(found.bad_shown, found.bad_accepted),
        bad_of_workers=tuple((worker, _bad(*counts)) for worker, counts in worst[:MAX_WORKERS]),
        workers=len(found.by_worker),
    )


def _group(one: Group) -> WithSuggestions:
    return WithSuggestions(
        one.answers,
        *map(_interval, (one.seconds, one.boxes, one.good, one.side, one.overlooked)),
    )


def _bad(shown: int, accepted: int) -> BadAccepted:
    return BadAccepted(shown, accepted, _interval(share_of(accepted, shown)))


def _interval(figure: Figure) -> Interval:
    return figure.value, figure.low, figure.high

"""What a page says about sets of suggestions, and which batches show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Batch, SuggestionSet
from console.jobs.suggested import coverage
from workflows.batch_settings.selectors import settings_of


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set in a list, and the batches that show it."""

    of: SuggestionSet
    coverage: str
    chosen: str
    batches: list[Batch]


def rows_of(sets: Iterable[SuggestionSet], batches: Iterable[Batch]) -> list[SetRow]:
    """Return the sets with the batches that name them in their settings."""
    showing: dict[int, list[Batch]] = defaultdict(list)
    for batch in batches:
        if (number := settings_of(batch).suggestions.set) is not None:
            showing[number].append(batch)
    return [SetRow(one, coverage(one.report), _chosen(one), showing[one.number]) for one in sets]


def _chosen(one: SuggestionSet) -> str:
    """Return how the boxes were chosen, in words; of a set without boxes, what it has."""
    if one.of_pairs:
        return "scores of links, no boxes"
    threshold, overlap = one.settings.get("threshold"), one.settings.get("nms")
    said = [
        "all scores" if threshold is None else f"scores of {threshold:g} or more",
        "however far they overlap" if overlap is None else f"overlapping by an IoU of {overlap:g} at most",
    ]
    return ", ".join(said)

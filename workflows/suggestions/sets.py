"""Writes sets of suggestions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from annotation.models import ModelVersion, Project, Suggestion, SuggestionSet
from annotation.transactions import write_transaction
from workflows.suggestions.domain.choice import Choice
from workflows.suggestions.files import Found, SuggestionError

ROWS_AT_ONCE = 2000
"""Suggestions that are written in one transaction, so that others wait for moments only."""
Also = Callable[[SuggestionSet], object]


def save_set(
    *,
    model: ModelVersion,
    found: Found,
    choice: Choice,
    coordinates: str | None = None,
    by: str,
    now: datetime,
    also: Also | None = None,
    after_group: Callable[[int], object] | None = None,
) -> SuggestionSet:
    """Write what was found as the next set of the model's project, and return it.

    Suggestions are written in groups. The set is complete with the last of them, and `also` is called in its
    transaction. If it is stopped before, the set stays incomplete, and is never shown to anybody; the next
    import makes another one. `after_group` is called with the number of suggestions in each group once it is
    written, outside of transactions. Raise SuggestionError if the project is deleted.
    """
    settings: dict[str, Any] = {
        "threshold": choice.threshold,
        "nms": choice.suppression,
        "every_mention": choice.every_mention,
        "coordinates": coordinates,
    }
    with write_transaction():
        lock_project(model.project_id)
        newest = SuggestionSet.objects.filter(project=model.project_id).order_by("-number").first()
        made = SuggestionSet.objects.create(
            project_id=model.project_id,
            number=newest.number + 1 if newest else 1,
            model=model,
            settings=settings,
            report=found.report(),
            by=by,
            created_at=now,
        )
    every = list(found.suggestions.items())
    for begin in range(0, len(every), ROWS_AT_ONCE):
        group = every[begin : begin + ROWS_AT_ONCE]
        with write_transaction():
            lock_project(model.project_id)
            Suggestion.objects.bulk_create(
                Suggestion(set=made, mention_id=mention, boxes=boxes) for mention, boxes in group
            )
        if after_group is not None:
            after_group(len(group))
    with write_transaction():
        lock_project(model.project_id)
        made.completed_at = now
        made.save(update_fields=["completed_at"])
        if also is not None:
            also(made)
    return made


def lock_project(project: int) -> None:
    """Lock the project's row: its deletion waits. Raise SuggestionError if it is deleted."""
    if not Project.objects.select_for_update(no_key=True).filter(pk=project).exists():
        raise SuggestionError("the project was deleted meanwhile")

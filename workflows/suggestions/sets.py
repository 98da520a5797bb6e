"""Writes sets of suggestions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from annotation.models import ModelVersion, PairScores, Project, Suggestion, SuggestionSet
from annotation.transactions import write_transaction
from workflows.suggestions.domain.choice import Choice
from workflows.suggestions.files import Found, SuggestionError
from workflows.suggestions.pair_files import FoundScores

ROWS_AT_ONCE = 2000
"""Suggestions that are written in one transaction, so that others wait for moments only."""
Also = Callable[[SuggestionSet], object]
AfterGroup = Callable[[int], object]


def save_set(
    *,
    model: ModelVersion,
    found: Found,
    choice: Choice,
    predictions_format: str | None = None,
    max_pixels: int = 0,
    by: str,
    now: datetime,
    also: Also | None = None,
    after_group: AfterGroup | None = None,
) -> SuggestionSet:
    """Write boxes that were found as the next set of the model's project, and return it: see `_write`."""
    settings: dict[str, Any] = {
        "threshold": choice.threshold,
        "nms": choice.suppression,
        "every_mention": choice.every_mention,
        "coordinates": predictions_format,  # the name that sets have had since the first
        **({"max_pixels": max_pixels} if max_pixels else {}),
    }
    made = _begin(model, settings, found.report(), by, now)
    rows = (
        Suggestion(set=made, mention_id=mention, boxes=boxes) for mention, boxes in found.suggestions.items()
    )
    _write(made, Suggestion, rows, now, also, after_group)
    return made


def save_scores(
    *,
    model: ModelVersion,
    found: FoundScores,
    test_split: bool = False,
    by: str,
    now: datetime,
    also: Also | None = None,
) -> SuggestionSet:
    """Write scores that were found as the next set of the model's project, and return it: see `_write`."""
    made = _begin(model, {"test_split": test_split}, found.report(), by, now)
    rows = (
        PairScores(set=made, image_id=image, scores=[[*pair, score] for pair, score in sorted(own.items())])
        for image, own in found.scores.items()
    )
    _write(made, PairScores, rows, now, also)
    return made


def _begin(
    model: ModelVersion, settings: dict[str, Any], report: dict[str, Any], by: str, now: datetime
) -> SuggestionSet:
    with write_transaction():
        lock_project(model.project_id)
        newest = SuggestionSet.objects.filter(project=model.project_id).order_by("-number").first()
        return SuggestionSet.objects.create(
            project_id=model.project_id,
            number=newest.number + 1 if newest else 1,
            model=model,
            settings=settings,
            report=report,
            by=by,
            created_at=now,
        )


def _write(
    made: SuggestionSet,
    table: type[Suggestion | PairScores],
    rows: Iterator[Any],
    now: datetime,
    also: Also | None,
    after_group: AfterGroup | None = None,
) -> None:
    """Write the rows of a set in groups.

    The set is complete with the last of them, and `also` is called in its transaction. If it is stopped
    before, the set stays incomplete, and is never used; the next import makes another one. `after_group` is
    called with the number of rows of each group once it is written, outside of transactions. Raise
    SuggestionError if the project is deleted.
    """
    while some := list(islice(rows, ROWS_AT_ONCE)):
        with write_transaction():
            lock_project(made.project_id)
            table._default_manager.bulk_create(some)
        if after_group is not None:
            after_group(len(some))
    with write_transaction():
        lock_project(made.project_id)
        made.completed_at = now
        made.save(update_fields=["completed_at"])
        if also is not None:
            also(made)


def lock_project(project: int) -> None:
    """Lock the project's row: its deletion waits. Raise SuggestionError if it is deleted."""
    if not Project.objects.select_for_update(no_key=True).filter(pk=project).exists():
        raise SuggestionError("the project was deleted meanwhile")

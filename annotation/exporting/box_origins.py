"""How workers who were shown boxes of a model came to theirs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotation.domain.answers import parse_answer
from annotation.domain.geometry import Box as Rectangle
from annotation.domain.records import BoxFrom
from annotation.domain.suggested import SuggestedBox, large_enough, origin_of, origins
from annotation.models import Batch, Judgment, Suggestion, SuggestionSet

Place = tuple[int, int]
"""A judgment, and the place of a box in its answer."""
_Batch = tuple[int, dict[str, Any]]
"""The project and the settings of a batch."""


def box_origins(judgments: Collection[int]) -> dict[Place, BoxFrom]:
    """Return how each box of these judgments came about, if boxes of a model were shown with its item.

    A worker whose phrase had no suggestions, or whose page could not show them, drew without.

    Four queries, and one if no worker was shown any.
    """
    shown = Judgment.objects.filter(pk__in=judgments, suggested__gt=0, item__isnull=False)
    columns = ("pk", "item__stage", "answer", "item__chain__representative_id", "item__batch_id")
    rows = list(shown.values_list(*columns))
    batches = _batches({batch for *_, batch in rows})
    sets = _sets(batches.values())
    suggested = _suggested(sets, {mention for *_, mention, _ in rows})
    found: dict[Place, BoxFrom] = {}
    for pk, stage, answer, mention, batch in rows:
        project, settings = batches[batch]
        of = sets[project, settings["suggestions"]["set"]]
        boxes = large_enough(suggested.get((of.pk, mention), []), settings.get("minimum_side", 1))
        for place, one in enumerate(origins(parse_answer(stage, answer), boxes)):
            found[pk, place] = BoxFrom(pk, one.origin.value, str(of.model), one.overlap, one.score)
    return found


def decided_origin(decision: int, box: Rectangle, offered: Mapping[str, Any]) -> BoxFrom:
    """Return how a researcher came to a box, by the part `suggestions` of the decision's content."""
    found = next((one["from"] for one in offered["boxes"] if one["box"] == list(box.edges)), None)
    one = origin_of(box, found)
    return BoxFrom(None, one.origin.value, offered["model"], one.overlap, one.score, decision)


def _batches(ids: Collection[int]) -> dict[int, _Batch]:
    if not ids:
        return {}
    rows = Batch.objects.filter(pk__in=ids).values_list("pk", "project_id", "settings")
    return {pk: (project, settings) for pk, project, settings in rows}


def _sets(batches: Collection[_Batch]) -> dict[tuple[int, int], SuggestionSet]:
    """Return the sets that these batches show, by project and number."""
    if not batches:
        return {}
    rows = SuggestionSet.objects.filter(
        project__in={project for project, _ in batches},
        number__in={settings["suggestions"]["set"] for _, settings in batches},
    )
    return {(one.project_id, one.number): one for one in rows.select_related("model")}


def _suggested(
    sets: dict[tuple[int, int], SuggestionSet], mentions: Collection[int]
) -> dict[tuple[int, int], Sequence[SuggestedBox]]:
    if not sets:
        return {}
    rows: Any = Suggestion.objects.filter(set__in=sets.values(), mention__in=mentions)
    return {(of, mention): boxes for of, mention, boxes in rows.values_list("set_id", "mention_id", "boxes")}

"""Read what models add to the questions that they answered before workers."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from annotation.models import Batch, ModelAnswer
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.domain.verdicts import SEALED, ModelWeights


def weights_of_items(batches: Mapping[int, Batch], items: Q) -> dict[int, ModelWeights]:
    """Return what the judge of its batch adds to each item that it has answered, by item.

    `items` filters the answers: `Q(item__in=…)` or `Q(item__work__in=…)`. Answers that were set aside, and
    those that did not come in time, are there without a weight. One query, or none if no batch has a judge.
    """
    judges = {pk: name for pk, batch in batches.items() if (name := settings_of(batch).judge.model)}
    if not judges:
        return {}
    answers = ModelAnswer.objects.filter(items, item__batch__in=judges)
    rows = answers.values_list(
        "item_id", "item__batch_id", "model__name", "model__version", "weights", "set_aside_id"
    )
    return {
        item: SEALED if weights is None or aside else parse_weights(weights)
        for item, batch, name, version, weights, aside in rows
        if f"{name}/{version}" == judges[batch] and item is not None
    }


def parse_weights(weights: Mapping[str, object]) -> ModelWeights:
    """Read the weights as ModelAnswer stores them."""
    boxes, complete = weights["boxes"], weights["complete"]
    assert isinstance(boxes, list)
    assert isinstance(complete, float | int)
    return ModelWeights(tuple(map(float, boxes)), float(complete))

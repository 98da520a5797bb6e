"""Ask a model what waits for it, as far as its batches can pay for the answers, and charge them.

A question with a known answer belongs to no batch: the first running batch with room pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from annotation.models import Batch, ModelAnswer, ModelVersion
from workflows.judges.selectors import Waiting, batches_judged_by, held_items, shown_to_model, waiting_known
from workflows.money.model_calls import has_calls, price_of_calls, reserve_calls, spend_calls

_Asked = TypeVar("_Asked")


def ask_model(*, model: ModelVersion, limit: int, now: datetime) -> list[Waiting]:
    """Return at most `limit` questions that wait for the model: those with a known answer, then the oldest.

    What their answers cost is reserved before. What no batch can pay for is not asked. A handful of queries,
    and a few more for batches that pay.
    """
    batches = batches_judged_by(model)
    if not batches:
        return []
    known = waiting_known(model, limit)
    held = held_items([batch.pk for batch in batches]).order_by("pk")
    items = list(held.values_list("pk", "batch_id")[: limit - len(known)])

    def allow(batch: Batch, wanted: int) -> int:
        enough = has_calls(batch=batch, wanted=wanted)
        return wanted if enough else reserve_calls(batch=batch, wanted=wanted, now=now)

    of_batch = {batch.pk: [pk for pk, of in items if of == batch.pk] for batch in batches}
    found = _shared(batches, known, of_batch, allow, asking=set(of_batch))
    return shown_to_model(
        model,
        questions=[pk for _, some, _ in found for pk in some],
        items=sorted(pk for _, _, some in found for pk in some),
        now=now,
    )


def charge(
    model: ModelVersion, rows: Sequence[ModelAnswer], of_item: Mapping[int, Batch], *, now: datetime
) -> list[ModelAnswer]:
    """Say in each unsaved answer which batch pays for it. Return those that none can pay for.

    `of_item` has the batches of their items. Locks the budgets of those that pay, in order of their ids, so
    it comes after all other locks. Answers to known questions are free once no batch of the model runs.
    """
    known = [row for row in rows if row.item_id is None]
    asking = batches_judged_by(model) if known else []
    items: dict[int, list[ModelAnswer]] = {batch.pk: [] for batch in (*of_item.values(), *asking)}
    for row in rows:
        if row.item_id is not None:
            items[of_item[row.item_id].pk].append(row)

    def allow(batch: Batch, wanted: int) -> int:
        return reserve_calls(batch=batch, wanted=wanted, now=now)

    unpaid = [row for row in rows if asking or row.item_id is not None]
    paying = {batch.pk: batch for batch in (*of_item.values(), *asking)}
    in_order = [paying[pk] for pk in sorted(paying)]
    shared = _shared(in_order, known, items, allow, asking={batch.pk for batch in asking})
    for batch, questions, own in shared:
        for row in (*questions, *own):
            row.charged_to = batch if price_of_calls(batch) else None
            unpaid.remove(row)
    return unpaid


def spend_what_came(rows: Iterable[ModelAnswer], *, now: datetime) -> None:
    """Spend what was reserved for these stored answers, as far as they fill blocks."""
    charged = {row.charged_to.pk: row.charged_to for row in rows if row.charged_to is not None}
    for pk in sorted(charged):
        spend_calls(batch=charged[pk], now=now)


def _shared(
    batches: Sequence[Batch],
    known: Sequence[_Asked],
    items: Mapping[int, Sequence[_Asked]],
    allow: Callable[[Batch, int], int],
    *,
    asking: Collection[int],
) -> list[tuple[Batch, Sequence[_Asked], Sequence[_Asked]]]:
    """Return for each batch the known questions and the items that it can pay for, of those that are left.

    Only batches that are `asking` now pay for known questions.
    """
    found: list[tuple[Batch, Sequence[_Asked], Sequence[_Asked]]] = []
    rest = list(known)
    for batch in batches:
        mine = rest if batch.pk in asking else []
        own = items[batch.pk]
        wanted = len(mine) + len(own)
        allowed = allow(batch, wanted) if wanted else 0
        taken = mine[:allowed]
        rest = rest[len(taken) :]
        found.append((batch, taken, own[: allowed - len(taken)]))
    return found

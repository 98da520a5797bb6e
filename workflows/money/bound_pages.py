"""Bind money when a direct worker takes a page of a batch with a cap. Direct workers are those whom we pay.

The amount is the page's reward and the probable top-up to the wage floor. `crowd.direct.page_earnings` spends
the money or releases it.
"""

from __future__ import annotations

from datetime import datetime

from annotation.models import Assignment, Worker
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.money.domain.wage_floor import PageTime, is_direct, page_time, top_up
from workflows.money.ledger import reserve, room_under_cap
from workflows.money.models import Budget


def page_token(page: Assignment) -> str:
    """Return the token that the ledger knows a page by."""
    return f"page:{page.pk}"


def amount_to_bind(*, batch_id: int, worker_id: int, settings: BatchSettings, stage: str) -> int:
    """Return what one more page of the stage binds for this worker, in the currency's smallest unit.

    It is 0 where no money is bound: the batch has no cap, pages cost nothing, or a platform pays the worker.
    """
    if settings.crowd.cap is None or not _amount(settings, stage, {}):
        return 0
    if not is_direct(Worker.objects.values_list("provider", flat=True).get(pk=worker_id)):
        return 0
    times = Budget.objects.filter(batch=batch_id).values_list("times", flat=True).first()
    return _amount(settings, stage, times or {})


def has_room(*, batch_id: int, amount: int) -> bool:
    """Return whether the cap leaves this amount, as far as can be seen without locking the budget."""
    left = room_under_cap(batch_id)
    return left is None or left >= amount


def bind_page(*, page: Assignment, amount: int, now: datetime) -> None:
    """Bind the amount for a page that is being handed out. Locks the budget: call it last.

    Raises CapError if somebody else took what was left of the cap.
    """
    with write_transaction():
        page.bound = True
        page.save(update_fields=["bound"])
        reserve(
            batch_id=page.batch_id,
            token=page_token(page),
            amount=amount,
            currency=page.currency,
            now=now,
            assignment_id=page.pk,
            worker_id=page.worker_id,
        )


def _amount(settings: BatchSettings, stage: str, times: dict[str, int]) -> int:
    reward = settings.reward[stage]
    time = page_time((), stage=stage, items=settings.items_a_page[stage])
    if stage in times:
        time = PageTime(times[stage], 0)
    return reward + top_up(settings, reward=reward, time=time)

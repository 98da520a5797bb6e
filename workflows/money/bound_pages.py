"""Money for pages of workers whom we pay ourselves, bound as they take one, where the batch has a cap.

What is bound is the page's reward and what will probably be missing to the wage floor. `earning` spends it or
lets it go.
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
    """What the ledger knows a page of ours by."""
    return f"page:{page.pk}"


def binds(settings: BatchSettings, stage: str) -> bool:
    """Whether a page of the stage needs money to be bound."""
    return settings.crowd.cap is not None and _amount(settings, stage, {}) > 0


def has_room(*, batch_id: int, worker_id: int, settings: BatchSettings, stage: str) -> bool:
    """Whether the cap leaves enough for one more page, as far as can be seen without locking the budget."""
    if not binds(settings, stage) or not _paid_by_us(worker_id):
        return True
    left = room_under_cap(batch_id)
    return left is None or left >= _amount(settings, stage, _times(batch_id))


def bind_page(*, page: Assignment, settings: BatchSettings, now: datetime) -> None:
    """Bind the money of a page that is being handed out. Locks the budget: call it last.

    Raises CapError where somebody else took what was left.
    """
    if not binds(settings, page.stage) or not _paid_by_us(page.worker_id):
        return
    with write_transaction():
        page.bound = True
        page.save(update_fields=["bound"])
        reserve(
            batch_id=page.batch_id,
            token=page_token(page),
            amount=_amount(settings, page.stage, _times(page.batch_id)),
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


def _times(batch_id: int) -> dict[str, int]:
    return Budget.objects.filter(batch=batch_id).values_list("times", flat=True).first() or {}


def _paid_by_us(worker_id: int) -> bool:
    return is_direct(Worker.objects.values_list("provider", flat=True).get(pk=worker_id))

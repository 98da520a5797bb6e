"""Extra pay for direct workers: a part of the reward for a page that broke, or a bonus."""

from __future__ import annotations

import re
from datetime import datetime

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import MAX_REWARD
from workflows.batch_settings.selectors import settings_of
from workflows.core.audit_log import record_action
from workflows.money.domain.currencies import amount as money
from workflows.money.domain.wage_floor import is_direct
from workflows.money.earnings import record_earning

MAX_REASON_LENGTH = 200  # characters
PART = "part"
_TAKEN = ("page", "top-up")
"""Tokens under which the ledger has a page's reward and what the wage floor adds."""


class DirectPayError(Exception):
    """It cannot be paid like this; the message names the field and says why."""


def pay_more(
    *, page: Assignment, amount: int, reason: str, by: str, now: datetime, token: str = PART
) -> bool:
    """Owe the worker of a page `amount` more, in the currency's smallest unit; the next payroll pays it.

    `token` tells the payments for one page apart. Returns False if this was owed before under the same token.
    Raises DirectPayError if it cannot be paid like this, and CapError if the batch's cap leaves less.
    """
    if not is_direct(page.worker.provider):
        raise DirectPayError(f"page: {page.worker} is paid by {page.worker.provider}; use `crowd pay-part`")
    if not 1 <= amount <= MAX_REWARD:
        currency = settings_of(page.batch).currency
        least, most, given = (money(one, currency) for one in (1, MAX_REWARD, amount))
        raise DirectPayError(f"amount: give {least} to {most}, not {given}")
    if not 0 < len(reason) <= MAX_REASON_LENGTH or not reason.isprintable():
        raise DirectPayError(f"reason: say why, in at most {MAX_REASON_LENGTH} characters")
    if not re.fullmatch("[a-z0-9-]{1,32}", token) or token in _TAKEN:
        raise DirectPayError(f"token: 1 to 32 of a-z, 0-9 and -, but not {' or '.join(_TAKEN)}")
    with write_transaction():
        owed = record_earning(
            batch_id=page.batch_id,
            worker_id=page.worker_id,
            token=f"{token}:{page.pk}",
            bonuses=amount,
            assignment_id=page.pk,
            memo=reason,
            now=now,
        )
        if owed:
            record_action(
                by=by,
                action="crowd.part",
                now=now,
                project=page.batch.project,
                kind="worker",
                object=str(page.worker),
                object_id=page.worker_id,
                detail={"page": str(page.pk), "amount": amount, "reason": reason},
            )
    return owed

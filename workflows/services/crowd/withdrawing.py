"""Takes back a bonus or part that waits for a higher cap: one with a digit too many, say."""

from __future__ import annotations

from datetime import datetime

from annotation.transactions import write_transaction
from workflows.models import LedgerEntry, Payment
from workflows.services.crowd.deciding import VerbError
from workflows.services.crowd.moving import move
from workflows.services.crowd.owing import Kind, State, unpaid_key
from workflows.services.crowd.problems import close_problems

WITHDRAWN = (Kind.BONUS, Kind.PART)
"""What a researcher asked for; rewards and top-ups were promised to whoever did the work."""


def can_withdraw(payment: Payment) -> bool:
    return payment.state == State.WAITING and payment.kind in WITHDRAWN


def withdraw(*, payment_id: int, now: datetime) -> Payment:
    """Never pay it. Raises VerbError where it does not wait, was promised, or may have been asked for."""
    with write_transaction():
        # As whoever binds it does: of the two, one has it.
        payment = Payment.objects.select_for_update(no_key=True).get(pk=payment_id)
        name = f"Payment {payment.pk}"
        if payment.kind not in WITHDRAWN:
            raise VerbError(f"{name} was promised for work: only a bonus or a part can be withdrawn.")
        if payment.state != State.WAITING:
            raise VerbError(
                f"{name} is {payment.state}: only one that waits for the cap can be withdrawn. What is due "
                "may be on its way to the platform."
            )
        # Nothing is asked of a platform before its money is bound.
        if LedgerEntry.objects.filter(token=f"reserve:{payment.token}").exists():
            raise VerbError(f"{name} had its money bound: the platform may have been asked for it.")
        move(payment, State.WITHDRAWN, error="")
        close_problems(keys=[unpaid_key(payment)], now=now)
    return payment

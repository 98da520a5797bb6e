"""What researchers decide about a platform's workers and their pay.

These functions store the decision, and the next round carries it out: nothing here calls a platform. The
caller writes the audit entry (`workflows.core.audit_log`).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation.transactions import write_transaction
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment
from workflows.crowd.payments.book import override
from workflows.crowd.payments.owed import SETTLING, Kind, State, bind, owe_more, owe_reward
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.publish import mark_expiring
from workflows.crowd.rounds.lost_answers import lost_key
from workflows.crowd.transitions import move
from workflows.money.domain.currencies import amount as money
from workflows.money.models import LedgerEntry
from workflows.platforms.domain import is_token
from workflows.platforms.provider import Provider, RefusedError
from workflows.workers.models import Participation

MAX_BONUS = 1_000_000  # in the currency's smallest unit
MAX_REASON = 3000  # characters
LATELY = timedelta(hours=1)
"""A request that is repeated within this time may be a mistake: from another tab, or a shell's history."""


class EqualError(VerbError):
    """An equal payment was asked for LATELY. Whoever shows this adds how to confirm that it is meant."""


def approve(*, participation_id: int, by: str, now: datetime) -> Payment:
    """Owe the reward although the answers got lost, or although the place was rejected.

    Raises VerbError if the participation is approved already, or was never submitted.
    """
    with write_transaction():
        participation = _lock(participation_id)
        match participation.state:
            case Participation.State.APPROVED:
                raise VerbError(f"{participation} is approved already.")
            case Participation.State.OPENED | Participation.State.RETURNED:
                raise VerbError(
                    f"{participation} is not submitted on the platform: there is nothing to approve."
                )
        payment = override(participation=participation, now=now, by=by)
        if payment.state == State.FAILED:
            move(payment, State.DUE, error="")
        close_problems(keys=[lost_key(participation)], now=now, by=by)
        return payment


def reject(*, provider: Provider, participation_id: int, reason: str, by: str, now: datetime) -> Payment:
    """Refuse the reward, for a reason that the worker reads.

    No rule ever does this: whoever answered is paid, whatever becomes of the answers. If the platform refused
    an earlier rejection, it is asked again with this reason. Raises VerbError if the platform knows no
    rejections or would not take the reason, if the participation is not submitted, or if it is being paid.
    """
    reason = _reason(reason)
    if not provider.can_reject:
        raise VerbError("Nobody can be rejected on this platform.")
    try:
        # The writer can still change it now. The next round could only report that the platform refused it.
        provider.check_reason(reason)
    except RefusedError as error:
        raise VerbError(str(error)) from error
    with write_transaction():
        participation = _lock(participation_id)
        if participation.state != Participation.State.SUBMITTED:
            raise VerbError(
                f"{participation} is {participation.state}: only what is submitted can be rejected."
            )
        settling = Payment.objects.select_for_update(no_key=True).filter(kind__in=SETTLING)
        payment = settling.filter(participation=participation).first()
        if payment is None:
            payment = owe_reward(participation=participation, now=now, by=by)
            payment.kind, payment.reason = Kind.REFUSAL, reason
            payment.save(update_fields=["kind", "reason"])
        elif (payment.kind, payment.state) == (Kind.REFUSAL, State.FAILED):
            # The platform refused the old reason and would refuse it again. The new one takes its place.
            move(payment, State.DUE, reason=reason, by=by[:150], error="")
        elif (payment.kind, payment.state) == (Kind.REWARD, State.DUE) and provider.by_list:
            # It is on no list yet, so nobody has been asked to approve it.
            payment.kind, payment.reason, payment.by = Kind.REFUSAL, reason, by[:150]
            payment.save(update_fields=["kind", "reason", "by"])
        else:
            raise VerbError(f"{participation} is being paid or rejected already.")
        close_problems(keys=[lost_key(participation)], now=now, by=by)
    return payment


def pay_more(
    *,
    provider: Provider,
    participation_id: int,
    kind: Payment.Kind,
    amount: int,
    reason: str,
    token: str,
    again: bool = False,
    by: str,
    now: datetime,
) -> Payment:
    """Owe a BONUS, or a PART of the reward for a page that broke.

    `amount` is in the currency's smallest unit. With the same token again, nothing more is owed. If the
    batch's cap leaves no room, the payment waits and a problem is raised. Raises VerbError if it cannot be
    owed like this, and EqualError, unless `again` is True, if an equal payment for this participation was
    asked for LATELY.
    """
    if kind not in (Kind.BONUS, Kind.PART):
        raise VerbError(f"{kind} is neither a bonus nor a part.")
    if not is_token(token):
        raise VerbError("The token has to be 1 to 64 of A-Z, a-z, 0-9 and . _ : - without spaces.")
    participation = Participation.objects.select_related("publication", "worker").get(pk=participation_id)
    if not 1 <= amount <= MAX_BONUS:
        least, most, given = (
            money(one, participation.publication.currency) for one in (1, MAX_BONUS, amount)
        )
        raise VerbError(f"The amount has to be from {least} to {most}, not {given}.")
    if _is_taken(token):
        raise VerbError(f"The token {token} is that of something else: give another.")
    with write_transaction():
        # If two requests come at once, the second one sees what the first one has written.
        _lock(participation.pk)
        if not (again or Payment.objects.filter(token=token).exists()):
            _check_new(participation, kind, amount, now)
        payment = owe_more(
            provider=provider,
            participation=participation,
            kind=kind,
            amount=amount,
            reason=_reason(reason),
            token=token,
            now=now,
            by=by,
        )
    if (payment.participation_id, payment.kind, payment.amount) != (participation.pk, kind, amount):
        raise VerbError(
            f"The token {token} is that of another payment: {payment.get_kind_display()} of "
            f"{money(payment.amount, payment.currency)} for {payment.participation}. Give another, or none."
        )
    if payment.state == State.WITHDRAWN:
        raise VerbError(f"The token {token} is that of a payment that was withdrawn: give another, or none.")
    return payment


def _check_new(participation: Participation, kind: Payment.Kind, amount: int, now: datetime) -> None:
    """Raise EqualError if an equal payment was asked for LATELY and not withdrawn."""
    equal = participation.payments.filter(kind=kind, amount=amount, created_at__gt=now - LATELY)
    if equal.exclude(state=State.WITHDRAWN).exists():
        raise EqualError(
            f"The same, a {kind.label.lower()} of {money(amount, participation.publication.currency)} for "
            f"{participation.worker.external_id}, was asked for within the last hour."
        )


def _is_taken(token: str) -> bool:
    """Return whether the ledger may have something else under this token, so that no money would be bound."""
    if token.startswith(("reward-", "page:")):
        return True
    reserved = LedgerEntry.objects.filter(token=f"reserve:{token}")
    return reserved.exists() and not Payment.objects.filter(token=token).exists()


def retry(*, payment_id: int, now: datetime) -> bool:
    """Let the next round ask the platform again for a payment that it refused or that waits for the cap.

    Returns False if the payment did neither, or if the cap still leaves no room.
    """
    payment = Payment.objects.select_related("participation__publication", "participation__worker").get(
        pk=payment_id
    )
    if payment.state == State.WAITING:
        return bind(payment=payment, now=now)
    return payment.state == State.FAILED and move(payment, State.DUE, error="")


def expire(*, publication_id: int) -> bool:
    """Mark a publication to be closed on the platform; whoever is at work can still submit.

    Returns False if it was marked before, or is over.
    """
    return mark_expiring([publication_id]) == 1


def _lock(participation_id: int) -> Participation:
    return (
        Participation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("publication", "worker")
        .get(pk=participation_id)
    )


def _reason(reason: str) -> str:
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON:
        raise VerbError(f"Give a reason of 1 to {MAX_REASON} characters: the worker reads it.")
    return reason

"""Money that is reserved for publications and for single payments, and its release once it is not needed."""

from __future__ import annotations

from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Payment, Publication
from workflows.crowd.transitions import move
from workflows.money import ledger
from workflows.money.models import LedgerEntry
from workflows.platforms.provider import Life, Published
from workflows.workers.models import Participation

_AGAIN = "/"  # before the number of a later reservation; no token that a person chooses contains it
UNSETTLED = (Participation.State.OPENED, Participation.State.SUBMITTED)
"""Participations that may still cost their reward."""


def release_unused(*, publication: Publication, published: Published, now: datetime) -> bool:
    """Release the money of places that nobody uses or can use; return whether the publication is settled now.

    `published` is what the platform says now. Money stays reserved for everybody at work, as the platform or
    we know it, and for submissions that are neither approved nor rejected.
    """
    if published.life == Life.OPEN or published.free:
        return False
    with write_transaction():
        current = Publication.objects.select_for_update(no_key=True).get(pk=publication.pk)
        if published.life == Life.CLOSED and published.places < current.places and not current.expiring:
            return False  # it was extended after that look, so more places can be taken
        unsettled = Participation.objects.filter(publication=current, state__in=UNSETTLED)
        states = list(unsettled.values_list("state", flat=True))
        submitted = states.count(Participation.State.SUBMITTED)
        bound = submitted + max(published.working, len(states) - submitted)
        # While somebody may still get a place, they may fail its test.
        over = current.expiring or bound == 0
        left = 0 if over else screen_outs_left(current)
        release_to(publication=current, places=min(bound, current.places), screen_outs=left, now=now)
        return bound == 0 and move(current, Publication.State.SETTLED)


def reservations(publication: Publication) -> list[str]:
    """Return the tokens under which a publication's money is reserved: its own, then its extensions'."""
    entries = LedgerEntry.objects.filter(
        publication=publication, kind=LedgerEntry.Kind.RESERVE, participation=None
    )
    return list(entries.order_by("pk").values_list("under", flat=True))


def cost_of(publication: Publication, *, places: int, screen_outs: int) -> int:
    """Return what so many places and failed tests cost with their fees, in smallest units.

    A place ends with its reward or with less, so one that is taken needs no more than that.
    """
    whole = places * (publication.reward + publication.fee)
    return whole + screen_outs * (publication.screen_out + publication.screen_out_fee)


def screen_outs_left(publication: Publication) -> int:
    """Return how many more failed tests the publication pays."""
    if not publication.screen_outs:
        return 0
    paid = Payment.objects.filter(kind=Payment.Kind.SCREENED, participation__publication=publication)
    return max(0, publication.screen_outs - paid.count())


def release_to(*, publication: Publication, places: int, now: datetime, screen_outs: int = 0) -> int:
    """Keep money for `places` places and `screen_outs` failed tests at most; return how much was released.

    Call this inside a transaction that has locked the publication.
    """
    keep = cost_of(publication, places=places, screen_outs=screen_outs)
    released = 0
    for token in reservations(publication):
        left = ledger.still_reserved(token)
        kept = min(left, keep)
        keep -= kept
        if left > kept:
            ledger.release(
                token=f"{token}:{left}",
                reserved_under=token,
                amount=left - kept,
                now=now,
                publication_id=publication.pk,
            )
            released += left - kept
    return released


def own_reservations(payment: Payment) -> list[str]:
    """Return the tokens under which a payment's own money is or was reserved, oldest first.

    There is another one for each time that the money was released and reserved again.
    """
    entries = LedgerEntry.objects.filter(
        participation=payment.participation_id, kind=LedgerEntry.Kind.RESERVE
    )
    under = entries.order_by("pk").values_list("under", flat=True)
    return [one for one in under if one == payment.token or one.startswith(f"{payment.token}{_AGAIN}")]


def next_own(payment: Payment) -> str:
    """Return the token under which to reserve a payment's own money now."""
    before = len(own_reservations(payment))
    return f"{payment.token}{_AGAIN}{before + 1}" if before else payment.token


def release_own(*, payment: Payment, now: datetime) -> int:
    """Release a payment's own money; return how much, in smallest units.

    Call this inside a transaction that has locked the payment.
    """
    participation, released = payment.participation, 0
    for token in own_reservations(payment):
        if left := ledger.still_reserved(token):
            ledger.release(
                token=token,
                reserved_under=token,
                amount=left,
                now=now,
                publication_id=participation.publication_id,
                participation_id=participation.pk,
            )
            released += left
    return released

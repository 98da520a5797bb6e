"""Compare the ledger with payments and publications: what `verify_ledger` checks beyond the ledger itself."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Concat, Substr

from workflows.crowd.models import Payment, Publication
from workflows.crowd.publications.reservations import reservations
from workflows.money.book_check import ENTRIES_AT_ONCE, check_ledger
from workflows.money.domain.currencies import amount as money
from workflows.money.domain.ledger import Kind
from workflows.money.ledger_rows import left_under
from workflows.money.models import LedgerEntry


def verify_books(*, project_id: int | None = None) -> list[str]:
    """Check the whole ledger, also against payments and publications. Return a line for each mistake."""
    return check_ledger(project_id, more=(_not_booked, _not_bound))


def _not_booked(project_id: int | None) -> Iterator[str]:
    """Yield a line for each payment that was made and is not in the ledger, and the other way round."""
    payments = Payment.objects.filter(Q(amount__gt=0) | Q(fee__gt=0), state=Payment.State.DONE)
    payments = payments.exclude(kind=Payment.Kind.REFUSAL)
    entries = LedgerEntry.objects.filter(kind__in=(Kind.COMMIT, Kind.BONUS), participation__isnull=False)
    commit = f"{Kind.COMMIT}:"
    booked = LedgerEntry.objects.filter(token=Concat(Value(commit), OuterRef("token")))
    made = payments.filter(token=Substr(OuterRef("token"), len(commit) + 1))
    if project_id is not None:
        payments = payments.filter(participation__publication__batch__project=project_id)
        entries = entries.filter(batch__project=project_id)
    for token in payments.filter(~Exists(booked)).values_list("token", flat=True).iterator(ENTRIES_AT_ONCE):
        yield f"payment {token}: it was made, and is not in the ledger"
    for token in entries.filter(~Exists(made)).values_list("token", flat=True).iterator(ENTRIES_AT_ONCE):
        yield f"{token}: no payment was made for it"


def _not_bound(project_id: int | None) -> Iterator[str]:
    """Yield a line for each publication without the money for its free places, unless it is being closed."""
    there = Publication.objects.filter(state=Publication.State.OPEN, free__gt=0, expiring=False)
    if project_id is not None:
        there = there.filter(batch__project=project_id)
    for publication in there.order_by("pk"):
        needed = publication.free * (publication.reward + publication.fee)
        bound = sum(left_under(reservations(publication)).values())
        if bound < needed:
            needs, has = money(needed, publication.currency), money(bound, publication.currency)
            free = f"its {publication.free} free places"
            yield f"publication {publication}: {free} need {needs}, and {has} is reserved"

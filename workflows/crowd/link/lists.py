"""Lists to and fro: the platform's list of participants comes in, and a list of whom to pay goes out.

An uploaded list is stored at once, and the next round takes it from there, as it would from a platform that
can be asked. A list that goes out is what makes a payment: taken out again, it is the same list.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet, Sum

from annotation.models import Batch
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.link.domain.place_lists import ListError, Row, read_list
from workflows.crowd.models import Payment, Publication
from workflows.crowd.participations.selectors import COMPLETE
from workflows.crowd.payments.book import book, secure
from workflows.crowd.payments.owed import SETTLING
from workflows.money.domain.currencies import plain
from workflows.platforms.link.models import LinkStudy, ListedPlace
from workflows.platforms.provider import Stand
from workflows.workers.models import Participation

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Taken:
    """What an uploaded list says."""

    places: int  # that it names and that are known here
    strangers: tuple[str, ...]  # participants whom it names and who never came here
    stands: Mapping[Stand, int] = field(default_factory=dict)  # the places, by what it says of them
    not_carried: int = 0  # places that we have booked as paid, and that it does not call approved


def take_list(*, batch: Batch, data: bytes, now: datetime) -> Taken:
    """Store what the platform's list says of the batch's places; the next round confirms and settles them.

    A place that no list has named for as long as its time lasted counts as given back. Repeating it changes
    nothing. Raises ListError if the list cannot be read; then nothing is stored.
    """
    names = settings_of(batch).by_link
    rows = read_list(data, participant=names.participant, assignment=names.assignment)
    places = Participation.objects.filter(publication__batch=batch, publication__provider=LINK)
    found, strangers = _matched(rows, places)
    if not found:
        raise ListError("The list names no place of this batch: is it the list of another study?")
    for pk in _in_hand(places, now):
        if found.get(pk, _NOBODY).stand in (Stand.SUBMITTED, Stand.WORKING):
            del found[pk]
    publications = Publication.objects.filter(batch=batch, provider=LINK)
    with write_transaction():
        # Locked in this order: two lists that come at once are taken one after the other.
        list(publications.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
        ListedPlace.objects.bulk_create(
            [
                ListedPlace(
                    participation_id=pk, stand=row.stand, submitted_at=row.submitted_at, listed_at=now
                )
                for pk, row in sorted(found.items())
            ],
            update_conflicts=True,
            unique_fields=["participation"],
            update_fields=["stand", "submitted_at", "listed_at"],
            batch_size=AT_ONCE,
        )
        LinkStudy.objects.filter(token__in=publications.values("token")).update(listed_at=now)
        # A place that an earlier list did not name, and that counted as given back, is looked at again.
        named = publications.filter(participations__listed__listed_at=now)
        again = list(named.filter(state=Publication.State.SETTLED).values_list("pk", flat=True))
        Publication.objects.filter(pk__in=again).update(state=Publication.State.CLOSED)
        publications.filter(state__in=(Publication.State.OPEN, Publication.State.CLOSED)).update(hinted=True)
    unpaid = (Stand.SUBMITTED, Stand.REJECTED)
    waiting = [pk for pk, row in found.items() if row.told and row.stand in unpaid]
    booked = _payments(batch).filter(kind=Payment.Kind.REWARD, taken_out_at__lt=now)
    return Taken(
        len(found),
        strangers,
        Counter(row.stand for row in found.values()),
        booked.filter(participation__in=waiting).count(),
    )


def _matched(rows: Sequence[Row], places: QuerySet[Participation]) -> tuple[dict[int, Row], tuple[str, ...]]:
    """Return the row of each place that the list names, and the participants who have none.

    A row without a place's id is about the one place of its participant.
    """
    one: dict[tuple[str, str], int] = {}
    several: defaultdict[str, list[int]] = defaultdict(list)
    for pk, place, worker in places.values_list("pk", "external_id", "worker__external_id").order_by("pk"):
        one[place, worker] = pk
        several[worker].append(pk)
    found: dict[int, Row] = {}
    strangers: dict[str, None] = {}
    for row in rows:
        if row.assignment and (row.assignment, row.participant) in one:
            found[one[row.assignment, row.participant]] = row
        elif not row.assignment and row.participant in several:
            found |= dict.fromkeys(several[row.participant], row)
        else:
            strangers[row.participant] = None
    return found, tuple(strangers)


_NOBODY = Row(0, "", "", Stand.RETURNED, None)


def _in_hand(places: QuerySet[Participation], now: datetime) -> list[int]:
    """Return the places whose workers may still hand in pages.

    A list of ids alone says that they have submitted on the platform. It is no news of them before they have
    handed in everything here, or before their time is over.
    """
    opened = places.filter(state=Participation.State.OPENED).exclude(COMPLETE)
    rows = opened.values_list("pk", "opened_at", "publication__work_seconds")
    return [pk for pk, at, seconds in rows if now < at + timedelta(seconds=seconds) + SLACK]


MAX_LINES = 1000
"""Lines of one list: they are booked while somebody waits for the page."""
HEADER = ("participant", "assignment", "what", "amount", "currency", "reason")
_WHAT = {Payment.Kind.REWARD: "approve", Payment.Kind.REFUSAL: "reject"}


def due(batch: Batch) -> QuerySet[Payment]:
    """Return what waits to be taken out.

    What the newest list of the platform says comes first, also before a round has read it: a place that it
    has approved, refused or that was given back is not paid. A researcher's own decision stands.
    """
    settling = Q(kind__in=SETTLING)
    gone = Q(participation__state=Participation.State.RETURNED)
    gone |= Q(participation__listed__stand__in=(Stand.APPROVED, Stand.RETURNED))
    refused = Q(kind=Payment.Kind.REWARD, by="", participation__listed__stand=Stand.REJECTED)
    open_now = _payments(batch).filter(state=Payment.State.DUE)
    return open_now.exclude(pk__in=open_now.filter((settling & gone) | refused).values("pk")).order_by("pk")


def _payments(batch: Batch) -> QuerySet[Payment]:
    return Payment.objects.filter(
        participation__publication__batch=batch, participation__publication__provider=LINK
    ).select_related("participation__publication", "participation__worker")


def take_out(*, batch: Batch, now: datetime) -> int:
    """Book what is due as paid now, so that it is on the list of this moment; return how many lines it has.

    A list has at most MAX_LINES. The rest waits for the next one.
    Each payment is booked in a transaction of its own. If a process stops in between, the list of this moment
    has those that are booked, and the next one the others. A payment for which the batch's cap has no room
    stays.
    """
    booked = 0
    for payment in due(batch)[:MAX_LINES]:
        if not secure(payment=payment, now=now):
            continue
        with write_transaction():
            if book(payment=payment, now=now):
                Payment.objects.filter(pk=payment.pk).update(taken_out_at=now)
                booked += 1
    return booked


@dataclass(frozen=True, slots=True)
class PayList:
    """A list that was taken out."""

    at: datetime
    lines: int
    amount: int  # what it pays, in the currency's smallest unit


def pay_lists(batch: Batch) -> list[PayList]:
    """Return the lists that were taken out, the newest first."""
    out = _payments(batch).filter(taken_out_at__isnull=False).order_by()
    paid = dict(out.exclude(kind=Payment.Kind.REFUSAL).values_list("taken_out_at").annotate(Sum("amount")))
    counts = out.values_list("taken_out_at").annotate(Count("pk")).order_by("-taken_out_at")
    return [PayList(at, lines, paid.get(at) or 0) for at, lines in counts]


def lines_of(batch: Batch, at: datetime) -> Iterator[tuple[str, ...]]:
    """Yield the lines of the list of this moment, below HEADER."""
    listed = _payments(batch).filter(taken_out_at=at)
    for one in listed.order_by("pk").iterator():
        kind = Payment.Kind(one.kind)
        yield (
            one.participation.worker.external_id,
            one.participation.external_id,
            _WHAT.get(kind, "bonus"),
            "" if kind == Payment.Kind.REFUSAL else plain(one.amount, one.currency),
            one.currency,
            one.reason,
        )

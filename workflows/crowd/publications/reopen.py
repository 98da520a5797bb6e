"""Reopen a settled publication that the platform has open again: its released money is reserved anew."""

from __future__ import annotations

import uuid
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Publication
from workflows.crowd.publications.publish import mark_expiring
from workflows.crowd.publications.reservations import cost_of, reservations, screen_outs_left
from workflows.money import ledger

State = Publication.State


def reopen(*, publication: Publication, places: int, now: datetime) -> bool:
    """Reopen the publication, with money reserved for `places` places.

    Returns False if the batch's cap leaves no room. Then the publication is marked to be closed on the
    platform, and payments for places that were taken wait for a higher cap.
    """
    try:
        with write_transaction():
            current = Publication.objects.select_for_update(no_key=True).get(pk=publication.pk)
            _take_up(publication)
            _bind(current, places, now)
    except ledger.CapError:
        _take_up(publication)
        mark_expiring([publication.pk])
        publication.expiring = True
        return False
    return True


def _take_up(publication: Publication) -> None:
    # If two processes find it at once, one of them moves it. The next look says whether it is open.
    Publication.objects.filter(pk=publication.pk, state=State.SETTLED).update(state=State.CLOSED)
    publication.state = State.CLOSED


def _bind(publication: Publication, places: int, now: datetime) -> None:
    tokens = reservations(publication)
    bound = sum(ledger.still_reserved(token) for token in tokens)
    missing = cost_of(publication, places=places, screen_outs=screen_outs_left(publication)) - bound
    if missing > 0:
        ledger.reserve(
            batch_id=publication.batch_id,
            token=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{publication.token}/again/{len(tokens)}")),
            amount=missing,
            currency=publication.currency,
            now=now,
            publication_id=publication.pk,
        )

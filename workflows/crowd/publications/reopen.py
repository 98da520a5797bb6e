"""A settled publication that the platform has open again: its money was let go of, and is bound anew."""

from __future__ import annotations

import uuid
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.models import Publication
from workflows.crowd.publications.publish import mark_expiring
from workflows.crowd.publications.reservations import reservations
from workflows.money import ledger

State = Publication.State


def reopen(*, publication: Publication, places: int, now: datetime) -> bool:
    """Take it up again with so many places bound; False, and it is to be closed there, where the cap leaves
    no room for them: who took one already is paid as payments that wait for a higher cap are."""
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
    # Of two who find it at once one takes it up: looking at it says whether it is open.
    Publication.objects.filter(pk=publication.pk, state=State.SETTLED).update(state=State.CLOSED)
    publication.state = State.CLOSED


def _bind(publication: Publication, places: int, now: datetime) -> None:
    tokens = reservations(publication)
    bound = sum(ledger.still_reserved(token) for token in tokens)
    missing = places * (publication.reward + publication.fee) - bound
    if missing > 0:
        ledger.reserve(
            batch_id=publication.batch_id,
            token=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{publication.token}/again/{len(tokens)}")),
            amount=missing,
            currency=publication.currency,
            now=now,
            publication_id=publication.pk,
        )

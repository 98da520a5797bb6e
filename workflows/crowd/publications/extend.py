"""More places on a publication that is out already: reserved and stored first, then asked for."""

from __future__ import annotations

import uuid
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Publication
from workflows.crowd.provider import Provider, Published, RefusedError
from workflows.crowd.publications.reservations import release_to, reservations
from workflows.money import ledger

MOST = 1000


def extend(*, provider: Provider, publication_id: int, more: int, now: datetime) -> None:
    """Publish `more` places on it. Raises VerbError, also where the platform refuses, and ProviderError.

    After an UnavailableError the next round asks again.
    """
    if not 1 <= more <= MOST:
        raise VerbError(f"The number of places more has to be from 1 to {MOST}.")
    try:
        with write_transaction():
            publication = (
                Publication.objects.select_for_update(no_key=True, of=("self",))
                .select_related("batch")
                .get(pk=publication_id)
            )
            _reserve(provider, publication, more, now)
            publication.places += more
            publication.save(update_fields=["places"])
    except ledger.CapError as error:
        raise VerbError(f"{error}: raise the batch's cap first.") from error
    published = provider.look(publication.external_id)
    if published is not None and not bring_up(
        provider=provider, publication=publication, published=published, now=now
    ):
        raise VerbError("The platform refuses so many places: publish another one instead.")


def _reserve(provider: Provider, publication: Publication, more: int, now: datetime) -> None:
    open_now = publication.state in (Publication.State.OPEN, Publication.State.CLOSED)
    if not open_now or publication.expiring or publication.expires_at <= now:
        raise VerbError(f"{publication} is closed: what items wait for is published anew by itself.")
    masters = settings_of(publication.batch).crowd.masters
    fee = provider.fee(publication.reward, places=publication.places + more, masters=masters)
    if fee != publication.fee:
        raise VerbError("So many places would make each of them dearer: publish another one instead.")
    if publication.reward + fee:
        ledger.reserve(
            batch_id=publication.batch_id,
            token=_token(publication, len(reservations(publication))),
            amount=more * (publication.reward + fee),
            currency=publication.currency,
            now=now,
            publication_id=publication.pk,
        )


def bring_up(*, provider: Provider, publication: Publication, published: Published, now: datetime) -> bool:
    """Ask for places that were stored and are not there; False where it refuses, and they are gone."""
    missing = publication.places - published.places
    if missing <= 0:
        return True
    token = _token(publication, len(reservations(publication)) - 1)
    try:
        provider.extend(publication.external_id, more=missing, token=token)
    except RefusedError:
        with write_transaction():
            current = Publication.objects.select_for_update(no_key=True).get(pk=publication.pk)
            if current.places == publication.places:
                release_to(publication=current, places=published.places, now=now)
                current.places = published.places
                current.save(update_fields=["places"])
        return False
    return True


def _token(publication: Publication, number: int) -> str:
    """Of the extension of this number, the first being 1."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{publication.token}/{number}"))

"""Add places to an open publication: first reserve and store them, then ask the platform for them."""

from __future__ import annotations

import uuid
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Publication
from workflows.crowd.problems import say_no_funds
from workflows.crowd.publications.reservations import release_to, reservations, screen_outs_left
from workflows.money import ledger
from workflows.platforms.provider import NoFundsError, Provider, Published, RefusedError

MAX_PLACES = 1000  # places of one extension


def extend(*, provider: Provider, publication_id: int, more: int, now: datetime) -> None:
    """Add `more` places to a publication.

    Raises VerbError if that cannot be done, if the batch's cap leaves no room or if the platform refuses.
    Raises ProviderError if the platform cannot be asked now; after an UnavailableError, the next round asks
    again.
    """
    if not 1 <= more <= MAX_PLACES:
        raise VerbError(f"The number of places to add has to be from 1 to {MAX_PLACES}.")
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


def grow(*, provider: Provider, publication_id: int, more: int, now: datetime) -> bool:
    """Store `more` places of an open publication and reserve their money; the next look brings it up.

    Returns False, and changes nothing, if it cannot have more. Raises CapError if the batch's cap leaves no
    room. Call this inside a transaction.
    """
    publication = (
        Publication.objects.select_for_update(no_key=True, of=("self",))
        .select_related("batch")
        .get(pk=publication_id)
    )
    try:
        _reserve(provider, publication, more, now)
    except VerbError:
        return False
    publication.places, publication.free = publication.places + more, publication.free + more
    publication.hinted, publication.extended_at = True, now
    publication.save(update_fields=["places", "free", "hinted", "extended_at"])
    return True


def _reserve(provider: Provider, publication: Publication, more: int, now: datetime) -> None:
    open_now = publication.state in (Publication.State.OPEN, Publication.State.CLOSED)
    if not open_now or publication.expiring or publication.expires_at <= now:
        raise VerbError(
            f"{publication} is closed: places that items wait for are published anew by themselves."
        )
    masters = settings_of(publication.batch).crowd.masters
    fee = provider.fee(publication.reward, places=publication.places + more, masters=masters)
    if fee != publication.fee:
        raise VerbError("So many places would raise the fee of each: publish another one instead.")
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
    """Ask the platform for places that are stored here and missing there; return whether they are there.

    If the platform refuses, the places are removed here, their money is released, and the publication grows
    no more. Raises NoFundsError if the account is empty: a problem says so, and the next look asks again.
    """
    missing = publication.places - published.places
    if missing <= 0:
        return True
    try:
        provider.extend(publication.external_id, more=missing, token=_target(publication))
    except NoFundsError as error:
        say_no_funds(provider=provider, error=str(error), now=now)
        raise
    except RefusedError:
        with write_transaction():
            current = Publication.objects.select_for_update(no_key=True).get(pk=publication.pk)
            if current.places == publication.places:
                release_to(
                    publication=current,
                    places=published.places,
                    screen_outs=screen_outs_left(current),
                    now=now,
                )
                current.places, current.grows = published.places, False
                current.save(update_fields=["places", "grows"])
        return False
    return True


def _target(publication: Publication) -> str:
    """Return the token of an extension to so many places: asked again, it is the same extension."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{publication.token}/to/{publication.places}"))


def _token(publication: Publication, number: int) -> str:
    """Return the token of the publication's extension of this number, counted from 1."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{publication.token}/{number}"))

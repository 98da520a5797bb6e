"""Write off a publication that the platform has lost, and release its money."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from annotation.transactions import write_transaction
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Publication
from workflows.crowd.publications.reservations import release_to
from workflows.crowd.transitions import move
from workflows.platforms.provider import Life, Provider, Published, Stand, Submitted
from workflows.workers.models import Participation

State = Publication.State


def write_off(*, provider: Provider, publication_id: int, now: datetime) -> int:
    """Settle a publication that the platform has lost; return how much money was released, in smallest units.

    Raises VerbError if somebody may still work on it, or if a submission waits to be decided. Raises
    ProviderError if the platform does not answer; then nothing is released.
    """
    before = Publication.objects.get(pk=publication_id)
    if before.state not in (State.OPEN, State.CLOSED):
        raise VerbError(f"{before} is {before.state}: only what is open or closed can be written off.")
    published = provider.look(before.external_id)
    if published is None or published.life == Life.GONE:
        if before.created_at + SLACK > now:
            raise VerbError(f"{before} is new: the platform may not list it yet. Try again in ten minutes.")
    elif why := _still_used(published, provider.submissions(before.external_id)):
        raise VerbError(f"{before} is on the platform, and {why}: it settles by itself. End it, and wait.")
    with write_transaction():
        publication = Publication.objects.select_for_update(no_key=True).get(pk=publication_id)
        if (publication.state, publication.places) != (before.state, before.places):
            raise VerbError(f"{publication} has changed meanwhile: try again.")
        if publication.participations.filter(state=Participation.State.SUBMITTED).exists():
            raise VerbError(f"{publication} has submissions that are neither approved nor rejected.")
        released = release_to(publication=publication, places=0, now=now)
        move(publication, State.SETTLED, free=0)
    return released


def _still_used(published: Published, submissions: Iterable[Submitted]) -> str:
    """Return, in words, what may still cost money; an empty text if nothing may."""
    if published.life == Life.OPEN or published.free:
        return "open"
    stands = {one.stand for one in submissions}
    if published.working or Stand.WORKING in stands:
        return "somebody is at work on it"
    return "something that was submitted waits" if Stand.SUBMITTED in stands else ""

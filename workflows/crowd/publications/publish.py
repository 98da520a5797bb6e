"""Publish planned publications, and close those that are to end.

A process may stop anywhere in between: the next round goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.db.models import QuerySet

from annotation.models import Batch
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.core.time_slices import Turn
from workflows.crowd.models import Problem, Publication
from workflows.crowd.problems import close_problems, funds_key, raise_problem, say_no_funds
from workflows.crowd.publications.grants import asked_for
from workflows.crowd.publications.orders import order_of
from workflows.crowd.publications.plan import refused_key, waiting
from workflows.crowd.publications.reservations import release_to
from workflows.crowd.transitions import move
from workflows.platforms.failure_budget import Attempts, rotated
from workflows.platforms.provider import (
    Life,
    NoFundsError,
    Order,
    Provider,
    Published,
    RefusedError,
    UnknownObjectError,
)

GRACE = timedelta(minutes=5)
"""A planned publication is not given up sooner: a call of a process that died may still be on its way."""
IDLE = timedelta(minutes=10)
"""A publication with free places stays open for this long even if no item waits for them."""

State = Publication.State


def publications_of(provider: Provider) -> QuerySet[Publication]:
    """Return the publications on this platform, in the provider's environment."""
    return Publication.objects.filter(
        provider=provider.name, environment=provider.environment
    ).select_related("batch__project")


def publish(*, provider: Provider, now: datetime, turn: Turn | None = None) -> Attempts:
    """Publish what is planned, also where an earlier call may have published it already."""
    attempts = Attempts()
    planned = publications_of(provider).filter(state=State.PLANNED).order_by("pk")
    for publication in attempts.each(rotated(planned, now), turn):
        with attempts.one():
            attempts.done += publish_one(provider=provider, publication=publication, now=now)
        if attempts.broke:
            break
    return attempts


def publish_one(*, provider: Provider, publication: Publication, now: datetime) -> bool:
    """Publish one planned publication, and return whether it is stored as published.

    If the platform refuses it, it fails and a problem is raised. Raises UnavailableError and NoFundsError;
    then it stays planned, and the next round tries again.
    """
    # Read again: the round has made calls since it read the row, and the batch may have been cancelled.
    publication = publications_of(provider).get(pk=publication.pk)
    if publication.state != State.PLANNED:
        return False
    if publication.batch.state != Batch.State.RUNNING or publication.expiring:
        return _look_for(provider, publication, now)
    try:
        published = provider.publish(_order(provider, publication))
    except NoFundsError as error:
        say_no_funds(provider=provider, error=str(error), now=now)
        raise
    except RefusedError as error:
        if fail(publication=publication, error=str(error), now=now):
            raise_problem(
                key=refused_key(publication.batch_id, publication.stage),
                kind=Problem.Kind.REFUSED,
                detail=f"The platform refuses to publish {publication.stage}: {error} "
                "Nothing more of this stage is published until this problem is closed.",
                now=now,
                publication=publication,
            )
        return False
    close_problems(keys=[funds_key(provider)], now=now)
    return adopt(publication=publication, published=published, now=now)


def _look_for(provider: Provider, publication: Publication, now: datetime) -> bool:
    """Find a planned publication that is not wanted any more, so that it is closed; else give it up."""
    published = provider.find(publication.token)
    if published is not None:
        return adopt(publication=publication, published=published, now=now)
    if publication.created_at + GRACE <= now:
        fail(publication=publication, error="The batch ended before it was published.", now=now)
    return False


def adopt(*, publication: Publication, published: Published, now: datetime) -> bool:
    """Record that the platform has the publication; return False if that was stored before.

    If the platform has no end for it, its lifetime begins now: it may have been planned long ago.
    """
    is_open = published.life == Life.OPEN
    ends = publication.expires_at
    if is_open:
        ends += now - publication.created_at
    return move(
        publication,
        State.OPEN if is_open else State.CLOSED,
        external_id=published.external_id,
        free=published.free,
        expires_at=published.expires_at or ends,
        error="",
    )


def fail(*, publication: Publication, error: str, now: datetime) -> bool:
    """Record that the platform refused the publication, and release the money reserved for it.

    Returns False if its state does not allow that any more.
    """
    with write_transaction():
        if not move(publication, State.FAILED, error=error, free=0):
            return False
        release_to(publication=publication, places=0, now=now)
    return True


def end_surplus(*, provider: Provider, now: datetime) -> int:
    """Mark publications that are to be closed, and return how many.

    Those are publications whose time is over, since not every platform ends them; those of batches that do
    not run; and those older than IDLE with free places for which no item waits.
    """
    ours = publications_of(provider).filter(expiring=False)
    late = ours.filter(state=State.OPEN, expires_at__lte=now)
    found = mark_expiring(late.values_list("pk", flat=True))
    over = ours.filter(state__in=(State.PLANNED, State.OPEN)).exclude(batch__state=Batch.State.RUNNING)
    found += mark_expiring(over.values_list("pk", flat=True))
    idle = ours.filter(state=State.OPEN, free__gt=0, created_at__lte=now - IDLE)
    idle = idle.exclude(extended_at__gt=now - IDLE)
    stages: dict[tuple[int, str], list[int]] = {}
    for pk, batch_id, stage in idle.values_list("pk", "batch_id", "stage"):
        stages.setdefault((batch_id, stage), []).append(pk)
    for (batch_id, stage), several in stages.items():
        if not waiting(batch_id, stage, 1):
            found += mark_expiring(several)
    return found


def mark_expiring(ids: Iterable[int]) -> int:
    """Mark these publications to be closed on the platform, and return how many were not marked before."""
    with write_transaction():
        several = Publication.objects.filter(pk__in=list(ids), expiring=False)
        return several.filter(state__in=(State.PLANNED, State.OPEN, State.CLOSED)).update(expiring=True)


def close_marked(*, provider: Provider, now: datetime, turn: Turn | None = None) -> Attempts:
    """Close the marked publications on the platform."""
    attempts = Attempts()
    marked = publications_of(provider).filter(state=State.OPEN, expiring=True).order_by("pk")
    for publication in attempts.each(rotated(marked, now), turn):
        with attempts.one():
            # Nobody can take what is not there any more. The next look at it will say that it is gone.
            with suppress(UnknownObjectError):
                provider.expire(publication.external_id)
            # So that it is looked at soon, and unused money is released.
            Publication.objects.filter(pk=publication.pk).update(hinted=True)
            attempts.done += move(
                publication, State.CLOSED, free=0, expires_at=min(now, publication.expires_at)
            )
    return attempts


def _order(provider: Provider, publication: Publication) -> Order:
    batch = publication.batch
    holding, lacking = asked_for(
        provider=provider, project=batch.project, settings=settings_of(batch), stage=publication.stage
    )
    return order_of(publication, holding=holding, lacking=lacking)

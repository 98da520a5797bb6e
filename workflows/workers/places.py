"""Read the places that workers took on platforms: their batch, and whether the worker is confirmed."""

from __future__ import annotations

from django.db.models import QuerySet

from workflows.workers.models import Participation


def unconfirmed_participation(participation_id: int | None) -> int | None:
    """Return the given id if no platform has confirmed the participation's worker, else None."""
    if participation_id is None:
        return None
    doubtful = Participation.objects.filter(pk=participation_id, confirmed=False)
    return participation_id if doubtful.exists() else None


def batch_of_participation(participation_id: int | None) -> int | None:
    """Return the id of the participation's batch; None for None."""
    if participation_id is None:
        return None
    places = Participation.objects.filter(pk=participation_id)
    return places.values_list("publication__batch", flat=True).first()


def unconfirmed_participations(*, worker_id: int) -> QuerySet[Participation]:
    """Return the worker's unconfirmed participations whose origin (a hashed address) is known."""
    return Participation.objects.filter(worker_id=worker_id, confirmed=False).exclude(origin="")


def nearby_participations(*, worker_id: int, place: int) -> QuerySet[Participation]:
    """Return the worker's unconfirmed participations that have the origin of the participation `place`."""
    here = Participation.objects.filter(pk=place)
    return unconfirmed_participations(worker_id=worker_id).filter(origin__in=here.values("origin"))

"""Look up what is known of places on a platform: which batch they are of, and whether they are confirmed."""

from __future__ import annotations

from django.db.models import QuerySet

from workflows.workers.models import Participation


def unconfirmed(participation_id: int | None) -> int | None:
    """The participation, where no platform has confirmed its worker; None for everybody else."""
    if participation_id is None:
        return None
    doubtful = Participation.objects.filter(pk=participation_id, confirmed=False)
    return participation_id if doubtful.exists() else None


def batch_of(participation_id: int | None) -> int | None:
    """The batch that a place is of; None without a place."""
    if participation_id is None:
        return None
    places = Participation.objects.filter(pk=participation_id)
    return places.values_list("publication__batch", flat=True).first()


def unconfirmed_places(*, worker_id: int) -> QuerySet[Participation]:
    """Places under this name that nobody has confirmed, of which it is known where they were opened from."""
    return Participation.objects.filter(worker_id=worker_id, confirmed=False).exclude(origin="")

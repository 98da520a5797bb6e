"""Screen-outs: a worker who fails the qualification test of a place is paid for it, and others get the place.

Only Prolific pays so. It pays each place that comes back with a code for it; we give the code once a worker
and stage, and whoever comes again is asked to return the place.
"""

from __future__ import annotations

from datetime import datetime

from annotation.models import QualificationTry
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.models import Payment
from workflows.crowd.participations.departures import drop_returned
from workflows.qualification.tries import count_tries
from workflows.quality.admission import Admission, admissions, tries_of
from workflows.workers.enrolment import lock_worker
from workflows.workers.models import Participation
from workflows.workers.places import unconfirmed_participation

_FAILED = (Admission.WAITING, Admission.CLOSED)


def is_screened_out(participation: Participation, *, now: datetime) -> bool:
    """Return whether the worker of this open place has failed its test here, and is paid for that.

    The participation's publication and batch should be loaded with it.
    """
    publication, worker = participation.publication, participation.worker_id
    stage = publication.stage
    if not publication.screen_outs or participation.assignment_id is not None:
        return False
    place = unconfirmed_participation(participation.pk)
    failed = tries_of(worker_id=worker, place=place).filter(
        stage=stage, state=QualificationTry.State.FAILED, ended_at__gte=participation.opened_at
    )
    if not failed.exists():
        return False
    settings = settings_of(publication.batch)
    found = admissions(worker_id=worker, settings=settings, stages=[stage], now=now, place=place)
    return found[stage][0] in _FAILED and not paid_before(participation)


def paid_before(participation: Participation) -> bool:
    """Return whether another failed test of this worker's in the stage was paid."""
    paid = Payment.objects.filter(
        kind=Payment.Kind.SCREENED,
        participation__worker=participation.worker_id,
        participation__publication__stage=participation.publication.stage,
    )
    return paid.exclude(participation=participation.pk).exists()


def end_screened_out(*, participation_id: int, now: datetime) -> None:
    """Give others a place whose worker failed its test. The platform confirms them, so the try counts."""
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        if not participation.confirmed and participation.state != Participation.State.RETURNED:
            lock_worker(participation.worker_id, may_be_blocked=True)
            origin, participation.origin = participation.origin, ""
            participation.save(update_fields=["origin"])
            count_tries(worker_id=participation.worker_id, place=participation.pk, origin=origin, now=now)
    drop_returned(participation_id=participation_id, now=now)

"""Arrivals by a batch's address: who comes gets a place in a stage that has work for them.

The platform has one study for the batch, so the address says who came and not for which stage. A worker who
comes again, also on another device, goes on with the place they have.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q

from annotation.models import Batch
from annotation.transactions import write_transaction
from workflows.assignments.claim import ClaimError, NotAdmittedError
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.domain.settings import BatchSettings, stages_by_need
from workflows.batch_settings.selectors import settings_of
from workflows.core.locks import lock_until_commit
from workflows.crowd.models import Publication
from workflows.crowd.participations.departures import drop_returned
from workflows.crowd.participations.sessions import (
    NoPublicationError,
    Progress,
    Session,
    begin,
    claim_place,
)
from workflows.crowd.participations.strangers import CrowdedError
from workflows.crowd.publications.plan import waiting
from workflows.quality.domain.stage_access import Access
from workflows.workers.enrolment import WorkerBlockedError
from workflows.workers.models import Participation

_CAN_WAIT = (Access.TEST, Access.WAITING)
"""Why a stage is not open to a worker who can still do something about it."""
_State = Participation.State
_DECIDED = (_State.SUBMITTED, _State.APPROVED, _State.REJECTED)


@dataclass(frozen=True, slots=True)
class Arrival:
    """The session of a worker who came; None if there is no work for them, or not any more."""

    session: Session | None
    assignment: str  # the id of their place
    soon: bool = False  # whether items wait for which places are still to be published


def arrive(*, batch: Batch, worker: str, assignment: str, now: datetime, address: str | None) -> Arrival:
    """Return the session of who came by the batch's address. The first page is leased.

    `worker` is the platform's id of the participant, and `assignment` its id of the place; without one, a
    participant has one place in the batch. `address` is where the request came from, None if that is not
    known. Raises LimitedError if too many have come from the address.
    """
    place, settings = assignment or worker, settings_of(batch)
    with write_transaction():
        # Two requests of one participant come one after the other: the second finds the place of the first.
        lock_until_commit(f"arrival/{batch.pk}/{worker}/{place}")
        session = _arrive(batch, place, worker, settings, now, address)
    soon = session is None and batch.state == Batch.State.RUNNING and _is_unpublished(batch, settings)
    return Arrival(session, place, soon)


def _arrive(
    batch: Batch, place: str, worker: str, settings: BatchSettings, now: datetime, address: str | None
) -> Session | None:
    known = _known(batch, place, worker)
    if known is not None and (known.assignment_id is not None or known.state in _DECIDED):
        return _begin(known.publication, place, worker, settings, now, address)
    participation = known
    for publication in _open(batch, settings, known):
        if participation is not None and participation.publication_id != publication.pk:
            Participation.objects.filter(pk=participation.pk).update(publication=publication)
        try:
            participation = _begin(publication, place, worker, settings, now, address).participation
        except (CrowdedError, NoPublicationError):
            continue
        if _has_work(participation, now):
            current = Participation.objects.select_related(
                "publication__batch__project", "assignment", "worker"
            )
            return Session(current.get(pk=participation.pk), Progress.WORKING)
    if participation is not None:
        drop_returned(participation_id=participation.pk, now=now)
    return None


def _is_unpublished(batch: Batch, settings: BatchSettings) -> bool:
    """Return whether items wait in a stage without a free place: the next round may publish some."""
    free = {one.stage for one in _open(batch, settings, None)}
    return any(stage not in free and waiting(batch.pk, stage, 1) for stage in settings.stages)


def _known(batch: Batch, place: str, worker: str) -> Participation | None:
    """Return the place of a worker who came before. One that was given back comes last."""
    there = Participation.objects.select_related("publication").filter(
        publication__batch=batch,
        publication__provider=LINK,
        external_id=place,
        worker__external_id=worker,
    )
    return max(there, key=lambda one: (one.state != _State.RETURNED, one.pk), default=None)


def _begin(
    publication: Publication,
    place: str,
    worker: str,
    settings: BatchSettings,
    now: datetime,
    address: str | None,
) -> Session:
    return begin(
        token=publication.token,
        stage=publication.stage,
        external_id=place,
        worker=worker,
        confirmed=settings.by_link.trusted,
        submit_to="",
        now=now,
        address=address,
    )


def _open(batch: Batch, settings: BatchSettings, known: Participation | None) -> list[Publication]:
    """Return the publications with a free place, in the order in which their stages need work.

    That of a place which the worker has already comes first: they may be in its qualification test.
    """
    taken = Count("participations", filter=~Q(participations__state=_State.RETURNED))
    there = (
        Publication.objects.filter(batch=batch, provider=LINK, state=Publication.State.OPEN, expiring=False)
        .annotate(taken=taken)
        .filter(taken__lt=F("places"))
    )
    by_stage: dict[str, list[Publication]] = {}
    for one in there.order_by("-pk"):
        by_stage.setdefault(one.stage, []).append(one)
    free = {stage: waiting(batch.pk, stage, settings.items_a_page[stage]) for stage in by_stage}
    ordered = [one for stage in stages_by_need(free, settings) for one in by_stage[stage]]
    if known is None:
        return ordered
    return [known.publication, *(one for one in ordered if one.pk != known.publication_id)]


def _has_work(participation: Participation, now: datetime) -> bool:
    """Return whether a page is leased for the worker, or whether they can pass a test to get one."""
    try:
        found = claim_place(participation_id=participation.pk, stage=None, key="", now=now)
    except NotAdmittedError as error:
        return error.standing in _CAN_WAIT
    except WorkerBlockedError:
        return False
    except ClaimError:
        return True
    return found is not None

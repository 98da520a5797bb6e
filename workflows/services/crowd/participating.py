"""Who came from a platform: their hold of a place, and the one page it is for.

Nobody vouches for the names in an address. So whatever is done under one that the platform has not confirmed
is bound to its participation, and counts nowhere yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from annotation.models import Assignment, Worker
from annotation.transactions import write_transaction
from workflows.domain.crowd.reporting import most_participations
from workflows.models import Participation, Publication
from workflows.services.crowd.moving import move
from workflows.services.dispatch import Claim, ClaimError, Place, claim
from workflows.services.releasing import release
from workflows.services.workers import lock_worker

WORKABLE = (Publication.State.OPEN, Publication.State.CLOSED)


class NoPublicationError(Exception):
    """Nothing was published under this token for this stage, or it is over."""


class NotOpenYetError(Exception):
    """The platform shows it already and has not answered us yet. Later it is open."""


class CrowdedError(Exception):
    """More people opened it than its places explain."""


class Progress(StrEnum):
    """Where a session is."""

    WORKING = "working"  # there is a page to claim, or one in hand
    SUBMITTED = "submitted"  # the answers are here; the platform has to be told
    OVER = "over"  # the platform was told, or has it back


@dataclass(frozen=True, slots=True)
class Session:
    """A worker's hold of a place, and what there is to do."""

    participation: Participation
    progress: Progress


def published(*, token: str, stage: str) -> Publication:
    """What was published under the token for the stage; raises NoPublicationError."""
    found = Publication.objects.select_related("batch__project").filter(token=token, stage=stage).first()
    if found is None:
        raise NoPublicationError
    return found


def begin(
    *,
    token: str,
    stage: str,
    external_id: str,
    worker: str,
    confirmed: bool,
    submit_to: str,
    now: datetime,
) -> Session:
    """The session of a platform's worker at a place of theirs; the same however often it is asked for.

    `external_id` is the platform's of the place, `worker` its name for the worker; `confirmed` where it can
    be trusted. Raises NoPublicationError, NotOpenYetError, CrowdedError.
    """
    with write_transaction():
        # Locked: else two who come at once could both be the last one there is room for.
        publication = (
            Publication.objects.select_for_update(no_key=True, of=("self",))
            .select_related("batch__project")
            .filter(token=token, stage=stage)
            .first()
        )
        if publication is None:
            raise NoPublicationError
        known = publication.participations.filter(external_id=external_id, worker__external_id=worker)
        participation = known.select_related("assignment").first()
        if participation is None:
            participation = _open(publication, external_id, worker, confirmed, submit_to, now)
        elif submit_to and submit_to != participation.submit_to:
            participation.submit_to = submit_to
            participation.save(update_fields=["submit_to"])
        participation.publication = publication
        if _is_taken_again(publication, participation):
            move(participation, Participation.State.OPENED, settled_at=None)
    return Session(participation, _progress(publication, participation))


def _open(
    publication: Publication, external_id: str, worker: str, confirmed: bool, submit_to: str, now: datetime
) -> Participation:
    if publication.state == Publication.State.PLANNED:
        raise NotOpenYetError
    if publication.state not in WORKABLE:
        raise NoPublicationError
    if publication.participations.count() >= most_participations(publication.places):
        raise CrowdedError
    enrolled, _ = Worker.objects.get_or_create(
        project=publication.batch.project, provider=publication.provider, external_id=worker
    )
    return Participation.objects.create(
        publication=publication,
        external_id=external_id,
        worker=enrolled,
        confirmed=confirmed,
        submit_to=submit_to,
        opened_at=now,
    )


def _is_taken_again(publication: Publication, participation: Participation) -> bool:
    """Whether who gave a place back has it again: platforms tell of it by nothing but the page's opening.

    Not where answers were kept under a name that turned out to be another's.
    """
    page = participation.assignment
    return (
        participation.state == Participation.State.RETURNED
        and publication.state in WORKABLE
        and (page is None or page.held is None)
    )


def _progress(publication: Publication, participation: Participation) -> Progress:
    page = participation.assignment
    if participation.state != Participation.State.OPENED:
        return Progress.OVER
    if page is not None and page.receipt is not None:
        return Progress.SUBMITTED
    return Progress.WORKING if publication.state in WORKABLE else Progress.OVER


def claim_place(*, participation_id: int, stage: str | None, key: str, now: datetime) -> Claim | None:
    """The one page of this participation, leased on the first call; None where there is none for the worker.

    `stage` and `key` are what the client thinks it is, or nothing. Raises what `dispatch.claim` does, and
    ClaimError for another stage or key, or a page that was submitted.
    """
    with write_transaction():
        participation = (
            Participation.objects.select_for_update(no_key=True, of=("self",))
            .select_related("publication", "assignment")
            .get(pk=participation_id)
        )
        publication, page = participation.publication, participation.assignment
        if stage not in (None, publication.stage) or key not in ("", participation.external_id):
            raise ClaimError("Your session is for one page of another task. Open the task you want to do.")
        if page is not None and page.receipt is not None:
            raise ClaimError("The answers of this page are here already. Tell the platform that it is done.")
        if page is not None and page.state == Assignment.State.RETURNED:
            return None
        if participation.state != Participation.State.OPENED:
            return None
        found = claim(
            worker_id=participation.worker_id,
            stage=publication.stage,
            now=now,
            key=participation.external_id,
            at=Place(
                batch_id=publication.batch_id,
                reward=publication.reward,
                currency=publication.currency,
                confirmed=participation.confirmed,
            ),
        )
        if found is not None and page is None:
            participation.assignment = found.assignment
            participation.save(update_fields=["assignment"])
    return found


def drop_stranger(*, participation_id: int, now: datetime) -> bool:
    """Give the page of a participation to others whose worker the platform does not confirm.

    Its answers are kept, and count no more than before. Returns whether anything changed.
    """
    return _leave(participation_id, now)


def drop_returned(*, participation_id: int, now: datetime) -> bool:
    """The same for who gave the place back at the platform, or let its time run out."""
    return _leave(participation_id, now)


def _leave(participation_id: int, now: datetime) -> bool:
    with write_transaction():
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation_id)
        lock_worker(participation.worker_id, may_be_blocked=True)
        moved = move(participation, Participation.State.RETURNED, settled_at=now)
        held = Assignment.objects.select_for_update(no_key=True).filter(state=Assignment.State.LIVE)
        page = held.filter(participation=participation).first()
        if page is not None:
            # One that was just left can be gone on with, as after a lease that ran out.
            left = Assignment.State.EXPIRED if page.held is None else Assignment.State.RETURNED
            release([page], left)
    return moved or page is not None

"""Sessions of workers who come from a platform: the place that each holds, and the pages that it is for.

Anybody can write a name into an address. So what is done under a name that the platform has not confirmed is
bound to its participation, and does not count yet.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import OperationalError
from django.db.models import Q

from annotation.models import Assignment, Worker
from annotation.transactions import write_transaction
from workflows.assignments.claim import Claim, ClaimError, NotAdmittedError, Place, claim
from workflows.assignments.page_view import shown_page
from workflows.crowd.invitations.rate_limits import check_openings, origin_of
from workflows.crowd.models import Publication
from workflows.crowd.participations.departures import end_lease
from workflows.crowd.participations.screen_outs import is_screened_out
from workflows.crowd.participations.selectors import has_held_answers, is_complete
from workflows.crowd.participations.strangers import NoRoomError, check_crowd, make_room
from workflows.crowd.transitions import move
from workflows.workers.enrolment import WorkerBlockedError
from workflows.workers.models import Participation

logger = logging.getLogger(__name__)

WORKABLE = (Publication.State.OPEN, Publication.State.CLOSED)
"""Publications on whose places workers may be at work."""
ANSWERABLE = (
    Participation.State.OPENED,
    Participation.State.SUBMITTED,
    Participation.State.APPROVED,
)
"""Participations whose answers may still come."""
LEFT = Q(
    state=Participation.State.RETURNED,
    publication__state__in=WORKABLE,
    assignment__state=Assignment.State.EXPIRED,
    assignment__receipt__isnull=True,
)
"""Places that seem to be given back, with a page that nobody answered. Their workers may still be at it: a
platform that does not name them was believed once their time was over, and a clock may have been wrong."""
EARLY_PAUSE = timedelta(hours=1)
"""For this long, a worker whose place ended early gets no other place of several pages in the stage: it would
be paid whole for the few pages that are left for them [ours]."""
_MAX_KEY = 120
ROUNDS = 3
"""How often a claim tries to make room: others may come in between."""


class NoPublicationError(Exception):
    """Nothing was published under this token for this stage, or it is over."""


class NotOpenYetError(Exception):
    """The platform shows the publication already, and has not answered our call yet. Try again later."""


class Progress(StrEnum):
    """How far a session has come."""

    WORKING = "working"  # there is a page to claim, or one in hand
    SUBMITTED = "submitted"  # the answers are here, or those of a failed test; tell the platform
    OVER = "over"  # the platform was told, or the place was given back


@dataclass(frozen=True, slots=True)
class Session:
    """The place that a worker holds, and how far they have come."""

    participation: Participation
    progress: Progress
    screened_out: bool = False  # the worker failed the test, and the platform pays for it once it is told


def published(*, token: str, stage: str) -> Publication:
    """Return the publication under the token for the stage. Raises NoPublicationError."""
    found = Publication.objects.select_related("batch__project").filter(token=token, stage=stage).first()
    if found is None:
        raise NoPublicationError
    return found


def is_live(*, participation_id: int, stage: str) -> bool:
    """Return whether a page of the stage may be worked on in this place, as far as we know."""
    live = Participation.objects.filter(state=Participation.State.OPENED, publication__state__in=WORKABLE)
    return live.filter(pk=participation_id, publication__stage=stage).exists()


def may_touch(*, participation_id: int, page_id: UUID, handing_in: bool) -> bool:
    """Return whether the worker who has this place may do anything with the page.

    `handing_in` says that they submit its answers. Those may come a little after the platform was told; and a
    page that was submitted may be submitted again, whatever became of the place.
    """
    place = Participation.objects.filter(pk=participation_id)
    live = Q(state=Participation.State.OPENED, publication__state__in=WORKABLE)
    if handing_in:
        live = Q(state__in=ANSWERABLE) | Q(assignment__receipt__isnull=False)
    if place.filter(live | LEFT, assignment=page_id).exists():
        return True
    return handing_in and place.filter(earlier_pages=page_id).exists()


def resume_place(*, participation_id: int, now: datetime) -> None:
    """Open a place again that seemed to be given back, since its worker hands the page in after all.

    The answers are held until the platform confirms the worker, as everybody's are who comes back.
    """
    left = Participation.objects.filter(LEFT, pk=participation_id).first()
    if left is not None:
        move(left, Participation.State.OPENED, settled_at=None, opened_at=now)


def begin(
    *,
    token: str,
    stage: str,
    external_id: str,
    worker: str,
    confirmed: bool,
    submit_to: str,
    now: datetime,
    address: str | None = None,
) -> Session:
    """Return the session of a platform's worker in a place of theirs; open it on the first call.

    `external_id` is the platform's id of the place and `worker` its id of the worker. `confirmed` says that
    the platform has vouched for both. `address` is where the request came from, None if that is not known.
    Raises NoPublicationError and NotOpenYetError; for a new session also CrowdedError if too many have come
    to the publication, and LimitedError if too many have come from the address.
    """
    origin = "" if confirmed else origin_of(address)
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
            participation = _open(publication, external_id, worker, confirmed, submit_to, origin, now)
        if submit_to and submit_to != participation.submit_to:
            participation.submit_to = submit_to
            participation.save(update_fields=["submit_to"])
        participation.publication = publication
        if _is_taken_again(publication, participation):
            # The time for the page begins anew, or a worker who comes back would count as gone at once.
            move(participation, Participation.State.OPENED, settled_at=None, opened_at=now, origin=origin)
    progress = _progress(publication, participation)
    if progress == Progress.WORKING and is_screened_out(participation, now=now):
        return Session(participation, Progress.SUBMITTED, screened_out=True)
    return Session(participation, progress)


def _open(
    publication: Publication,
    external_id: str,
    worker: str,
    confirmed: bool,
    submit_to: str,
    origin: str,
    now: datetime,
) -> Participation:
    if publication.state == Publication.State.PLANNED:
        raise NotOpenYetError
    if publication.state not in WORKABLE:
        raise NoPublicationError
    if not confirmed:
        check_crowd(publication=publication, origin=origin, now=now)
        check_openings(origin=origin, now=now)
    enrolled, _ = Worker.objects.get_or_create(
        project=publication.batch.project, provider=publication.provider, external_id=worker
    )
    # A round with the platform may have heard of the place this moment. It does not lock the publication.
    participation, _ = Participation.objects.select_related("assignment").get_or_create(
        publication=publication,
        external_id=external_id,
        worker=enrolled,
        defaults={"confirmed": confirmed, "submit_to": submit_to, "opened_at": now, "origin": origin},
    )
    return participation


def _is_taken_again(publication: Publication, participation: Participation) -> bool:
    """Return whether a worker who gave a place back has it again; only the page's opening shows that.

    If answers are held, the name has turned out to be another's, and the place stays given back.
    """
    return (
        participation.state == Participation.State.RETURNED
        and publication.state in WORKABLE
        and not has_held_answers(participation)
    )


def _progress(publication: Publication, participation: Participation) -> Progress:
    if participation.state != Participation.State.OPENED:
        return Progress.OVER
    if is_complete(participation):
        return Progress.SUBMITTED
    return Progress.WORKING if publication.state in WORKABLE else Progress.OVER


def claim_place(*, participation_id: int, stage: str | None, key: str, now: datetime) -> Claim | None:
    """Return the page in hand of this participation, or the next one, leased; None if there is none.

    The next page comes once the one before is submitted. If there is none then, or none for this worker, the
    place has ended early: it is complete with the pages that it has.

    `stage` and `key` are what the client thinks they are, or nothing. If more unconfirmed workers have come
    than there are places, some of them lose their leases, or this one gets no page (see
    `workflows.crowd.participations.strangers`). Raises what `workflows.assignments.claim.claim` raises, and
    ClaimError if the stage or key is another one, or if all pages were submitted.
    """
    for left in reversed(range(ROUNDS)):
        try:
            found = _claim_place(participation_id, stage, key, now)
        except NoRoomError as error:
            # After the last try, nobody must lose a page any more.
            if not (error.displaced and left):
                return None
            # These locks come before those of a claim, so this is done outside its transaction.
            for one in error.displaced:
                end_lease(participation_id=one)
        except (NotAdmittedError, WorkerBlockedError):
            if _end_early(participation_id):
                return None
            raise
        else:
            if found is None:
                _end_early(participation_id)
            return found
    return None


def claim_next_page(*, participation_id: int, now: datetime) -> dict[str, Any] | None:
    """Lease and show the page after one that was submitted in this place; None if there is none now.

    The submission is stored, and its worker waits for the receipt. So whatever is in the way of another page
    is not an error here: the session says what to do.
    """
    try:
        found = claim_place(participation_id=participation_id, stage=None, key="", now=now)
        return shown_page(found.assignment, now=now) if found else None
    except (ClaimError, NotAdmittedError, WorkerBlockedError):
        return None
    except OperationalError as error:
        logger.warning("no page comes with a receipt: %s", " ".join(str(error).split()))
        return None


def _end_early(participation_id: int) -> bool:
    """Let a place end that gets no further page; return whether it has ended so.

    It has not if its page in hand is not submitted, or if it has none.
    """
    live = Participation.objects.filter(pk=participation_id, state=Participation.State.OPENED)
    return live.filter(assignment__receipt__isnull=False).update(ended_early=True) == 1


def _claim_place(participation_id: int, stage: str | None, key: str, now: datetime) -> Claim | None:
    with write_transaction():
        # Locked: else two who come at once could both be the last one there is room for.
        publication = Publication.objects.select_for_update(no_key=True, of=("self",)).get(
            participations=participation_id
        )
        participation = (
            Participation.objects.select_for_update(no_key=True, of=("self",))
            .select_related("assignment")
            .get(pk=participation_id)
        )
        participation.publication = publication
        page = participation.assignment
        if stage not in (None, publication.stage) or key not in ("", participation.external_id):
            raise ClaimError("Your session is for pages of another task. Open the task you want to do.")
        if is_complete(participation):
            raise ClaimError("All answers are here already. Tell the platform that you are done.")
        submitted = page is not None and page.receipt is not None
        if page is not None and page.state == Assignment.State.RETURNED and not submitted:
            return None
        if participation.state != Participation.State.OPENED or publication.state not in WORKABLE:
            return None
        if page is None and _ended_early_of_late(participation, publication, now):
            return None
        # Whoever was given room for a place has it until the place ends.
        if page is None and not participation.confirmed:
            make_room(publication=publication, participation=participation)
        number = participation.page_number + submitted
        found = claim(
            worker_id=participation.worker_id,
            stage=publication.stage,
            now=now,
            key=page_key(participation.external_id, number),
            at=Place(
                batch_id=publication.batch_id,
                reward=publication.reward // publication.pages,
                currency=publication.currency,
                confirmed=participation.confirmed,
                participation_id=participation.pk,
                first=page is None,
            ),
        )
        if found is not None and (page is None or submitted):
            if page is not None:
                participation.earlier_pages.add(page)
            participation.assignment, participation.page_number = found.assignment, number
            participation.save(update_fields=["assignment", "page_number"])
    return found


def _ended_early_of_late(participation: Participation, publication: Publication, now: datetime) -> bool:
    """Return whether a place of the worker's in this stage has just run out of pages: another would, too."""
    before = Participation.objects.filter(
        worker=participation.worker_id,
        publication__batch=publication.batch_id,
        publication__stage=publication.stage,
        ended_early=True,
        opened_at__gt=now - EARLY_PAUSE,
    )
    return publication.pages > 1 and before.exists()


def page_key(external_id: str, number: int) -> str:
    """Return the key of a place's page with this number, counted from 1: each page has one of its own."""
    return external_id if number == 1 else f"{external_id[:_MAX_KEY]}#{number}"

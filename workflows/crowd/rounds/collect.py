"""Collect what a platform knows about our publications: who works, who submitted, what was approved.

Only what has changed is asked for: a list of many publications says at which to look, and their counts say
whether to ask for submissions. Each submission is stored in a transaction of its own. If a process stops
anywhere in between, the next look finds the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from annotation.models import Assignment
from annotation.transactions import write_transaction
from workflows.assignments.leases import CLOCKS_APART
from workflows.core.time_slices import Turn
from workflows.crowd.domain.absence import SLACK, has_left
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.participations.departures import drop_returned, drop_stranger
from workflows.crowd.participations.held_answers import confirm_pages
from workflows.crowd.participations.selectors import has_answers, has_held_answers, pages_done
from workflows.crowd.participations.strangers import end_unexplained
from workflows.crowd.payments.book import platform_paid, platform_refused
from workflows.crowd.payments.owed import SETTLING, owe_reward
from workflows.crowd.problems import close_problems, raise_problem
from workflows.crowd.publications.extend import bring_up
from workflows.crowd.publications.reservations import release_unused
from workflows.crowd.rounds.domain.polls import LocalParticipation, in_turn, is_counted, is_final, is_known
from workflows.crowd.rounds.due_publications import due_publications, published_list, see_known
from workflows.crowd.rounds.local_state import local_publications
from workflows.crowd.rounds.lost_answers import lost_key
from workflows.crowd.rounds.screen_outs import end_without_screen_outs, take_screened_out
from workflows.crowd.transitions import move
from workflows.platforms.failure_budget import Attempts
from workflows.platforms.provider import Life, NoFundsError, Provider, Published, Stand, Submitted
from workflows.workers.enrolment import enrol_worker
from workflows.workers.models import Participation

State = Participation.State
KEPT = (Assignment.State.LIVE, Assignment.State.SUBMITTED)
"""States of pages that are leased, or whose answers count."""
OVER = (Payment.State.DONE, Payment.State.WITHDRAWN)
"""States of payments for which nothing is left to do."""


def collect(*, provider: Provider, now: datetime, patient: bool = True, turn: Turn | None = None) -> Attempts:
    """Look at the publications whose turn it is, and store what the platform says.

    If `patient` is False, look at all that are not over, and ask for all their submissions.
    """
    attempts, turn = Attempts(), turn or Turn()
    due = due_publications(provider, now, patient)
    _mend_times(due, now)
    on_list = published_list(provider, due, attempts, turn) if patient else {}
    known = see_known(due, on_list, now)
    left = [one for one in due if one.pk not in known]
    ordered = in_turn([one for one in left if one.hinted], [one for one in left if not one.hinted])
    for publication in attempts.each(ordered, turn):
        failed = attempts.failed
        with attempts.one():
            attempts.done += collect_one(
                provider=provider,
                publication=publication,
                now=now,
                listed=on_list.get(publication.pk),
                thorough=not patient,
            )
        if attempts.failed > failed:  # move it behind all others that wait
            Publication.objects.filter(pk=publication.pk).update(seen_at=now)
    return attempts


def _mend_times(publications: Collection[Publication], now: datetime) -> None:
    """Let workers whose time of coming is in the future count as having come now: the clock was set back.

    Otherwise, the money for their places would stay reserved until that time has passed.
    """
    opened = Participation.objects.filter(publication__in=publications, state=State.OPENED)
    opened.filter(opened_at__gt=now + CLOCKS_APART).update(opened_at=now)


def collect_one(
    *,
    provider: Provider,
    publication: Publication,
    now: datetime,
    listed: Published | None = None,
    thorough: bool = True,
) -> int:
    """Store what the platform says of a publication; return how many submissions are new here.

    `listed` is what a list has just said of it. Unless `thorough`, its submissions are asked for only if the
    platform's counts differ from ours. Raises ProviderError.
    """
    # Cleared before the look, so that a notification that comes while we look leads to another look.
    Publication.objects.filter(pk=publication.pk, hinted=True).update(hinted=False)
    final = listed is not None and is_final(listed)
    published = listed if final else provider.look(publication.external_id)
    if published is None:
        return _is_gone(publication, now)
    if published.places < publication.places and not publication.expiring:
        with suppress(NoFundsError):  # what was submitted is collected all the same
            bring_up(provider=provider, publication=publication, published=published, now=now)
        published = provider.look(publication.external_id)  # the places have changed since the first look
        if published is None:
            return _is_gone(publication, now)
    new = 0
    if thorough or not _is_counted(publication, published, now):
        submissions = list(provider.submissions(publication.external_id))
        end_unexplained(publication=publication, published=published, submissions=submissions, now=now)
        new = take_submissions(provider=provider, publication=publication, submissions=submissions, now=now)
        _drop_who_left(publication, published, submissions, now)
        end_without_screen_outs(publication=publication, now=now)
    _store(publication, published, now)
    release_unused(publication=publication, published=published, now=now)
    return new


def _is_counted(publication: Publication, published: Published, now: datetime) -> bool:
    return is_counted(
        published, local_publications([publication], {publication.pk: published}, now)[publication.pk]
    )


def take_submissions(
    *, provider: Provider, publication: Publication, submissions: Iterable[Submitted], now: datetime
) -> int:
    """Store submissions that the platform tells of; return how many were submitted since we last knew."""
    submissions = list(submissions)
    known = _known(publication) if submissions else {}
    return sum(
        _take(provider, publication, one, now)
        for one in submissions
        if not is_known(one, known.get((one.external_id, one.worker[:128])))
    )


def _known(publication: Publication) -> dict[tuple[str, str], LocalParticipation]:
    """Return the stored state of a publication's places, read at once: most of them have not changed."""
    payments = Payment.objects.filter(participation=OuterRef("pk"))
    disputed = Problem.objects.filter(
        participation=OuterRef("pk"), kind=Problem.Kind.STRANGER, closed_at=None
    )
    before = Participation.earlier_pages.through.objects.filter(participation=OuterRef("pk"))
    held = before.filter(Q(assignment__held__isnull=False) | Q(assignment__confirmed=False))
    kept = before.filter(assignment__state__in=KEPT)
    rows = publication.participations.select_related("worker", "assignment").annotate(
        held=Exists(held),
        kept=Exists(kept),
        settling=Exists(payments.filter(kind__in=SETTLING)),
        unpaid=Exists(payments.exclude(state__in=OVER)),
        screened_out=Exists(payments.filter(kind=Payment.Kind.SCREENED)),
        disputed=Exists(disputed),
    )
    return {
        (one.external_id, one.worker.external_id): LocalParticipation(
            state=one.state,
            confirmed=one.confirmed,
            submitted_at=one.submitted_at,
            deadline=one.deadline,
            keeps_pages=one.kept or (one.assignment is not None and one.assignment.state in KEPT),
            waiting=one.held
            or (
                one.assignment is not None
                and (one.assignment.held is not None or not one.assignment.confirmed)
            ),
            settling=one.settling,
            unpaid=one.unpaid,
            screened_out=one.screened_out,
            disputed=one.disputed,
        )
        for one in rows
    }


def _take(provider: Provider, publication: Publication, submission: Submitted, now: datetime) -> bool:
    worker = enrol_worker(
        project=publication.batch.project, external_id=submission.worker[:128], provider=provider.name
    )
    with write_transaction():
        participation, _ = Participation.objects.select_for_update(no_key=True).get_or_create(
            publication=publication,
            external_id=submission.external_id,
            worker=worker,
            defaults={"opened_at": submission.submitted_at or now, "confirmed": True},
        )
        before = participation.state
        if submission.stand == Stand.SUBMITTED:
            move(participation, State.SUBMITTED, settled_at=None)
        elif submission.stand == Stand.WORKING and before == State.RETURNED:
            # The time for the page begins anew, as it does if the worker opens the page first.
            move(participation, State.OPENED, settled_at=None, opened_at=now)
        changed = {"submitted_at": submission.submitted_at, "deadline": submission.deadline}
        if any(getattr(participation, name) != value for name, value in changed.items()):
            Participation.objects.filter(pk=participation.pk).update(**changed)
            participation.submitted_at, participation.deadline = submission.submitted_at, submission.deadline
    if submission.stand == Stand.RETURNED:
        drop_returned(participation_id=participation.pk, now=now)
        _say_returned(participation, now)
        return before != State.RETURNED
    if submission.stand == Stand.SCREENED_OUT:
        take_screened_out(participation=participation, now=now)
        return before != State.RETURNED
    answered = confirm_pages(participation_id=participation.pk, now=now)
    if submission.stand == Stand.APPROVED:
        platform_paid(participation=participation, now=now)
    elif submission.stand == Stand.REJECTED:
        platform_refused(participation=participation, now=now, final=provider.by_list)
    elif submission.stand == Stand.SUBMITTED and answered:
        owe_reward(participation=participation, now=now)
    gone = [stranger_key(participation), returned_key(participation)]
    close_problems(keys=[*gone, *([lost_key(participation)] * answered)], now=now)
    return before == State.OPENED and submission.stand != Stand.WORKING


def _say_returned(participation: Participation, now: datetime) -> None:
    """Raise a problem if a worker answered and then gave the place back or was late: no reward is paid.

    If a list that was taken out pays it, it is another problem: the platform has not.
    """
    participation.refresh_from_db(fields=["state"])
    if participation.state == State.APPROVED:
        raise_problem(
            key=f"returned-paid:{participation.pk}",
            kind=Problem.Kind.UNPAID,
            detail=f"{participation.external_id} of {participation.worker.external_id} is booked as paid "
            "here and given back on the platform. Look there before you pay anything more.",
            now=now,
            participation=participation,
            once=True,
        )
    elif has_answers(participation):
        raise_problem(
            key=returned_key(participation),
            kind=Problem.Kind.OTHER,
            detail=f"{participation.worker.external_id} answered pages of {participation.external_id}, "
            "and then gave the place back or was late on the platform: no reward is paid for it. Pay a part "
            "if it is due.",
            now=now,
            participation=participation,
        )


def returned_key(participation: Participation) -> str:
    """Return the key of the problem that a worker answered and gave the place back, or was late."""
    return f"returned:{participation.pk}"


def _drop_who_left(
    publication: Publication, published: Published, submissions: Collection[Submitted], now: datetime
) -> None:
    """Take back the pages of workers whom the platform does not name and who cannot be at work any more.

    If the platform's list is older than this moment, whoever has handed in a page waits for a list that is
    late enough to name them.
    """
    of_whom = {one.external_id: one.worker for one in submissions}
    known = {(one.external_id, one.worker) for one in submissions}
    opened = Participation.objects.filter(publication=publication, state=State.OPENED)
    if published.listed_at is not None:  # whoever is on the list as still at work is not missing
        opened = opened.exclude(listed__stand=Stand.WORKING, listed__listed_at=published.listed_at)
    for participation in opened.select_related("worker", "publication__batch"):
        name = participation.worker.external_id
        if (participation.external_id, name) in known:
            continue
        another = of_whom.get(participation.external_id, name) != name
        as_of = published.listed_at if published.listed_at and pages_done(participation) else now
        if not another and not has_left(
            opened_at=participation.opened_at,
            work_seconds=publication.work_seconds,
            closed=published.life != Life.OPEN,
            working=published.working,
            now=as_of,
        ):
            continue
        if not has_held_answers(participation):
            drop_returned(participation_id=participation.pk, now=now)
            _say_returned(participation, now)
            continue
        drop_stranger(participation_id=participation.pk, now=now)
        raise_problem(
            key=stranger_key(participation),
            kind=Problem.Kind.STRANGER,
            detail=f"Answers came from {name} for {participation.external_id}, which the platform does not "
            "confirm: somebody gave the place back after answering, or used another's name. The answers are "
            "kept and do not count; others get the items.",
            now=now,
            participation=participation,
        )


def stranger_key(participation: Participation) -> str:
    """Return the key of the problem that answers came under a name that the platform does not confirm."""
    return f"stranger:{participation.pk}"


def _store(publication: Publication, published: Published, now: datetime) -> None:
    """Store what the platform says of the publication itself."""
    target = Publication.State.OPEN if published.life == Life.OPEN else Publication.State.CLOSED
    move(publication, target)
    # Places that were added here and are not there yet are free, too: no more are added in their place.
    missing = max(0, publication.places - published.places) if target == Publication.State.OPEN else 0
    Publication.objects.filter(pk=publication.pk).update(
        free=published.free + missing,
        seen_at=now,
        expires_at=published.expires_at or publication.expires_at,
    )


def _is_gone(publication: Publication, now: datetime) -> int:
    """Record that the platform does not have it, and return 0; a problem, unless published just now."""
    Publication.objects.filter(pk=publication.pk).update(seen_at=now)
    if publication.created_at + SLACK <= now:
        raise_problem(
            key=f"gone:{publication.pk}",
            kind=Problem.Kind.OTHER,
            detail=f"The platform does not have {publication} any more. Its money that is neither paid nor "
            "released stays reserved until it is written off.",
            now=now,
            publication=publication,
        )
    return 0

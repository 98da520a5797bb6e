"""Reconcile a platform with our rows: compare both, repair what can be repaired, and report the rest."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Set
from contextlib import suppress
from datetime import datetime, timedelta

from django.db.models import Q

from workflows.core.locks import try_lock
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.payments.book import book
from workflows.crowd.payments.owed import OF_PLACES
from workflows.crowd.payments.pay import pay
from workflows.crowd.problems import close_problems
from workflows.crowd.publications.orphans import is_orphan, is_unsettled, orphan
from workflows.crowd.publications.publish import adopt, mark_expiring, publications_of, publish_one
from workflows.crowd.publications.reopen import reopen
from workflows.crowd.rounds.collect import collect_one, take_submissions
from workflows.crowd.rounds.domain.comparison import Known, Owed, compare, compare_bonuses
from workflows.crowd.rounds.findings import Report
from workflows.crowd.rounds.lost_answers import lost_key, without_answers
from workflows.crowd.rounds.step import Interleaver, lock_name
from workflows.money.domain.currencies import amount
from workflows.platforms.failure_budget import Attempts
from workflows.platforms.provider import (
    Life,
    NoFundsError,
    Provider,
    Published,
    Stand,
    Submitted,
    UnreadError,
)
from workflows.workers.models import Participation

State = Publication.State
logger = logging.getLogger(__name__)
RECHECKED = timedelta(days=2)
"""For how long settled publications are compared again: platforms may tell of something late."""


class BusyError(Exception):
    """Another process is at work with the platform."""


def reconcile(
    *,
    provider: Provider,
    now: datetime,
    recheck: timedelta = RECHECKED,
    rounds: Interleaver | None = None,
) -> Report:
    """Compare all publications with the platform, as after a crash, and repair what differs.

    This may be stopped anywhere and run again. Publications that were settled within `recheck` are compared,
    too. However long it takes, `rounds` go on in between, so that what is due is published and paid.

    A publication that cannot be read holds up no other. It counts as failed, and then no problem is closed as
    gone. Raises ProviderError if the account cannot be read at all, and BusyError if a round or another
    comparison is under way.
    """
    with try_lock(lock_name(provider)) as free:
        if not free:
            raise BusyError(f"A round with {provider.name} is under way: try again in a moment.")
        report = Report(provider=provider.name, environment=str(provider.environment))
        rounds = rounds or Interleaver()
        unread: list[tuple[str, str]] = []
        theirs = list(rounds.between(_readable(provider.published(), unread)))
        attempts = Attempts(failed=len(unread))
        there = {name for names in unread for name in names if name}
        _publications(provider, theirs, there, report, attempts, rounds, now)
        planned = publications_of(provider).filter(state=State.PLANNED).exclude(token__in=there)
        ids = list(planned.order_by("pk").values_list("pk", flat=True))
        for pk in rounds.between(attempts.each(ids)):
            publication = planned.filter(pk=pk).first()
            if publication is None:  # a round has published it meanwhile, or given it up
                continue
            # An empty account has a problem of its own, and each round tries again.
            with attempts.one(), suppress(NoFundsError):
                if publish_one(provider=provider, publication=publication, now=now):
                    report.repaired.append(f"{publication.stage}: published as {publication}")
        recent = Q(state=State.SETTLED, seen_at__gte=now - recheck)
        _submissions(provider, theirs, report, attempts, rounds, now, recent)
        report.failed = attempts.failed
        report.repaired += [f"{done} payments made"] if (done := pay(provider=provider, now=now).done) else []
        _lost(provider, report, now)
        report.close_gone(now)
        return report


def _readable(published: Iterator[Published], unread: list[tuple[str, str]]) -> Iterator[Published]:
    """Yield what can be read; add the ids and tokens of what cannot be read to `unread`."""
    try:
        yield from published
    except UnreadError as error:
        logger.warning("%s", error)
        unread += error.unread


def _publications(
    provider: Provider,
    theirs: list[Published],
    unread: Set[str],
    report: Report,
    attempts: Attempts,
    rounds: Interleaver,
    now: datetime,
) -> None:
    ours = {one.token: one for one in publications_of(provider)}
    known = [
        # What is in the list and cannot be read is not missing.
        Known(
            one.token,
            one.external_id,
            there=one.state in (State.OPEN, State.CLOSED) and unread.isdisjoint((one.external_id, one.token)),
        )
        for one in ours.values()
    ]
    difference = compare(known, theirs)
    for one in difference.found:
        publication = ours[one.token]
        before = publication.state
        if adopt(publication=publication, published=one, now=now):
            report.repaired.append(f"{publication.stage}: {one.external_id} was there, and we had not heard")
            # It was given up, and its money released, so nobody may take more of its places.
            if before == State.FAILED:
                mark_expiring([publication.pk])
    for one in rounds.between(attempts.each(difference.doubles)):
        with attempts.one():
            _double(provider, ours[one.token], one, report, now)
    for one in rounds.between(attempts.each(difference.orphans)):
        with attempts.one():
            if is_orphan(provider, one):
                report.problem(**orphan(provider, one), now=now)
    for lost in rounds.between(attempts.each(difference.missing)):
        publication = ours[lost.token]
        with attempts.one():
            if provider.look(publication.external_id) is None:
                collect_one(provider=provider, publication=publication, now=now)  # raises the problem


def _double(
    provider: Provider, publication: Publication, one: Published, report: Report, now: datetime
) -> None:
    """Store and close a second publication of one order, and report it while it is not over."""
    submissions = list(provider.submissions(one.external_id))
    take_submissions(provider=provider, publication=publication, submissions=submissions, now=now)
    if one.life == Life.OPEN:
        provider.expire(one.external_id)
    elif not is_unsettled(provider, one, submissions):
        return
    report.problem(
        key=f"double:{one.external_id}",
        kind=Problem.Kind.DOUBLE,
        detail=f"{one.external_id} is a second publication of one order, {publication}. It is closed; "
        f"what was submitted there ({len(submissions)}) is paid as usual.",
        now=now,
        publication=publication,
    )


def _submissions(
    provider: Provider,
    theirs: list[Published],
    report: Report,
    attempts: Attempts,
    rounds: Interleaver,
    now: datetime,
    recent: Q,
) -> None:
    there = {one.external_id: one for one in theirs}
    alive = publications_of(provider).filter(Q(state__in=(State.OPEN, State.CLOSED)) | recent)
    ids = list(alive.order_by("pk").values_list("pk", flat=True))
    for pk in rounds.between(attempts.each(ids)):
        publication = publications_of(provider).get(pk=pk)  # a round may have moved it meanwhile
        if publication.external_id in there:
            with attempts.one():
                _publication(provider, publication, there[publication.external_id], report, now)


def _publication(
    provider: Provider, publication: Publication, published: Published, report: Report, now: datetime
) -> None:
    before = _states(publication)
    if publication.state == State.SETTLED:
        _late(provider, publication, published, now)
    else:
        collect_one(provider=provider, publication=publication, now=now)
    _approved_here_alone(provider, publication, report, now)
    report.compared += 1
    after = _states(publication)
    changed = sum(after[pk] != before.get(pk) for pk in after)
    if changed:
        report.repaired.append(f"{publication}: {changed} submissions brought up to date")
    compare_paid(provider=provider, publication=publication, report=report, now=now)


def _late(provider: Provider, publication: Publication, published: Published, now: datetime) -> None:
    """Store what the platform tells of a settled publication only now; reopen it if places are in use."""
    if published.life == Life.OPEN or published.free or published.working:
        # The list may be older than the round that settled the publication.
        found = provider.look(publication.external_id)
        if found is None:
            return
        published = found
    submissions = list(provider.submissions(publication.external_id))
    stands = [one.stand for one in submissions]
    # Not every platform tells who is at work, but each tells how many.
    at_work = max(published.working, stands.count(Stand.WORKING))
    used = published.free + at_work + stands.count(Stand.SUBMITTED)
    if used or published.life == Life.OPEN:
        reopen(publication=publication, places=used, now=now)
        collect_one(provider=provider, publication=publication, now=now)
    else:
        take_submissions(provider=provider, publication=publication, submissions=submissions, now=now)


def _states(publication: Publication) -> dict[int, str]:
    return dict(Participation.objects.filter(publication=publication).values_list("pk", "state"))


def _approved_here_alone(provider: Provider, publication: Publication, report: Report, now: datetime) -> None:
    """Approve again what is approved here and not on the platform, which pays each submission once."""
    submissions: list[Submitted] | None = None
    approved = publication.participations.filter(state=Participation.State.APPROVED).select_related("worker")
    for participation in approved:
        if submissions is None:
            submissions = list(provider.submissions(publication.external_id))
        for one in submissions:
            same = (one.external_id, one.worker) == (
                participation.external_id,
                participation.worker.external_id,
            )
            if same and one.stand == Stand.SUBMITTED:
                provider.approve(one.external_id)
                report.repaired.append(f"{one.external_id}: approved again, the platform had not heard")


def _lost(provider: Provider, report: Report, now: datetime) -> None:
    """Report what was submitted on the platform and has no answers here."""
    for one, detail in without_answers(provider, now):
        report.problem(key=lost_key(one), kind=Problem.Kind.LOST, detail=detail, now=now, participation=one)


def compare_paid(*, provider: Provider, publication: Publication, report: Report, now: datetime) -> None:
    """Book a publication's bonuses that the platform paid and we had not heard of.

    What was paid twice, unasked, or not at all is reported. Raises ProviderError.
    """
    payments = {
        one.token: one
        for one in Payment.objects.filter(participation__publication=publication)
        .exclude(kind__in=OF_PLACES)
        .select_related("participation__publication", "participation__worker")
    }
    if not payments and not publication.participations.filter(confirmed=True).exists():
        return
    theirs = list(provider.bonuses(publication.external_id))
    found = compare_bonuses(
        [Owed(one.token, one.state == Payment.State.DONE) for one in payments.values()], theirs
    )
    for token in found.paid:
        if book(payment=payments[token], now=now):
            report.repaired.append(f"{publication}: a bonus was paid, and we had not heard")
    for token in found.doubles:
        report.problem(
            key=f"double:bonus:{token}",
            kind=Problem.Kind.DOUBLE,
            detail=f"A bonus for {payments[token].participation.worker.external_id} was paid more than once.",
            now=now,
            participation=payments[token].participation,
        )
    for bonus in found.orphans:
        report.problem(
            key=f"orphan:bonus:{publication.pk}:{bonus.submission_id}:{bonus.token or bonus.amount.amount}",
            kind=Problem.Kind.ORPHAN,
            detail=f"The platform paid {bonus.worker} a bonus of "
            f"{amount(bonus.amount.amount, bonus.amount.currency)} for {bonus.submission_id} that "
            "nobody asked for here.",
            now=now,
            publication=publication,
        )
    fresh = {token for token, one in payments.items() if one.done_at and one.done_at + SLACK > now}
    there = payments.keys() - set(found.missing)
    report.gone += close_problems(keys=[_missing_key(token) for token in there], now=now)
    for token in found.missing:
        if token in fresh:  # platforms tell of a bonus a little later
            continue
        report.problem(
            key=_missing_key(token),
            kind=Problem.Kind.UNPAID,
            detail=f"A bonus for {payments[token].participation.worker.external_id} is booked here, and the "
            "platform does not tell of it. Look there before paying again.",
            now=now,
            participation=payments[token].participation,
        )


def _missing_key(token: str) -> str:
    return f"unpaid:{token}:missing"

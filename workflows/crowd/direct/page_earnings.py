"""Earnings of direct workers: the reward of each submitted page, and what the wage floor adds to it.

A page is marked `owed` when it is submitted, and `bound` when money is reserved for it. If a process stops
anywhere in between, the marks stay and the next one goes on: each entry's token lets it be written only once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from annotation.models import Assignment, Batch, QualificationTry
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.crowd_settings import PLATFORMS
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.models import Problem
from workflows.crowd.problems import close_problems, raise_problem
from workflows.money.bound_pages import page_token
from workflows.money.domain.wage_floor import PageTime, time_of, top_up
from workflows.money.earnings import Earning, record_earnings
from workflows.money.ledger import release
from workflows.money.ledger_rows import keep_times, left_under, lock_budget
from workflows.money.page_times import page_times

PAGES_AT_ONCE = 500
_Times = dict[str, PageTime] | None
"""The time that a page takes, by stage; None if there is no wage floor."""
_FIRST = UUID(int=0)
_OVER = Q(bound=True, state__in=(Assignment.State.RETURNED, Assignment.State.EXPIRED))


@dataclass(slots=True)
class Posted:
    """What was done."""

    pages: int = 0  # whose pay is in the ledger now
    refused: int = 0  # entries for which the cap has no room
    released: int = 0  # reservations that were not needed any more


def post_earnings(*, clock: Callable[[], datetime]) -> Posted:
    """Owe each submitted page its reward and top-up, and release the money of pages that are over.

    As on platforms, the top-up is owed once the stage's own median time is known. At the latest it is owed
    when the batch is over, by the paper's time. Until then the page stays marked. A page for which the cap
    has no room stays marked, too, and is a Problem of the batch until there is room. `clock` is asked for
    each entry's time, so that nothing is added to a payroll period that is over.
    """
    done = Posted()
    for batch in Batch.objects.filter(pk__in=_batches(Q(owed=True) | _OVER)).order_by("pk"):
        settings = settings_of(batch)
        done.released += _release(batch, clock())
        times = _times(batch, settings)
        refused = _post(batch, settings, times, done, clock)
        _tell(batch, refused, clock())
        done.refused += len(refused)
    _post_tests(done, clock)
    return done


def _post_tests(done: Posted, clock: Callable[[], datetime]) -> None:
    """Owe direct workers the bonus for each test that they passed, once for a worker and stage."""
    owed = QualificationTry.objects.filter(owed=True, place=None).exclude(worker__provider__in=PLATFORMS)
    waiting: dict[int, int] = {}  # by batch, for how many the cap has no room
    for pk in list(owed.order_by("pk").values_list("pk", flat=True)[:PAGES_AT_ONCE]):
        with write_transaction():
            held = QualificationTry.objects.select_for_update(no_key=True, of=("self",))
            one = held.filter(pk=pk, owed=True).first()
            if one is None or one.batch_id is None:
                continue  # another process was faster
            token = f"test:{one.worker_id}:{one.stage}"
            earning = Earning(token, one.worker_id, 0, one.bonus, memo=f"qualification test of {one.stage}")
            lock_budget(one.batch_id)  # this may wait for long, so the clock is asked afterwards
            _, refused = record_earnings(batch_id=one.batch_id, earnings=[earning], now=clock())
            if not refused:
                QualificationTry.objects.filter(pk=pk).update(owed=False)
        done.refused += len(refused)
        waiting[one.batch_id] = waiting.get(one.batch_id, 0) + len(refused)
    for batch in Batch.objects.filter(pk__in=waiting):
        if waiting[batch.pk]:
            _tell_of_tests(batch, clock())
        else:
            close_problems(keys=[_test_key(batch)], now=clock())


def _test_key(batch: Batch) -> str:
    return f"owed-tests:{batch.pk}"


def _tell_of_tests(batch: Batch, now: datetime) -> None:
    raise_problem(
        key=_test_key(batch),
        kind=Problem.Kind.UNPAID,
        detail=f"The cap of batch {batch.name} has no room for the bonus of tests that were passed. "
        "Raise it, and they are owed by themselves.",
        now=now,
        batch_id=batch.pk,
    )


def _batches(which: Q) -> list[int]:
    pages = Assignment.objects.filter(which).order_by()
    return list(pages.values_list("batch_id", flat=True).distinct())


def _times(batch: Batch, settings: BatchSettings) -> _Times:
    """Return the times by stage, None without a wage floor; keep them for reserving money for later pages."""
    if not settings.crowd.hourly_wage or not settings.crowd.top_up:
        return None
    owed = Assignment.objects.filter(batch=batch, owed=True).order_by()
    times = page_times(batch.pk, settings, owed.values_list("stage", flat=True).distinct())
    if measured := {stage: time.milliseconds for stage, time in times.items() if time.pages}:
        keep_times(batch_id=batch.pk, times=measured)
    return times


def _post(
    batch: Batch, settings: BatchSettings, times: _Times, done: Posted, clock: Callable[[], datetime]
) -> list[Earning]:
    """Post all owed pages of a batch, PAGES_AT_ONCE at a time; return what the cap has no room for."""
    refused: list[Earning] = []
    last = _FIRST
    while True:
        with write_transaction():
            owed = Assignment.objects.filter(batch=batch, owed=True, pk__gt=last).order_by("pk")
            pages = list(owed.select_for_update(no_key=True, skip_locked=True)[:PAGES_AT_ONCE])
            earnings = [one for page in pages for one in _earnings(batch, page, settings, times)]
            if earnings:
                lock_budget(batch.pk)  # this may wait for long, so the clock is asked afterwards
            now = clock()
            earned, unpaid = (
                record_earnings(batch_id=batch.pk, earnings=earnings, now=now) if earnings else ([], [])
            )
            waiting = {one.assignment_id for one in unpaid}
            paid = [page for page in pages if page.pk not in waiting and not _waits(batch, page, times)]
            _let_go(batch, paid, now)
            Assignment.objects.filter(pk__in=[page.pk for page in paid]).update(owed=False, bound=False)
        refused += unpaid
        done.pages += len({one.assignment_id for one in earned})
        if len(pages) < PAGES_AT_ONCE:
            return refused
        last = pages[-1].pk


def _waits(batch: Batch, page: Assignment, times: _Times) -> bool:
    """Return whether it is not known yet what is missing to the wage floor."""
    if times is None:
        return False
    # If the stage has no time yet, the page was submitted after the times were read.
    return page.stage not in times or (not times[page.stage].pages and batch.state not in Batch.OVER)


def _earnings(batch: Batch, page: Assignment, settings: BatchSettings, times: _Times) -> list[Earning]:
    """Return the earnings of a page. The reward comes first, in case the cap has no room for the top-up."""
    token = page_token(page)
    found = []
    if page.reward:
        found.append(Earning(token, page.worker_id, page.reward, 0, page.pk, reserved_under=token))
    more = 0
    if times is not None and not _waits(batch, page, times):
        time = time_of(settings, page.stage, times[page.stage], len(page.items) + len(page.checks))
        more = top_up(settings, reward=page.reward, time=time)
    if more:
        found.append(
            Earning(
                f"top-up:{page.pk}", page.worker_id, 0, more, page.pk, reserved_under=token, memo="wage floor"
            )
        )
    return found


def _release(batch: Batch, now: datetime) -> int:
    """Release the money of pages that were returned or whose lease ran out; return how many had some."""
    total = 0
    while True:
        with write_transaction():
            over = Assignment.objects.filter(_OVER, batch=batch).order_by("pk")
            pages = list(over.select_for_update(no_key=True, skip_locked=True)[:PAGES_AT_ONCE])
            total += _let_go(batch, pages, now)
            Assignment.objects.filter(pk__in=[page.pk for page in pages]).update(bound=False)
        if len(pages) < PAGES_AT_ONCE:
            return total


def _let_go(batch: Batch, pages: Sequence[Assignment], now: datetime) -> int:
    left = left_under([page_token(page) for page in pages if page.bound])
    for page in pages:
        if amount := left.get(page_token(page), 0):
            token = page_token(page)
            release(token=token, reserved_under=token, amount=amount, now=now, assignment_id=page.pk)
    return sum(amount > 0 for amount in left.values())


def _tell(batch: Batch, refused: Sequence[Earning], now: datetime) -> None:
    """Raise one problem for the batch if any page waits for room, else close it."""
    key = f"owed:{batch.pk}"
    if not refused:
        close_problems(keys=[key], now=now)
        return
    raise_problem(
        key=key,
        kind=Problem.Kind.UNPAID,
        detail=f"The cap of batch {batch.name} has no room for the pay of pages that were submitted. Raise "
        "it, and they are owed by themselves.",
        now=now,
        batch_id=batch.pk,
    )

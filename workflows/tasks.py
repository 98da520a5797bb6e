"""The Celery tasks, each a call of a service, and the hints that send them.

A message is only a hint: if one is lost, `sweep` finds soon what it was to start.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

from celery import Task, shared_task
from django.conf import settings
from django.db import OperationalError as DatabaseAway
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotation.models import Batch
from annotation.renditions import make_missing
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.dataset_statistics import keep_statistics, next_wanted
from workflows.assignments.leases import expire_leases
from workflows.batch_settings.domain.crowd_settings import PLATFORMS
from workflows.batch_settings.selectors import settings_of
from workflows.core.audit_log import AUDIT
from workflows.core.heartbeats import begin_beat, end_beat
from workflows.core.locks import LockLostError, one_at_a_time, try_lock
from workflows.core.models import SWEEP
from workflows.core.record_seals import seal_records
from workflows.core.seals import seal_log
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.crowd.invitations.rate_limits import forget_attempts
from workflows.crowd.rounds.balances import keep_balance
from workflows.crowd.rounds.reconcile import BusyError, reconcile
from workflows.crowd.rounds.step import rounds_of, step
from workflows.jobs.job_queue import next_job
from workflows.jobs.run_job import clean_up_files, run_job
from workflows.judges.answers import pass_over_models
from workflows.judges.records import renew_records
from workflows.limits.stops import look_at_suggestions
from workflows.money.ledger_rows import LEDGER
from workflows.money.model_calls import settle_calls
from workflows.money.page_times import keep_page_times
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.publish_captions import publish_captions
from workflows.pipeline.replay.replay import resume_batches
from workflows.platforms import registry
from workflows.platforms.messages import message
from workflows.platforms.provider import ProviderError
from workflows.projects.erasure import erase_deleted_projects
from workflows.quality.pace import check_pace
from workflows.quality.page_scores import judge_idle
from workflows.quality.standings import reassess_stale
from workflows.review.enforcement import enforce_policies

logger = logging.getLogger(__name__)

HINT_SECONDS, COUNT_SECONDS, LAUNCH_SECONDS = 2.0, 600.0, 3600.0
BUSY_SECONDS = 5
CROWD_SECONDS = 60
LOGS = {log.name: log for log in (AUDIT, LEDGER)}
"""What is sealed, beside the records. config.processes.schedule has a line for each."""
RENDITION_SECONDS = 40.0
"""How long renditions are made in one run, so that other long tasks come to their turn."""
RECHECK = timedelta(hours=2)
"""Twice the time between two comparisons with a platform."""


@shared_task
def advance() -> None:
    """Set aside the judgments that must not count, then read the new ones.

    One process does it at a time: several would skip each other's images and read fewer together.
    """
    with one_at_a_time("advance") as mine:
        if not mine:
            return
        try:
            enforce_policies(now=timezone.now())
        finally:  # both raise errors about single workers or images at their end; one must not stop the other
            advance_pending(now=timezone.now())


@shared_task
def open_batch(batch_id: int) -> None:
    """Open the first items of a launched batch, and have their places published on its platform."""
    open_queued(batch_id=batch_id, now=timezone.now())
    if (name := settings_of(Batch.objects.get(pk=batch_id)).crowd.provider) in PLATFORMS:
        hint_crowd(name)


@shared_task
def sweep() -> None:
    """Take back expired leases, and start again whatever a lost message should have started."""
    now = timezone.now()
    begin_beat(SWEEP, now=now)
    found = dict.fromkeys(("leases", "items", "images", "scores"), 0)
    try:
        _sweep(now, found)
    finally:
        end_beat(SWEEP, now=timezone.now(), found=found)
    if any(found.values()):
        logger.info("sweep: %d leases, %d items, %d images, %d scores", *found.values())


def _sweep(now: datetime, found: dict[str, int]) -> None:
    """Run all parts of the sweep and count into `found` what they did.

    No part holds up the others: an ExceptionGroup with the errors of those that failed is raised at the end.
    """
    errors: list[Exception] = []
    for part in _parts(now, found):
        try:
            part()
        except DatabaseAway:  # without the database, no other part works either
            raise
        except Exception as error:  # noqa: BLE001  (raised at the end, with those of others)
            errors.append(error)
    if errors:
        raise ExceptionGroup("parts of the sweep that failed", errors)


def _parts(now: datetime, found: dict[str, int]) -> Iterator[Callable[[], object]]:
    def count(kind: str, act: Callable[..., int], **of: int) -> None:
        found[kind] += act(now=now, **of)

    yield partial(count, "leases", expire_leases)
    yield partial(pass_over_models, now=now)
    yield partial(settle_calls, now=now)
    yield partial(renew_records, now=now)
    yield partial(reassess_stale, now=now)
    yield partial(count, "scores", judge_idle)
    yield partial(resume_batches, now=now)
    for batch_id in Batch.objects.filter(state=Batch.State.RUNNING).values_list("pk", flat=True):
        yield partial(count, "images", open_queued, batch_id=batch_id)
        yield partial(finish_if_done, batch_id=batch_id, now=now)
    yield hint_jobs
    yield _hint_wanted
    yield partial(count, "scores", enforce_policies)
    yield partial(count, "items", advance_pending)
    yield publish_captions


@shared_task
def post_pay() -> None:
    """Post the earnings of submitted pages to the ledger."""
    with try_lock("earn") as free:
        if not free:
            return  # another process is doing it; what comes in meanwhile is left to the next run
        done = post_earnings(clock=timezone.now)
        keep_page_times(now=timezone.now())
    if done.pages or done.refused or done.released:
        logger.info("pay: %d pages, %d refused, %d let go", done.pages, done.refused, done.released)


@shared_task
def seal(name: str) -> None:
    """Seal what was added to the audit log, to the ledger or to the records."""
    sealing = partial(seal_log, LOGS[name]) if name in LOGS else seal_records
    for made in sealing(clock=timezone.now):
        # Kept logs of other machines are witnesses: whoever rewrites the database cannot rewrite them.
        logger.info("%s, through entry %d: %s", made, made.through, made.hash)


@shared_task
def look_at_pace() -> None:
    """Open cases for workers who answer too fast to have looked."""
    opened = check_pace(now=timezone.now())
    if opened:
        logger.info("pace: %d cases opened", opened)


@shared_task
def look_at_shown_suggestions() -> None:
    """Switch suggestions off for workers and batches where they do harm."""
    with try_lock("suggestions") as free:
        if free and (stopped := look_at_suggestions(now=timezone.now())):
            logger.info("suggestions: switched off %d times", stopped)


@shared_task
def look_at_balances() -> None:
    """Store the balances of the accounts on crowd platforms, for pages to show."""
    for name in registry.environments():
        try:
            keep_balance(provider=registry.provider(name), now=timezone.now())
        except registry.LiveMoneyError:
            continue  # real money is not spent here, so its balance is not needed
        except ProviderError as error:
            logger.warning("balance of %s: %s", name, error)


@shared_task
def crowd_step(name: str) -> None:
    """Do what is due on a crowd platform."""
    try:
        stepped = step(provider=registry.provider(name), now=timezone.now())
    except (registry.NoAccountError, registry.LiveMoneyError) as error:
        logger.warning("%s: %s", name, error)
        return
    if stepped.submissions:
        hint_advance()
    if not (stepped.quiet or stepped.busy):
        logger.info("%s: %s", name, stepped.words)


@shared_task(bind=True, max_retries=60)
def crowd_reconcile(self: Task[..., None], name: str) -> None:
    """Compare a crowd platform with our records of it. If a round is running, try again later."""
    try:
        provider = registry.provider(name)
        rounds = rounds_of(provider, clock=timezone.now)
        report = reconcile(provider=provider, now=timezone.now(), recheck=RECHECK, rounds=rounds)
    except (registry.NoAccountError, registry.LiveMoneyError, ProviderError) as error:
        logger.warning("%s: %s", name, error)
    except (BusyError, LockLostError):
        raise self.retry(countdown=BUSY_SECONDS) from None
    else:
        logger.info("%s: %d repaired, %d problems", name, len(report.repaired), len(report.problems))


# A lost message can be sent again, but one that comes twice annoys its reader.
@shared_task(acks_late=False)
def write_to_worker(name: str, worker: str, subject: str, text: str) -> None:
    """Send a message to a worker on a crowd platform."""
    if message(provider=registry.provider(name), workers=[worker], subject=subject, text=text):
        logger.warning("%s: %s cannot be reached", name, worker)


def hint_crowd(name: str) -> None:
    """Ask for a step on a platform soon. Without a broker, the next scheduled step does it."""
    _hint(crowd_step, name, expires=CROWD_SECONDS)


def hint_reconcile(name: str) -> None:
    """Ask for a comparison with a platform soon."""
    _hint(crowd_reconcile, name, expires=COUNT_SECONDS)


def hint_write(name: str, worker: str, subject: str, text: str) -> bool:
    """Ask for a message to a worker. Return False without a broker: the message is lost then."""
    return _hint(write_to_worker, name, worker, subject, text, expires=LAUNCH_SECONDS)


def hint_balances() -> None:
    """Ask for the balances now. Without a broker, the next scheduled task stores them."""
    _hint(look_at_balances, expires=COUNT_SECONDS)


@shared_task
def run_queued_job(job_id: int) -> None:
    """Run an import or export that is not running yet, then start the next one."""
    run_job(job_id=job_id, clock=timezone.now)
    hint_jobs()


@shared_task
def delete_leftovers() -> None:
    """Delete uploads that were not imported within a day, and attempts to join that no longer count."""
    now = timezone.now()
    clean_up_files(now=now)
    forget_attempts(now=now)


@shared_task
def erase_projects() -> None:
    """Erase the images and annotation of deleted projects."""
    with try_lock("erase") as free:
        if free and (images := erase_deleted_projects(now=timezone.now())):
            logger.info("deleted projects: %d images erased", images)


@shared_task
def make_renditions() -> None:
    """Make the renditions of photographs that were imported without."""
    with try_lock("renditions") as free:
        if not free:
            return
        end = monotonic() + RENDITION_SECONDS
        if images := make_missing(goes_on=lambda: monotonic() < end):
            logger.info("renditions: made for %d photographs", images)


def hint_erase() -> None:
    """Ask for deleted projects to be erased now. Without a broker, the schedule does it later."""
    _hint(erase_projects, expires=COUNT_SECONDS)


def hint_jobs() -> None:
    """Ask for the next import or export, if one may start. Without a broker, a later sweep asks again."""
    if job_id := next_job(now=timezone.now()):
        _hint(run_queued_job, job_id, expires=settings.SWEEP_SECONDS)  # after that the next sweep asks again


@shared_task(bind=True, max_retries=None)
def refresh_counts(self: Task[..., None], project_id: int | None = None) -> None:
    """Count again the figures that changed, or all figures of the given project."""
    with try_lock("counts") as free:
        if free:
            count_due(clock=timezone.now, project_id=project_id, force=project_id is not None)
            return
    # The schedule comes again by itself. For a single project somebody waits, so try again.
    if project_id is not None:
        raise self.retry(countdown=BUSY_SECONDS)


def hint_count(project_id: int) -> None:
    """Ask for a count of a project's figures now. Without a broker, the schedule counts them later."""
    _hint(refresh_counts, project_id, expires=COUNT_SECONDS)


@shared_task
def count_statistics(project_id: int, source: str, batch_id: int | None = None) -> None:
    """Count the statistics of a data set if somebody asked for them, then ask for the next count.

    Only one count runs at a time.
    """
    with try_lock("statistics") as free:
        if not free:
            return  # the process that counts now asks again when it is done
        keep_statistics(project_id=project_id, source=source, batch_id=batch_id, clock=timezone.now)
    _hint_wanted()


def hint_statistics(project_id: int, source: str, batch_id: int | None) -> None:
    """Ask for the statistics of a data set. Without a broker, the next sweep asks."""
    _hint(count_statistics, project_id, source, batch_id, expires=LAUNCH_SECONDS)


def _hint_wanted() -> None:
    """Ask for the statistics that somebody has waited for longest."""
    if wanted := next_wanted():
        _hint(count_statistics, *wanted, expires=settings.SWEEP_SECONDS)


def hint_advance() -> None:
    """Ask for `advance`, since judgments came in. Without a broker, the next sweep reads them."""
    # If a hint waits longer, the task that kept it waiting has read its judgments by then.
    _hint(advance, expires=HINT_SECONDS)


def hint_open(batch_id: int) -> None:
    """Ask for the first items of a launched batch. Without a broker, the next sweep opens them."""
    _hint(open_batch, batch_id, expires=LAUNCH_SECONDS)


def _hint(task: Task[..., None], *arguments: int | str | None, expires: float) -> bool:
    """Send the task. Return whether the broker accepted it."""
    try:
        task.apply_async(arguments, expires=expires)
    except (OperationalError, OSError):  # OSError comes from the folder of the embedded broker
        logger.exception("the broker is away, and did not take %s", task.name)
        return False
    return True

"""A worker's own account: what they did, what they earned, and where they may work.

It says how much was answered, but not how well, since that would tell verification questions from items. Only
of weeks that are over, the share of right answers may be told (`quality/weekly_feedback.py`), and writers
hear what became of their captions (`quality/written_feedback.py`): these are no verification questions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Sum

from annotation.domain.answers import CampaignStage
from annotation.domain.page_entries import QUESTION
from annotation.domain.protocols import ALL_STAGES, stages_of
from annotation.models import Abstention, Assignment, Batch, Judgment, Worker
from workflows.assignments.page_view import money
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.money.models import LedgerLine
from workflows.money.page_times import usual_times
from workflows.quality.domain.stage_access import Access
from workflows.quality.gates import Gate, best_gate, gates, gates_at_rest, standings_of
from workflows.quality.selectors import batches_with_work
from workflows.quality.weekly_feedback import weekly_feedback
from workflows.quality.written_feedback import written_feedback


def account_of(*, worker_id: int, now: datetime) -> dict[str, Any] | None:
    """Return the account as the API shows it, or None for an unknown worker.

    It has the stages of the protocols of these batches, and those in which the worker has answered.
    If no batch runs, the newest one that ran says how the worker stands. This takes ten queries, one more
    for who has written captions, one more for every running batch, and up to three more for every one that is
    not open to everybody.
    """
    worker = Worker.objects.select_related("project").filter(pk=worker_id).first()
    if worker is None:
        return None
    pages, earned = _submitted(worker_id)
    earned.update(bonuses_of(worker_id))
    answered = _answered(worker_id)
    batches = _direct(worker_id)
    gates_of = _gates(worker_id, [batch for batch, _ in batches], now)
    rewards, waiting = _offers(worker_id, batches, gates_of)
    usual = _usual(batches, gates_of)
    at_rest = gates_at_rest(worker_id=worker_id, stages=ALL_STAGES, now=now) if not batches else {}
    offered = {stage for of in gates_of.values() for stage in of} or set(at_rest) or set(stages_of(()))
    shown = [stage for stage in ALL_STAGES if stage in offered or stage in pages or stage in answered]
    at = {stage: best_gate(of[stage] for of in gates_of.values() if stage in of) for stage in shown} | at_rest
    return {
        "worker": worker.external_id,
        "project": worker.project.name,
        "contact": worker.project.contact or settings.GROUNDCREW_CONTACT,
        "earned": [money(amount, currency) for currency, amount in sorted(earned.items()) if amount],
        "stages": [
            {
                "stage": stage,
                "standing": str(Access.BLOCKED if worker.blocked else at[stage].standing),
                "retry_in": None if worker.blocked else at[stage].retry_in(now),
                "waiting": stage in waiting,
                "reward": rewards.get(stage),
                "usual_seconds": usual[stage][0] if stage in usual else None,
                "pay_by": usual[stage][1] if stage in usual else None,
                "pages": pages[stage],
                "judgments": answered[stage][0],
                "seconds": answered[stage][1],
            }
            for stage in shown
        ],
        "weeks": [
            {"begins": begins.date().isoformat(), "right_percent": percent}
            for begins, percent in weekly_feedback(worker_id=worker_id, now=now)
        ],
        "captions": written_feedback(worker_id=worker_id) if CampaignStage.WRITING in answered else None,
    }


def bonuses_of(worker_id: int) -> dict[str, int]:
    """Return the bonuses the worker got or is owed, by currency, in its smallest unit. One query.

    Currencies without a bonus are left out.
    """
    lines = LedgerLine.objects.filter(entry__worker=worker_id, account=LedgerLine.Account.BONUSES)
    found = lines.order_by().values_list("entry__currency").annotate(Sum("amount"))
    return {currency: amount for currency, amount in found.order_by("entry__currency") if amount}


def stages_with_work(*, worker_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return for every stage whether the worker has something to do in it: a page in hand, or one to claim.

    The stages are those of the protocols of the running batches, or of the default protocol if none runs.
    A blocked worker has nothing to do, and work of a batch that is closed to the worker does not count. Even
    so there may be no item for this worker, who is not asked about boxes that they drew. This takes four
    queries, and up to three more for every running batch that is not open to everybody.
    """
    waiting: set[str] = set()
    batches: Sequence[tuple[Batch, frozenset[str]]] = ()
    if Worker.objects.filter(pk=worker_id, blocked=False).exists():
        batches = _direct(worker_id)
        gates_of = _gates(worker_id, [batch for batch, _ in batches], now)
        _, waiting = _offers(worker_id, batches, gates_of)
    stages = stages_of(settings_of(batch).protocol for batch, _ in batches)
    return [{"stage": stage, "waiting": stage in waiting} for stage in stages]


def _direct(worker_id: int) -> list[tuple[Batch, frozenset[str]]]:
    """Return the running batches whose work is claimed here. A platform's work is done only at its places."""
    batches = batches_with_work(worker_id=worker_id)
    return [(batch, stages) for batch, stages in batches if settings_of(batch).crowd.provider == DIRECT]


def _submitted(worker_id: int) -> tuple[Counter[str], Counter[str]]:
    """Count the submitted pages by stage, and sum their rewards by currency in its smallest unit."""
    pages: Counter[str] = Counter()
    earned: Counter[str] = Counter()
    submitted = Assignment.objects.filter(worker_id=worker_id, state=Assignment.State.SUBMITTED)
    for stage, currency, count, amount in submitted.values_list("stage", "currency").annotate(
        Count("pk"), Sum("reward")
    ):
        pages[stage] += count
        earned[currency] += amount
    return pages, earned


def _answered(worker_id: int) -> defaultdict[str, tuple[int, float]]:
    """Return by stage how many judgments the worker gave, and the seconds that were measured for them.

    This reads all of the worker's judgments: 0.1 s for 100,000 of them on SQLite (280 hours at 10 s each).
    """
    answered: defaultdict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for model in (Judgment, Abstention):
        given = model._default_manager.filter(worker_id=worker_id).values_list("assignment__stage")
        for stage, more, seconds in given.annotate(Count("pk"), Sum("seconds")):
            count, before = answered[stage]
            answered[stage] = (count + more, before + (seconds or 0.0))
    # Questions of late pages are scored, but the worker was told that those answers came too late.
    late = Assignment.objects.filter(worker_id=worker_id, late__isnull=False).values_list("stage", "late")
    for stage, answers in late:
        for answer in answers or ():
            if QUESTION in answer:
                count, seconds = answered[stage]
                answered[stage] = (count - 1, seconds - (answer["seconds"] or 0.0))
    return answered


def _gates(worker_id: int, batches: Sequence[Batch], now: datetime) -> dict[int, dict[str, Gate]]:
    """Return the worker's gate before every stage of these batches, by batch and stage."""
    rows = standings_of(worker_id)
    return {
        batch.pk: gates(
            worker_id=worker_id,
            batch_id=batch.pk,
            settings=settings_of(batch),
            stages=settings_of(batch).stages,
            rows=rows,
            now=now,
        )
        for batch in batches
    }


def _usual(
    batches: Sequence[tuple[Batch, frozenset[str]]], gates_of: Mapping[int, Mapping[str, Gate]]
) -> dict[str, tuple[float, str]]:
    """Return by stage how many seconds a full page usually takes, and by what it is paid.

    The batch is the one whose page comes next, as in `_offers`.
    """
    found: dict[str, tuple[float, str]] = {}
    times = {batch.pk: usual_times(batch) for batch, _ in batches}
    for offered in (True, False):
        for batch, waiting in batches:
            for stage in settings_of(batch).stages:
                if not offered or (stage in waiting and gates_of[batch.pk][stage].is_open):
                    found.setdefault(stage, (times[batch.pk][stage].seconds, settings_of(batch).pay_by))
    return found


def _offers(
    worker_id: int,
    batches: Sequence[tuple[Batch, frozenset[str]]],
    gates_of: Mapping[int, Mapping[str, Gate]],
) -> tuple[dict[str, dict[str, Any] | None], set[str]]:
    """Return by stage what the page in hand pays, or else the next one; and the stages with something to do.

    A page in hand is something to do, even if it has the last items there are: the worker may go on with it
    on another device. Work of a batch that is closed to the worker is not.
    """
    rewards: dict[str, dict[str, Any] | None] = {}
    held = Assignment.objects.filter(worker_id=worker_id, state=Assignment.State.LIVE)
    for stage, amount, currency in held.order_by("created_at").values_list("stage", "reward", "currency"):
        rewards.setdefault(stage, money(amount, currency))
    offered = set(rewards)
    for batch, waiting in batches:
        terms = settings_of(batch)
        for stage in waiting:
            if gates_of[batch.pk][stage].is_open:
                offered.add(stage)
                rewards.setdefault(stage, money(terms.reward[stage], terms.currency))
    for batch, _ in batches:  # else what the stage pays once there is work, or once the worker is let in
        terms = settings_of(batch)
        for stage in terms.stages:
            rewards.setdefault(stage, money(terms.reward[stage], terms.currency))
    return rewards, offered

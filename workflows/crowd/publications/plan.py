"""Plan publications: store the places that stages want, and reserve their money, before any call is made."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings as configured
from django.db.models import Count, F, Q, Sum

from annotation.models import Batch, Item
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.domain.obstacles import elsewhere
from workflows.crowd.models import Problem, Publication
from workflows.crowd.problems import close_problems, is_open, raise_problem
from workflows.crowd.publications.domain import Supply, affordable, places, portions
from workflows.crowd.publications.orders import work_seconds
from workflows.money import ledger
from workflows.money.models import Budget
from workflows.platforms.provider import Provider
from workflows.workers.models import Participation

AT_ONCE = 10
"""Publications planned in one transaction. More would keep claims waiting."""


def refused_key(batch_id: int, stage: str) -> str:
    """Return the key of the problem that stops publishing a stage until the problem is closed."""
    return f"refused:{batch_id}:{stage}"


def batches_of(provider: Provider, *states: str) -> list[tuple[Batch, BatchSettings]]:
    """Return the batches in these states whose workers come from this platform, with their settings."""
    found = Batch.objects.filter(state__in=states).select_related("project").order_by("pk")
    return [
        (batch, settings)
        for batch in found
        if (settings := settings_of(batch)).crowd.provider == provider.name
    ]


def plan_publications(*, provider: Provider, now: datetime) -> int:
    """Plan what running batches want, and return how many publications. The platform is not called."""
    return sum(
        _plan_stage(provider, batch, settings, stage, now)
        for batch, settings in batches_of(provider, Batch.State.RUNNING)
        if _can_publish(provider, batch, settings, now)
        for stage in settings.stages
        if not is_open(refused_key(batch.pk, stage))
    )


def _can_publish(provider: Provider, batch: Batch, settings: BatchSettings, now: datetime) -> bool:
    """Return whether the batch can be published at all; what is missing is a problem until it is there."""
    missing = ""
    if not configured.SITE:
        missing = "GROUNDCREW_SITE is not set: the platform would not know where to send workers."
    elif settings.currency != provider.currency:
        missing = (
            f"The platform pays in {provider.currency}, the batch in {settings.currency}: copy the batch."
        )
    else:
        missing = elsewhere(_launched_for(batch.pk), str(provider.environment))
    key = f"site:{batch.pk}"
    if missing:
        raise_problem(key=key, kind=Problem.Kind.REFUSED, detail=missing, now=now, batch_id=batch.pk)
    else:
        close_problems(keys=[key], now=now)
    return not missing


def _launched_for(batch_id: int) -> str:
    found = Budget.objects.filter(batch=batch_id).values_list("environment", flat=True)
    return found.first() or ""


def _plan_stage(provider: Provider, batch: Batch, settings: BatchSettings, stage: str, now: datetime) -> int:
    planned = 0
    while _wanted(provider, batch, settings, stage, now):
        try:
            with write_transaction():
                made = _plan_some(provider, batch, settings, stage, now)
        except ledger.CapError:  # somebody else reserved what was left; this transaction wrote nothing
            return planned
        planned += made
        if made < AT_ONCE:
            break
    return planned


def _wanted(provider: Provider, batch: Batch, settings: BatchSettings, stage: str, now: datetime) -> int:
    """Return how many more places the stage wants."""
    crowd = settings.crowd
    most = crowd.open_pages * settings.items_a_page[stage]
    wait = waiting(batch.pk, stage, most)
    if not wait:  # most stages of most rounds: the rest need not be read
        return 0
    # The fee of a place may be higher on a publication with many places: plan with the highest.
    fee = provider.fee(settings.reward[stage], places=crowd.places, masters=crowd.masters)
    return places(
        waiting=wait,
        items_a_page=settings.items_a_page[stage],
        supply=supply(provider, batch.pk, stage, now),
        open_pages=crowd.open_pages,
        affordable=affordable(ledger.room_under_cap(batch.pk), settings.reward[stage] + fee),
    )


def _plan_some(provider: Provider, batch: Batch, settings: BatchSettings, stage: str, now: datetime) -> int:
    """Plan at most AT_ONCE publications. The lock on the batch lets only one process plan at a time."""
    current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if current.state != Batch.State.RUNNING:
        return 0
    reward, crowd = settings.reward[stage], settings.crowd
    wanted = _wanted(provider, batch, settings, stage, now)
    several = portions(wanted, crowd.places)[:AT_ONCE]
    for number in several:
        fee = provider.fee(reward, places=number, masters=crowd.masters)
        publication = Publication.objects.create(
            batch=batch,
            stage=stage,
            provider=provider.name,
            environment=provider.environment,
            token=str(uuid.uuid4()),
            places=number,
            free=number,
            reward=reward,
            fee=fee,
            currency=settings.currency,
            work_seconds=work_seconds(settings),
            created_at=now,
            expires_at=now + timedelta(seconds=crowd.lifetime_seconds),
        )
        if reward + fee:
            ledger.reserve(
                batch_id=batch.pk,
                token=publication.token,
                amount=number * (reward + fee),
                currency=settings.currency,
                now=now,
                publication_id=publication.pk,
            )
    return len(several)


def waiting(batch_id: int, stage: str, most: int) -> int:
    """Return how many judgments the stage's items wait for that no page holds, counted up to about `most`."""
    items = Item.objects.waiting().filter(batch=batch_id, stage=stage)
    head = items.annotate(missing=F("needed") - F("judged") - F("leased")).order_by("queued_at", "pk")[:most]
    return head.aggregate(total=Sum("missing"))["total"] or 0


def supply(provider: Provider, batch_id: int, stage: str, now: datetime) -> Supply:
    """Return what is on the platform already, as far as we know."""
    states = Publication.State
    there = Publication.objects.filter(
        batch=batch_id, stage=stage, provider=provider.name, environment=provider.environment
    )
    # A publication without a free place is closed, too, until somebody gives a place back.
    taken = Q(state=states.CLOSED, expires_at__gt=now)
    alive = there.filter(Q(state__in=(states.PLANNED, states.OPEN)) | taken, expiring=False)
    # A worker without a page whom nobody confirmed may be made up, so the platform's count is used for them.
    returned = Q(participations__state=Participation.State.RETURNED)
    sure = Q(participations__confirmed=True) | Q(participations__assignment__isnull=False)
    free = unknown = 0
    for places_, free_, ours in alive.annotate(
        ours=Count("participations", filter=~returned & sure)
    ).values_list("places", "free", "ours"):
        free += free_
        unknown += max(0, places_ - free_ - ours)
    bare = Participation.objects.filter(
        publication__in=there.exclude(state=states.SETTLED),
        state=Participation.State.OPENED,
        assignment=None,
        confirmed=True,
    ).count()
    return Supply(free=free, bare=bare + unknown)

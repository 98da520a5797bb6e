"""Plan publications: store the places that stages want, and reserve their money, before any call is made."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings as configured
from django.db.models import Count, F, Max, Q, Sum

from annotation.models import Batch, Item
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.domain.obstacles import elsewhere
from workflows.crowd.models import Problem, Publication
from workflows.crowd.problems import close_problems, is_open, raise_problem
from workflows.crowd.publications.domain import (
    Supply,
    affordable,
    pages_a_place,
    portions,
    wanted_places,
)
from workflows.crowd.publications.extend import grow
from workflows.crowd.publications.orders import work_seconds
from workflows.crowd.publications.reservations import cost_of
from workflows.money import ledger
from workflows.money.domain.wage_floor import screen_out
from workflows.money.models import Budget
from workflows.platforms.provider import Provider
from workflows.workers.models import Participation

AT_ONCE = 10
"""Publications planned in one transaction. More would keep claims waiting."""
MAX_GROWN = 500
"""Places from which on a publication grows no more: each look at it lists all of its submissions [ours]."""
MIN_SCREEN_OUTS = 10
"""A publication with fewer places pays so many failed tests all the same. Once all are used, another one is
published, so that money is bound only for as many [ours]."""
REST_AFTER = timedelta(minutes=10)
"""Pages that do not fill a place are published alone if nothing of their stage was for this long [ours]."""


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
    elif provider.currency not in ("", settings.currency):
        missing = (
            f"The platform pays in {provider.currency}, the batch in {settings.currency}: copy the batch."
        )
    elif not provider.by_list:  # else there is no account that could be another one
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


@dataclass(frozen=True, slots=True)
class _Portion:
    """Places to publish together."""

    places: int
    pages: int  # a place
    grows: Publication | None = None  # the open publication that gets them, or None for a new one


def _wanted(
    provider: Provider, batch: Batch, settings: BatchSettings, stage: str, now: datetime
) -> list[_Portion]:
    """Return the portions that the stage wants and the batch's cap allows."""
    crowd, items = settings.crowd, settings.items_a_page[stage]
    if not waiting(batch.pk, stage, 1):  # most stages of most rounds: the rest need not be read
        return []

    def cost(pages: int) -> int:
        reward = pages * settings.reward[stage]
        # The fee of a place may be higher on a publication with many places: plan with the highest.
        return reward + provider.fee(reward, places=crowd.places, masters=crowd.masters)

    grows = _growing(provider, batch.pk, settings, stage, now) if provider.grows else None
    pages = grows.pages if grows else pages_a_place(settings, stage)
    there = supply(provider, batch.pk, stage, now)
    wanted = wanted_places(
        waiting=waiting(batch.pk, stage, (crowd.open_pages * pages + there.pages) * items),
        items_a_page=items,
        pages_a_place=pages,
        supply=there,
        open_places=crowd.open_pages,
        room=ledger.room_under_cap(batch.pk),
        cost=cost,
        rest=grows is None and not _is_new(batch.pk, stage, now),
    )
    several = [wanted.whole] * (wanted.whole > 0) if provider.grows else portions(wanted.whole, crowd.places)
    rest = [_Portion(1, wanted.rest)] if wanted.rest else []
    return [_Portion(places, pages, grows) for places in several] + rest


def _growing(
    provider: Provider, batch_id: int, settings: BatchSettings, stage: str, now: datetime
) -> Publication | None:
    """Return the stage's open publication, to which places can be added; None if there is none."""
    there = Publication.objects.filter(
        batch=batch_id,
        stage=stage,
        provider=provider.name,
        environment=provider.environment,
        state=Publication.State.OPEN,
        expiring=False,
        expires_at__gt=now,
        grows=True,
        places__lt=MAX_GROWN,
        reward=F("pages") * settings.reward[stage],
    )
    masters = settings.crowd.masters
    return next(
        (
            one
            for one in there.order_by("-pk")
            if one.fee == provider.fee(one.reward, places=one.places, masters=masters)
        ),
        None,
    )


def _is_new(batch_id: int, stage: str, now: datetime) -> bool:
    """Return whether places of the stage were published a short time ago: more items may come soon."""
    recent = Publication.objects.filter(batch=batch_id, stage=stage, created_at__gt=now - REST_AFTER)
    return recent.exists()


def _plan_some(provider: Provider, batch: Batch, settings: BatchSettings, stage: str, now: datetime) -> int:
    """Plan at most AT_ONCE publications. The lock on the batch lets only one process plan at a time."""
    current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if current.state != Batch.State.RUNNING:
        return 0
    several = _wanted(provider, batch, settings, stage, now)[:AT_ONCE]
    return sum(_plan_one(provider, batch, settings, stage, portion, now) for portion in several)


def _plan_one(
    provider: Provider, batch: Batch, settings: BatchSettings, stage: str, portion: _Portion, now: datetime
) -> bool:
    """Plan one portion, and return whether that could be done."""
    if portion.grows is not None:
        return grow(provider=provider, publication_id=portion.grows.pk, more=portion.places, now=now)
    crowd, reward = settings.crowd, portion.pages * settings.reward[stage]
    fee = provider.fee(reward, places=portion.places, masters=crowd.masters)
    whole = portion.places * (reward + fee)
    pay = screen_out(settings, stage, reward)
    pay_fee = provider.fee(pay, places=portion.places, masters=crowd.masters) if pay else 0
    several = _screen_outs(batch.pk, portion.places, pay + pay_fee, whole)
    publication = Publication.objects.create(
        batch=batch,
        stage=stage,
        provider=provider.name,
        environment=provider.environment,
        token=str(uuid.uuid4()),
        places=portion.places,
        pages=portion.pages,
        free=portion.places,
        reward=reward,
        fee=fee,
        screen_out=pay if several else 0,
        screen_out_fee=pay_fee if several else 0,
        screen_outs=several,
        currency=settings.currency,
        work_seconds=work_seconds(settings, portion.pages),
        created_at=now,
        expires_at=now + timedelta(seconds=crowd.lifetime_seconds),
    )
    if whole:
        ledger.reserve(
            batch_id=batch.pk,
            token=publication.token,
            amount=cost_of(publication, places=portion.places, screen_outs=several),
            currency=settings.currency,
            now=now,
            publication_id=publication.pk,
        )
    return True


def _screen_outs(batch_id: int, places: int, each: int, whole: int) -> int:
    """Return how many failed tests a publication pays at most: what the cap leaves beside its places."""
    if not each:
        return 0
    room = ledger.room_under_cap(batch_id)
    most = max(places, MIN_SCREEN_OUTS)
    can = affordable(None if room is None else room - whole, each)
    return most if can is None else min(most, can)


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
    free = pages = 0
    for places, pages_each, left, ours in alive.annotate(
        ours=Count("participations", filter=~returned & sure)
    ).values_list("places", "pages", "free", "ours"):
        free += left
        pages += pages_each * (left + max(0, places - left - ours))
    at_work = Participation.objects.filter(
        publication__in=there.exclude(state=states.SETTLED),
        state=Participation.State.OPENED,
        ended_early=False,
    )
    bare = at_work.filter(assignment=None, confirmed=True).aggregate(pages=Sum("publication__pages"))
    more = (
        at_work.filter(assignment__isnull=False, publication__pages__gt=1)
        .order_by()
        .values_list("publication")
        .annotate(
            pages=Sum(F("publication__pages") - F("page_number")),
            # More names than places may have come: no platform has confirmed all of them.
            most=Max((F("publication__pages") - 1) * (F("publication__places") - F("publication__free"))),
        )
    )
    to_come = (bare["pages"] or 0) + sum(min(count, most) for _, count, most in more)
    return Supply(free=free, pages=pages + to_come)

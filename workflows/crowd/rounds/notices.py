"""Takes notifications of platforms: hints of where to look, each once, none of them believed."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from annotation.transactions import write_transaction
from workflows.batch_settings.domain.crowd_settings import PROLIFIC
from workflows.crowd.failure_budget import Attempts
from workflows.crowd.models import Notice, Publication
from workflows.crowd.prolific.domain.events import About, Event
from workflows.crowd.provider import Hint, Provider
from workflows.workers.models import Participation

KEPT = timedelta(days=14)
"""So long a notification is known to have come."""
MOST = 200


def notice(*, provider: Provider, now: datetime) -> Attempts:
    """Take what waits at the platform."""
    attempts = Attempts()
    with attempts.one():
        for hint in provider.hints():
            attempts.done += take_hint(provider=provider.name, hint=hint, now=now)
    return attempts


def take_hint(*, provider: str, hint: Hint, now: datetime) -> bool:
    """Whether it is new. Its publication, if we have it, is looked at soon."""
    name = hint.external_id
    if len(name) > MOST:
        name = hashlib.sha256(name.encode()).hexdigest()
    with write_transaction():
        _, new = Notice.objects.get_or_create(
            provider=provider, external_id=name, defaults={"kind": hint.kind[:48], "created_at": now}
        )
        if new and hint.publication_id:
            meant = Publication.objects.filter(provider=provider, external_id=hint.publication_id)
            meant.filter(state__in=(Publication.State.OPEN, Publication.State.CLOSED)).update(hinted=True)
    return new


def forget_notices(*, now: datetime) -> int:
    """Delete those that are so old that they do not come again; returns how many."""
    return Notice.objects.filter(created_at__lt=now - KEPT).delete()[0]


def take_event(event: Event, *, now: datetime) -> bool:
    """Whether it is new: neither its id came before, nor its signature, which a replay would show again."""
    replay = Hint(f"signature:{event.signature}", event.kind, publication_id="")
    if not take_hint(provider=PROLIFIC, hint=replay, now=now):
        return False
    hint = Hint(f"event:{event.id}", event.kind, publication_id=_study(event))
    return take_hint(provider=PROLIFIC, hint=hint, now=now)


def _study(event: Event) -> str:
    """Of a submission's event the study that we know it by; nobody opened our page where there is none."""
    if event.kind == About.SUBMISSION:
        found = Participation.objects.filter(
            external_id=event.resource, publication__provider=PROLIFIC
        ).values_list("publication__external_id", flat=True)
        return found.first() or ""
    return event.resource if event.kind == About.STUDY else ""

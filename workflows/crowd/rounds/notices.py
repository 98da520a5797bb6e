"""Notices: platforms' notifications. Each is taken once, and only says at which publication to look."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from annotation.transactions import write_transaction
from workflows.batch_settings.domain.crowd_settings import PROLIFIC
from workflows.crowd.models import Notice, Publication
from workflows.platforms.failure_budget import Attempts
from workflows.platforms.prolific.domain.events import About, Event
from workflows.platforms.provider import Hint, Provider
from workflows.workers.models import Participation

KEPT = timedelta(days=14)
"""How long we remember that a notification has come."""
MAX_ID_LENGTH = 200  # characters of a notification's id


def take_hints(*, provider: Provider, now: datetime) -> Attempts:
    """Take the notifications that wait at the platform."""
    attempts = Attempts()
    with attempts.one():
        for hint in provider.hints():
            attempts.done += take_hint(provider=provider.name, hint=hint, now=now)
    return attempts


def take_hint(*, provider: str, hint: Hint, now: datetime) -> bool:
    """Take a notification, and return whether it is new. If so, its publication is looked at soon."""
    name = hint.external_id
    if len(name) > MAX_ID_LENGTH:
        name = hashlib.sha256(name.encode()).hexdigest()
    with write_transaction():
        _, new = Notice.objects.get_or_create(
            provider=provider, external_id=name, defaults={"kind": hint.kind[:48], "created_at": now}
        )
        if new and hint.publication_id:
            meant = Publication.objects.filter(provider=provider, external_id=hint.publication_id)
            meant.filter(state__in=(Publication.State.OPEN, Publication.State.CLOSED)).update(hinted=True)
    return new


def take_event(event: Event, *, now: datetime) -> bool:
    """Take an event of Prolific's, and return whether it is new.

    Neither its id nor its signature may have come before: a replayed event can have another id.
    """
    replay = Hint(f"signature:{event.signature}", event.kind, publication_id="")
    if not take_hint(provider=PROLIFIC, hint=replay, now=now):
        return False
    hint = Hint(f"event:{event.id}", event.kind, publication_id=_study(event))
    return take_hint(provider=PROLIFIC, hint=hint, now=now)


def _study(event: Event) -> str:
    """Return the study that an event is about; an empty text if we do not know it.

    We know a submission's study if its participant has opened our page.
    """
    if event.kind == About.SUBMISSION:
        found = Participation.objects.filter(
            external_id=event.resource, publication__provider=PROLIFIC
        ).values_list("publication__external_id", flat=True)
        return found.first() or ""
    return event.resource if event.kind == About.STUDY else ""


def forget_notices(*, now: datetime) -> int:
    """Delete notices that are too old to come again, and return how many."""
    return Notice.objects.filter(created_at__lt=now - KEPT).delete()[0]

"""Takes notifications of platforms: hints of where to look, each once, none of them believed."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from annotation.transactions import write_transaction
from workflows.crowd.base import Hint, Provider
from workflows.models import Notice, Publication
from workflows.services.crowd.attempting import Attempts

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

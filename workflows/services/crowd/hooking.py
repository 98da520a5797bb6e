"""Takes an event that Prolific sent: a hint of which study to look at, and nothing else."""

from __future__ import annotations

from datetime import datetime

from workflows.batch_settings.domain.crowd_settings import PROLIFIC
from workflows.crowd.base import Hint
from workflows.domain.crowd.hooking import About, Event
from workflows.models import Participation
from workflows.services.crowd.noticing import take_hint


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

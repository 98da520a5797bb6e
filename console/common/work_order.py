"""Which batch invited workers get pages of first, where only some of the running ones pay."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q

from annotation.models import Batch, Project
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of


class Offered(NamedTuple):
    """A running batch, and whether any of its stages pays."""

    batch: Batch
    pays: bool


def work_order(project: Project, *, soon: Batch | None = None) -> list[Offered]:
    """Return the running batches for invited workers, the one whose pages come first at the beginning.

    `soon` is one that is about to run. Empty if all of them pay or none does: then the order changes no pay,
    and where `soon` is for a platform's workers. One query.
    """
    if soon is not None and settings_of(soon).crowd.provider != DIRECT:
        return []
    runs = Q(state=Batch.State.RUNNING)
    running = project.batches.filter(runs | Q(pk=soon.pk) if soon else runs).order_by("pk")
    found = [
        Offered(batch, any(settings.reward.values()))
        for batch in running
        if (settings := settings_of(batch)).crowd.provider == DIRECT
    ]
    return found if len({one.pays for one in found}) == 2 else []

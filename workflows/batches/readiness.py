"""Whether a batch is ready to launch: its pictures, its verification questions and its crowd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Q

from annotation.models import Batch
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.installation import crowd_obstacles
from workflows.questions import supply


class Shortage(NamedTuple):
    """Verification questions of one stage and role of which there are too few."""

    stage: str
    role: str
    found: int
    needed: int


@dataclass(frozen=True, slots=True)
class Readiness:
    """What stands between a draft and its launch."""

    bare: int  # images without a picture
    unsized: int  # images without a size
    shortages: tuple[Shortage, ...]
    crowd: tuple[str, ...]  # what is missing for its crowd: sentences without their full stop

    @property
    def ready(self) -> bool:
        """Whether the batch can be launched by somebody who agrees to images without a picture."""
        return not (self.unsized or self.shortages or self.crowd)


def readiness_of(batch: Batch) -> Readiness:
    """Return what is missing to launch the batch. Launching it checks the same.

    A question cannot be asked while any batch annotates its image, so such questions do not count.
    """
    pictures = batch.works.aggregate(
        bare=Count("pk", filter=Q(image__file="")),
        unsized=Count("pk", filter=Q(image__width=None) | Q(image__height=None)),
    )
    settings = settings_of(batch)
    return Readiness(
        bare=pictures["bare"],
        unsized=pictures["unsized"],
        shortages=tuple(Shortage(*short) for short in supply.shortages(batch.project, settings)),
        crowd=tuple(crowd_obstacles(settings)),
    )

"""Whether a batch can be launched, point by point."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Batch, Image, Project
from console.common.labels import STAGES
from console.review.question_list import ROLES
from workflows.batch_settings.selectors import settings_of
from workflows.batches.readiness import missing_pictures
from workflows.crowd.installation import crowd_obstacles
from workflows.questions import supply
from workflows.questions.images import usable, with_gold

NAMED = 5
"""Images without a picture that are named: enough to look the others up in the problems of their import."""


@dataclass(frozen=True, slots=True)
class Short:
    """Verification questions of which there are too few."""

    stage: str
    role: str
    found: int
    needed: int


@dataclass(frozen=True, slots=True)
class Readiness:
    """What stands between a draft and its launch."""

    bare: int  # images without a picture
    bare_names: list[str]  # of some of them, by name
    unsized: int  # images without a size
    short: list[Short]
    crowd: list[str]  # what is missing for its crowd, in sentences

    @property
    def bare_left(self) -> int:
        """How many images without a picture are not named."""
        return self.bare - len(self.bare_names)

    @property
    def ready(self) -> bool:
        """Whether it can be launched; `bare` images can be agreed to."""
        return not self.unsized and not self.short and not self.crowd


def readiness(batch: Batch) -> Readiness:
    """Of a draft, as `move` will check it."""
    bare, unsized = missing_pictures(batch)
    settings = settings_of(batch)
    missing = supply.shortages(batch.project, settings)
    short = [Short(STAGES[stage], ROLES[role], found, needed) for stage, role, found, needed in missing]
    return Readiness(bare, _bare_names(batch) if bare else [], unsized, short, crowd_obstacles(settings))


def _bare_names(batch: Batch) -> list[str]:
    bare = Image.objects.filter(works__batch=batch, file="").order_by("name")
    return list(bare.values_list("name", flat=True)[:NAMED])


def known_images(project: Project, most: int) -> int:
    """How many images questions could be made of now, from the chains they came with; counts up to `most`."""
    free = with_gold(usable(project, without_pictures=True))
    return Image.objects.filter(pk__in=free.order_by().values("pk")[:most]).count()

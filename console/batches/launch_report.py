"""What pages say about whether a batch is ready to launch."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Batch, Image, Project, VerificationQuestion
from console.common.labels import QUESTION_ROLES, STAGES
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.forecast import Forecast
from workflows.batches.launch_checks import Readiness, Shortage, readiness_of
from workflows.crowd.installation import fees_of
from workflows.money.domain.currencies import amount
from workflows.questions.domain.supply import questions_needed
from workflows.questions.images import usable, with_gold

NAMED = 5
"""Images without a picture that are named: enough to look the others up in the problems of their import."""

FEW_KNOWN = 40


@dataclass(frozen=True, slots=True)
class ReadinessReport(Readiness):
    """A batch's readiness in the words of the page that launches it."""

    bare_names: list[str] = field(default_factory=list)  # of some images without a picture
    asks: bool = False  # whether the batch asks verification questions at all
    fees_known: bool = True  # whether the forecast has the platform's fees

    @property
    def bare_left(self) -> int:
        """How many images without a picture are not named."""
        return self.bare - len(self.bare_names)

    @property
    def money(self) -> list[str]:
        """Return the cap, and the low, the middle and the high estimate of the costs, in words."""
        if self.cap is None:
            return []
        cost = self.cap.cost
        return [amount(one, self.cap.currency) for one in (self.cap.cap, cost.low, cost.middle, cost.high)]

    @property
    def needed(self) -> int:
        """How many people may be needed for one question."""
        return max(self.team.short.values(), default=0) if self.team else 0

    @property
    def people(self) -> list[tuple[str, int]]:
        """Return the stages that may need more people than are invited, each with how many it may need."""
        return [(STAGES[stage], number) for stage, number in self.team.short.items()] if self.team else []

    @property
    def short(self) -> list[Shortage]:
        """The shortages of verification questions, with the names of stages and roles that pages show."""
        return [
            one._replace(stage=STAGES[one.stage], role=QUESTION_ROLES[one.role]) for one in self.shortages
        ]


def readiness_report(batch: Batch) -> ReadinessReport:
    """Return the readiness of a draft, with its forecast, as its page shows it."""
    found = readiness_of(batch, with_forecast=True)
    names = _bare_names(batch) if found.bare else []
    settings = settings_of(batch)
    asks = any(questions_needed(settings, stage) for stage in settings.stages)
    return ReadinessReport(
        found.bare,
        found.unsized,
        found.shortages,
        found.crowd,
        found.prior,
        found.cap,
        found.team,
        found.reach,
        unpaired=found.unpaired,
        judge=found.judge,
        suggestions=found.suggestions,
        forecast=found.forecast,
        bare_names=names,
        asks=asks,
        fees_known=fees_of(settings_of(batch)) is not None,
        contact=found.contact,
    )


def cap_offer(ready: ReadinessReport, seen: Forecast) -> int | None:
    """Return a cap that is probably enough. `seen` is the batch's forecast.

    It is the upper estimate of the costs, rounded up to a whole unit of the currency. Return None if the
    batch's own cap is enough, and if the platform's fees are not known: a cap without them is too low.
    """
    if not ready.fees_known or (ready.cap is not None and not ready.cap.perhaps_too_low):
        return None
    return ceil(seen.total.cost.high / 100) * 100 or None


def _bare_names(batch: Batch) -> list[str]:
    bare = Image.objects.filter(works__batch=batch, works__active=True, file="").order_by("name")
    return list(bare.values_list("name", flat=True)[:NAMED])


def known_images(project: Project, most: int) -> int:
    """Return how many images questions could be made of now, from the chains they came with.

    Counts up to `most`.
    """
    free = with_gold(usable(project, without_pictures=True))
    return Image.objects.filter(pk__in=free.order_by().values("pk")[:most]).count()


def unused_known(project: Project) -> QuerySet[Image]:
    """Return the images with a picture that have known chains and no question yet."""
    asked = VerificationQuestion.objects.filter(image=OuterRef("pk"))
    return with_gold(usable(project)).filter(~Exists(asked))


def images_to_use(project: Project, needed: int) -> int:
    """Return of how many of these images questions should be made, if `needed` more images are needed.

    If they are few, these are all: somebody annotated them for that.
    """
    unused = unused_known(project).order_by().values("pk")[: max(needed, FEW_KNOWN + 1)]
    found = Image.objects.filter(pk__in=unused).count()
    return found if found <= FEW_KNOWN else min(found, needed)

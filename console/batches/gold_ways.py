"""The ways to verification questions for somebody who has none: what each takes, and where it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Batch, ImageWork, Project, VerificationQuestion
from console.batches.launch_report import images_to_use
from console.common.labels import QUESTION_ROLES, STAGES
from console.common.numbers import say_count
from workflows.batch_settings.domain.presets import FEW_AT_ENTRANCE, with_fewer_questions
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.pilot import NAME, spare_images
from workflows.questions import supply
from workflows.questions.domain.supply import images_needed
from workflows.questions.exposure import stock_of
from workflows.questions.make_missing import MissingPlan, Sources, plan_missing

NAMED = 4
"""If more stages and roles lack questions, their sum is said: a table beside it has the rest."""
MIN_IMAGES = 5
"""The fewest images that a pilot or a queue is offered for."""


@dataclass(frozen=True, slots=True)
class GoldWays:
    """What is missing, and what there is to make it of."""

    images: int  # that it takes if none that there are helps
    finished: int  # finished images without questions
    unused: int  # images with known chains and without questions, as many as should be used
    spare: int  # images that somebody could annotate now: a researcher, or the people of a pilot
    pilots: list[Batch]  # that are not over
    fewer: int | None  # `needed` if the batch asks fewer questions; None if that saves none
    entrance: int  # the questions of an entrance then
    plan: MissingPlan  # how what is missing can be covered by images that there are
    grows: bool = False  # whether more may be missing once other images have questions: some enter entrances

    @property
    def says(self) -> str:
        """Return how many questions of each stage and role are missing."""
        return _said(self.plan.missing)

    @property
    def not_covered(self) -> str:
        """Return what the images that there are do not admit."""
        return _said(self.plan.left)

    @property
    def by_stage(self) -> list[tuple[str, str, int, int]]:
        """Return stage, role, and how many questions can be asked and are needed, where these are too few."""
        return [
            (
                STAGES[stage],
                QUESTION_ROLES[role],
                found := self.plan.found.get((stage, role), 0),
                found + number,
            )
            for (stage, role), number in self.plan.missing.items()
        ]

    @property
    def helps(self) -> bool:
        """Return whether something that is missing can be made of the images that there are, or approved."""
        return bool(self.plan.new or self.plan.waiting)

    @property
    def covers(self) -> bool:
        """Return whether all that is missing can be made of the images that there are, or approved."""
        return self.helps and not self.plan.left

    @property
    def needed(self) -> int:
        """Return about how many images more it takes, after what can be made and approved; 0: none."""
        return _images(self.plan)

    @property
    def offered(self) -> int:
        """Return how many images a pilot or a queue should have."""
        return self.needed or self.images

    @property
    def waiting(self) -> int:
        """Return how many proposed questions cover something that is missing, and wait for approval."""
        return self.plan.waiting.total()

    @property
    def proposed(self) -> int:
        """Return how many of the new questions wait for approval once they are made."""
        return sum(len(one.questions) for one in self.plan.proposed)

    @property
    def approvals(self) -> int:
        """Return how many approvals it takes to cover what can be covered."""
        return self.waiting + self.proposed

    @property
    def main(self) -> str:
        """Return what to do first: approve what was proposed, use what is known, or annotate."""
        if self.plan.new and self.covers:
            return "missing"
        return "approve" if self.waiting else "make" if self.unused else "annotate"

    @property
    def pilot(self) -> int:
        """Return how many images a pilot should have, of those that it can have."""
        return min(self.offered, self.spare)

    @property
    def missing(self) -> int:
        """Return how many images there are still to annotate when all unused ones have questions."""
        return self.offered if self.helps else max(0, self.images - self.unused)

    @property
    def more(self) -> int:
        """Return how many of the missing images there are."""
        return min(self.missing, self.spare)

    @property
    def too_few(self) -> bool:
        """Return whether somebody who annotates all images that there are still lacks some."""
        return self.more < min(self.missing, self.needed)


def gold_ways(
    project: Project,
    shortages: Sequence[tuple[str, str, int, int]],
    *,
    draft: Batch | None = None,
) -> GoldWays:
    """Return the ways to the questions that are missing to launch `draft`, or any batch."""
    missing = {(stage, role): needed - found for stage, role, found, needed in shortages}
    images = max(MIN_IMAGES, images_needed(missing))
    settings = settings_of(draft) if draft else BatchSettings()
    finished = finished_without_questions(project)
    pilots = project.batches.filter(name__startswith=NAME).exclude(state__in=Batch.OVER)
    there = supply.supplied_of(project, stock_of(project.pk))
    sources = Sources(project, settings)
    plan = plan_missing(project, settings, there, sources)
    fewer = plan_missing(project, with_fewer_questions(settings), there, sources)
    spared = _images(fewer) < _images(plan) and (draft is None or draft.state == Batch.State.DRAFT)
    return GoldWays(
        images=images,
        finished=finished.count(),
        unused=images_to_use(project, images),
        spare=spare_images(project, draft),
        fewer=_images(fewer) if spared else None,
        entrance=FEW_AT_ENTRANCE,
        plan=plan,
        grows=bool(plan.left) and Regime.TRUSTED in settings.regime.values(),
        pilots=list(pilots.order_by("-pk")[:3]),
    )


def _images(plan: MissingPlan) -> int:
    """Return about how many images it takes to cover what the plan leaves over; 0: none."""
    return max(MIN_IMAGES, images_needed(plan.left)) if plan.left else 0


def _said(numbers: Mapping[tuple[str, str], int]) -> str:
    """Return how many of each stage and role these are, or their sum if they are many."""
    named = [key for key, number in numbers.items() if number]
    if len(named) > NAMED:
        stages = say_count(len({stage for stage, _ in named}), "stage")
        return f"{say_count(sum(numbers.values()), 'question')} of {stages}"
    return ", ".join(
        f"{numbers[stage, role]} of {STAGES[stage]} ({QUESTION_ROLES[role]})" for stage, role in named
    )


def finished_without_questions(project: Project) -> QuerySet[ImageWork]:
    """Return the finished works of the project about whose images there are no questions."""
    asked = VerificationQuestion.objects.filter(image=OuterRef("image"))
    return ImageWork.objects.grounding().filter(
        ~Exists(asked), batch__project=project, state=ImageWork.State.DONE, active=True
    )

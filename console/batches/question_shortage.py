"""Why known chains admit no questions of a stage, or no more: as docs/questions.md has it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from annotation.domain.answers import JointStage, Stage
from annotation.models import Project, VerificationQuestion
from console.common.labels import STAGES

_BOXES = (
    "chains with boxes of at least 8 pixels a side, inside the image, those of a chain hardly overlapping"
)
NEEDS: Mapping[str, str] = MappingProxyType(
    {
        Stage.LINK: "images with a chain of several mentions, and another chain that shares a type with it",
        Stage.VERIFICATION: "chains of several mentions, and others that could be taken for them",
        Stage.REQUIREMENT: "chains of types that come to this stage, and not all with a box: some that are a "
        "scene, or that no box can be drawn for",
        Stage.DRAWING: _BOXES,
        Stage.QUALITY: _BOXES,
        Stage.COVERAGE: "chains with several boxes: at least one to show and one that is missing",
        JointStage.BOXES: _BOXES,
        JointStage.CHECK: f"{_BOXES}; and some chains with several boxes, of which one can be missing",
    }
)
"""What a stage's questions are made of, by stage."""


def nothing_new(project: Project, stages: Sequence[str], made: Collection[str]) -> Iterator[str]:
    """For those of the stages that nothing was made for now (`made` are the others): which, and why."""
    without = [stage for stage in stages if stage not in made]
    if not without:
        return
    rows = VerificationQuestion.objects.filter(project=project, stage__in=without).order_by()
    known = set(rows.values_list("stage", flat=True).distinct())
    if before := [STAGES[stage] for stage in without if stage in known]:
        yield (
            f"No more of {', '.join(before)}: what these chains admit was made before. More images, or more "
            "questions a stage and image, may give some."
        )
    if never := [STAGES[stage] for stage in without if stage not in known]:
        yield (
            f"None of {', '.join(never)}: the known chains of these images admit none, or only such as all "
            "have the same answer. What each needs is below."
        )

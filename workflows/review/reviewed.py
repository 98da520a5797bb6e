"""What a researcher has looked at: by a decision about a chain or a whole image, or in a spot check."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Decision, Project
from workflows.review.domain.spot_checks import BOX, Unit
from workflows.review.models import SpotCheck, SpotCheckVerdict
from workflows.review.spot_checks import units_of

MAX_DECISIONS = 10_000
MAX_SPOT_CHECKS = 20
"""The most decisions and spot checks of a project that are searched for images, the latest first."""
_OF_IMAGE = (Decision.Kind.REGROUP, Decision.Kind.ANNOTATE)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Ids of works, chains and boxes that a researcher has looked at."""

    works: Collection[int]
    chains: Collection[int]
    boxes: Collection[int]


def reviewed(project: Project, works: Collection[int]) -> Reviewed:
    """Return what was looked at of these works (ids). Four queries."""
    decisions = Decision.objects.filter(work__in=works, kind__in=(*_OF_IMAGE, Decision.Kind.CHAIN))
    decisions = decisions.exclude(pk__in=_undone(Decision.objects.filter(work__in=works)))
    rows = list(decisions.values_list("kind", "work_id", "chain_id"))
    return Reviewed(
        works={work for kind, work, _ in rows if kind in _OF_IMAGE},
        chains={chain for *_, chain in rows},
        boxes={unit.id for unit in _judged_units(project) if unit.kind == BOX},
    )


def reviewed_images(project: Project) -> set[int]:
    """Return the ids of images of which anything was looked at. Four queries."""
    decisions = Decision.objects.filter(project=project, kind__in=(*_OF_IMAGE, Decision.Kind.CHAIN))
    decisions = decisions.exclude(pk__in=_undone(Decision.objects.filter(project=project)))
    images = decisions.order_by("-pk").values_list("work__image_id", flat=True)[:MAX_DECISIONS]
    return {*images, *(unit.image for unit in _judged_units(project))} - {None}


def _undone(decisions: QuerySet[Decision]) -> list[int]:
    """Return the ids of the decisions that these ones undo."""
    undoing = decisions.filter(kind=Decision.Kind.UNDO).order_by("-pk")
    return list(undoing.values_list("content__undoes", flat=True)[:MAX_DECISIONS])


def _judged_units(project: Project) -> Iterator[Unit]:
    checks = {
        one.pk: one for one in SpotCheck.objects.filter(project=project).order_by("-pk")[:MAX_SPOT_CHECKS]
    }
    units = {pk: units_of(one) for pk, one in checks.items()}
    verdicts = SpotCheckVerdict.objects.filter(spot_check__in=checks)
    for check, place in verdicts.values_list("spot_check_id", "place"):
        yield units[check][place]

"""Reads which boxes of a model workers are shown, and its scores of pairs."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import NamedTuple, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from annotation.domain.records import TEST_SPLIT
from annotation.domain.suggested import SuggestedBox, gets_suggestions, large_enough
from annotation.models import Batch, Image, Mention, PairScores, Suggestion, SuggestionSet, SuggestionStop
from workflows.batch_settings.domain.settings import BatchSettings

NONE = 0
"""The id of no row: a page without subjects takes a query as well, or the time would tell."""
Key = TypeVar("Key", bound=Hashable)


class Subject(NamedTuple):
    """What an item or a verification question is about."""

    mention: int
    image: int
    split: str
    has_boxes: bool  # boxes of its chain were accepted already


def completed(project_id: int, number: int) -> SuggestionSet | None:
    """Return the project's set of this number, if it is complete."""
    complete = SuggestionSet.objects.filter(project=project_id, number=number, completed_at__isnull=False)
    return complete.select_related("model").first()


def newest_number() -> Subquery:
    """Return the number of the newest complete set with boxes, or NULL. It annotates rows of a project."""
    complete = SuggestionSet.objects.filter(
        Exists(Suggestion.objects.filter(set=OuterRef("pk"))),
        project=OuterRef("project_id"),
        completed_at__isnull=False,
    )
    return Subquery(complete.order_by("-number").values("number")[:1])


def boxes_in(image_id: int, of: SuggestionSet) -> list[tuple[int, SuggestedBox]]:
    """Return every box of the set in an image, with its mention, always in the same order. One query."""
    rows = Suggestion.objects.filter(set=of, mention__image=image_id).order_by("mention")
    return [(mention, box) for mention, boxes in rows.values_list("mention_id", "boxes") for box in boxes]


def uncovered(of: SuggestionSet, images: QuerySet[Image]) -> int:
    """Return how many of these images have mentions to ask about, and no suggestion in the set.

    A suggestion without boxes is one: the model looked at the image, and found nothing.
    """
    asked = Mention.objects.filter(image=OuterRef("pk"), annotatable=True, superseded=False)
    suggested = Suggestion.objects.filter(set=of, mention__image=OuterRef("pk"))
    return images.filter(Exists(asked), ~Exists(suggested)).count()


def pair_scores(
    project_id: int, number: int, images: Collection[int] | QuerySet[Image]
) -> dict[int, dict[tuple[int, int], float]]:
    """Return the scores that a set has for pairs of mentions of these images (ids), by image.

    The smaller mention id of a pair comes first. One query.
    """
    rows = PairScores.objects.filter(set__project=project_id, set__number=number, image__in=images)
    rows = rows.exclude(set__completed_at=None)
    return {
        image: {(a, b): score for a, b, score in scores}
        for image, scores in rows.values_list("image_id", "scores")
    }


def is_off(*, batch_id: int, worker_id: int) -> bool:
    """Return whether suggestions are switched off for the worker, or for all in the batch. One query."""
    of_either = Q(worker=worker_id) | Q(batch=batch_id)
    return SuggestionStop.objects.filter(of_either, resumed=None).exists()


def stops_of(batch: Batch) -> list[SuggestionStop]:
    """Return what has switched suggestions off in the batch, and for which of its workers, the newest first.

    Those after which a researcher let them be shown again are among them: `resumed` is the decision. One
    query.
    """
    of_either = Q(batch=batch) | Exists(batch.assignments.filter(worker=OuterRef("worker")))
    stops = SuggestionStop.objects.filter(of_either).select_related("worker", "batch", "resumed")
    return list(stops.order_by("-pk"))


def suggested_to(
    subjects: Mapping[Key, Subject], *, project_id: int, settings: BatchSettings
) -> dict[Key, list[SuggestedBox]]:
    """Return the boxes that are shown with each subject, the best first. Subjects that get none are left out.

    Items and verification questions are treated alike: whether one gets suggestions depends on its image, and
    on whether it shows accepted boxes. One query, whatever the subjects are.
    """
    group = settings.suggestions
    gets = {
        key: subject
        for key, subject in subjects.items()
        if not subject.has_boxes
        and (group.test_split or subject.split != TEST_SPLIT)
        and gets_suggestions(seed=settings.seed, image=subject.image, without=group.without)
    }
    boxes = _boxes(project_id, group.set or NONE, {subject.mention for subject in gets.values()})
    return {
        key: large_enough(boxes.get(subject.mention, []), settings.minimum_side)
        for key, subject in gets.items()
    }


def _boxes(project_id: int, number: int, mentions: Collection[int]) -> dict[int, list[SuggestedBox]]:
    rows = Suggestion.objects.filter(
        set__project=project_id,
        set__number=number,
        set__completed_at__isnull=False,
        mention__in=mentions or [NONE],
    )
    return dict(rows.values_list("mention_id", "boxes"))

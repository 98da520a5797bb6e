"""Sets of boxes that models suggest, and batches that show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from annotation.domain.mentions import Mention as PureMention
from annotation.domain.mentions import admissible
from annotation.domain.suggested import SuggestedBox, gets_suggestions
from annotation.models import Batch, Image, Mention, PairScores, Project, Suggestion, SuggestionSet
from annotation.selectors import mentions_by_image
from tests.factories import FAST, NOW, make_at_stage, make_batch, make_images, make_project
from tests.judging_models import make_judge

SUGGESTED: list[SuggestedBox] = [[10, 20, 110, 220, 0.9], [200, 20, 300, 220, 0.25]]
"""The boxes that `the_same` has for each mention."""


Suggesting = Callable[[Mention], Sequence[SuggestedBox] | None]
"""The boxes that a model has for a mention; None: it has no entry for it."""


def the_same(mention: Mention) -> list[SuggestedBox]:
    return SUGGESTED


def make_set(
    project: Project,
    boxes: Suggesting = the_same,
    *,
    completed: bool = True,
    report: Mapping[str, Any] | None = None,
) -> SuggestionSet:
    """Make the project's next set, with these boxes for each mention."""
    made = SuggestionSet.objects.create(
        project=project,
        number=project.suggestion_sets.count() + 1,
        model=make_judge(project, "detector/1", family="owl"),
        settings={"threshold": None, "nms": 0.7},
        report=report or {},
        by="ada",
        created_at=NOW,
        completed_at=NOW if completed else None,
    )
    mentions = Mention.objects.filter(image__project=project).order_by("pk")
    found = [(mention, boxes(mention)) for mention in mentions]
    Suggestion.objects.bulk_create(
        Suggestion(set=made, mention=mention, boxes=list(some)) for mention, some in found if some is not None
    )
    return made


Scoring = Callable[[PureMention, PureMention], float | None]
"""The score that a model has for a pair of mentions; None: it has none."""


def make_scored_set(project: Project, score: Scoring, *, completed: bool = True) -> SuggestionSet:
    """Make the project's next set, with these scores of all pairs that workers may be asked about."""
    made = SuggestionSet.objects.create(
        project=project,
        number=project.suggestion_sets.count() + 1,
        model=make_judge(project, "matcher/1"),
        settings={"test_split": False},
        report={"pairs": 0, "images": 0},
        by="ada",
        created_at=NOW,
        completed_at=NOW if completed else None,
    )
    for image, mentions in mentions_by_image(list(project.images.values_list("pk", flat=True))).items():
        pairs = [sorted(pair, key=lambda one: one.id) for pair in combinations(mentions, 2)]
        found = [(a.id, b.id, score(a, b)) for a, b in pairs if admissible(a, b)]
        scores = [one for one in found if one[2] is not None]
        PairScores.objects.create(set=made, image_id=image, scores=scores)
    return made


def make_suggesting(
    captions: Sequence[Sequence[str]] = (("man",),),
    *,
    images: int = 1,
    models: Sequence[str] = (),
    boxes: Suggesting | None = None,
    **settings: Any,
) -> Batch:
    """Make a running batch of entities-fast that shows suggestions, with all images unless told otherwise."""
    project = make_project()
    make_images(project, captions, images)
    for name in models:
        make_judge(project, name)
    made = make_set(project, boxes or the_same)
    shown = {"set": made.number, "without": 0, **settings.pop("suggestions", {})}
    return make_batch(project, protocol=FAST, suggestions=shown, **settings)


def make_drawing(
    *, images: int = 1, boxes: Suggesting | None = None, minimum_side: int = 3, **suggestions: Any
) -> Batch:
    """Make a running batch of the classic protocol that shows suggestions, with a chain an image to draw for.

    All images get some unless told otherwise.
    """
    batch = make_at_stage("drawing", images=images, minimum_side=minimum_side)
    return pin(batch, **{"set": make_set(batch.project, boxes or the_same).number, **suggestions})


def pin(batch: Batch, **suggestions: Any) -> Batch:
    """Let a batch that runs show suggestions, of all images unless told otherwise."""
    batch.settings = {**batch.settings, "suggestions": {"without": 0, **suggestions}}
    batch.save()
    return batch


def has_suggestions(batch: Batch, image: Image) -> bool:
    """Return whether the batch shows suggestions with an image that is not of the split test."""
    settings = batch.settings
    without = settings.get("suggestions", {}).get("without", 0.1)
    return gets_suggestions(seed=settings.get("seed", 0), image=image.pk, without=without)

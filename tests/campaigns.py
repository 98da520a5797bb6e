"""Makes batches of the campaigns that collect captions, and that judge which captions fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.answers import CampaignStage
from annotation.models import Batch, Caption, Image, Item, Project
from tests.factories import NOW, answer_page, make_images, make_project, make_worker, protocol_with
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.batches.pairs import queue_pairs
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.models import WrittenCaption
from workflows.review.written_captions import rule_on_caption

WRITING, CHECK, GRADING, RELEVANCE = CampaignStage


def make_captions(*, images: int = 1, project: Project | None = None, **settings: Any) -> Batch:
    """Make a running batch that collects captions of new photographs. Everybody's judgments count."""
    project = project or make_project()
    new = make_images(project, [], images)
    given = {"protocol": "captions", "regime": "open"} | settings
    batch = create_batch(
        project=project, name="writing", settings=parse_settings(given), images=[image.pk for image in new]
    )
    return launched(batch)


def make_refused(*, kept: int = 0, images: int = 1) -> Batch:
    """Make a finished batch that collected a caption of each photograph, and kept those of the first ones."""
    batch = make_captions(
        images=images, captions={"wanted": 1, "check": False, "refused": 0}, items_a_page={WRITING: 1}
    )
    answer_all(batch)
    rows = list(WrittenCaption.objects.filter(work__batch=batch).order_by("work"))
    for row in rows[kept:]:
        rule_on_caption(
            judgment_id=row.judgment_id, accept=False, text=None, by="rita", note="not of this image", now=NOW
        )
    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED
    return batch


def make_judged(
    stage: str = RELEVANCE, *, images: int = 1, groups: int = 1, each: int | None = None, **settings: Any
) -> Batch:
    """Make a running batch that judges captions, some of another image, in so many groups an image.

    Everybody's judgments count.
    """
    project = make_project()
    each = each or (1 if stage == GRADING else 2)
    made = make_images(project, [["man"], ["dog"]], max(images, groups * each))
    given = {"protocol": protocol_with(stage), "regime": "open"} | settings
    judged = made[:images]
    batch = create_batch(
        project=project, name="judging", settings=parse_settings(given), images=[one.pk for one in judged]
    )
    queue_pairs(batch, [(one.pk, group) for one in judged for group in captions_for(made, groups, each)])
    return launched(batch)


def captions_for(images: list[Image], groups: int, each: int) -> list[list[int]]:
    """Return captions (ids) of these images, in so many groups of so many."""
    ids = list(Caption.objects.filter(image__in=images).order_by("pk").values_list("pk", flat=True))
    return [ids[n * each : (n + 1) * each] for n in range(groups)]


def launched(batch: Batch) -> Batch:
    batch = move_batch(batch=batch, action="launch")
    open_queued(batch_id=batch.pk, now=NOW)
    return batch


def make_campaign_at(stage: str, **settings: Any) -> Batch:
    """Make a running batch with items that wait in this stage of a campaign."""
    if stage not in (WRITING, CHECK):
        return make_judged(stage, **settings)
    batch = make_captions(**settings)
    if stage == CHECK:
        answer_page(make_worker(batch.project), stage=WRITING)
        advance_pending(now=NOW)
    return batch


def answer_all(batch: Batch, answers: Mapping[str, Any] | None = None, *, most: int = 200) -> None:
    """Let new workers answer until nothing waits, or `most` pages are answered."""
    for _ in range(most):
        todo = Item.objects.waiting().filter(batch=batch).order_by("pk").first()
        if todo is None:
            return
        answer_page(make_worker(batch.project), stage=todo.stage)
        advance_pending(now=NOW)
    raise AssertionError("there is still work")

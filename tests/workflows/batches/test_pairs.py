"""Which captions a batch judges for which images."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Batch, Caption, Image
from tests.campaigns import GRADING, RELEVANCE, launched
from tests.factories import make_image, make_images, make_project, protocol_with
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import BatchError, create_batch, delete_batch
from workflows.batches.pairs import queue_pairs
from workflows.pipeline.models import JudgedPair

pytestmark = pytest.mark.django_db


def draft(stage: str = RELEVANCE, images: int = 1, **settings: Any) -> tuple[Batch, list[Image], list[int]]:
    """Return a draft of these images, and twelve captions of the project, of other images, too."""
    project = make_project()
    made = make_images(project, [["man"], ["dog"]], 6)
    given = {"protocol": protocol_with(stage), "regime": "open", **settings}
    chosen = made[:images]
    batch = create_batch(
        project=project, name="judging", settings=parse_settings(given), images=[one.pk for one in chosen]
    )
    ids = Caption.objects.filter(image__project=project).order_by("pk").values_list("pk", flat=True)
    return batch, chosen, list(ids)


def stored() -> list[tuple[int, int, int]]:
    rows = JudgedPair.objects.order_by("work_id", "number", "place")
    return list(rows.values_list("number", "place", "caption_id"))


def test_groups_are_numbered_by_image_and_later_ones_follow() -> None:
    batch, (image,), ids = draft()
    assert queue_pairs(batch, [(image.pk, ids[:2]), (image.pk, ids[2:3])]) == 3
    assert queue_pairs(batch, [(image.pk, ids[4:5])]) == 1
    assert stored() == [(0, 0, ids[0]), (0, 1, ids[1]), (1, 0, ids[2]), (2, 0, ids[4])]


def test_ten_captions_are_judged_together_at_most_and_one_is_graded() -> None:
    batch, (image,), ids = draft()
    assert queue_pairs(batch, [(image.pk, ids[:10])]) == 10
    for stage, captions, message in (
        (RELEVANCE, 11, "1 to 10 captions, not 11"),
        (RELEVANCE, 0, "1 to 10 captions, not 0"),
        (GRADING, 2, "one caption, not 2"),
    ):
        batch, (image,), ids = draft(stage)
        with pytest.raises(BatchError, match=message):
            queue_pairs(batch, [(image.pk, ids[:captions])])


def test_a_caption_is_judged_once_for_an_image() -> None:
    batch, (image,), ids = draft()
    for pairs in ([(image.pk, [ids[0], ids[0]])], [(image.pk, ids[:1]), (image.pk, ids[:1])]):
        with pytest.raises(BatchError, match=f"caption {ids[0]} is there twice for image {image.pk}"):
            queue_pairs(batch, pairs)
    queue_pairs(batch, [(image.pk, ids[:1])])
    with pytest.raises(BatchError, match="twice"):
        queue_pairs(batch, [(image.pk, ids[:1])])
    assert len(stored()) == 1, "nothing was written of what was refused"


def test_captions_are_in_use_and_of_the_same_project() -> None:
    batch, (image,), ids = draft()
    stranger = Caption.objects.filter(image=make_image(make_project(), [["man"]])).get()
    Caption.objects.filter(pk=ids[1]).update(superseded=True)
    for caption in (stranger.pk, ids[1], 0):
        with pytest.raises(BatchError, match=f"caption {caption} is no caption in use"):
            queue_pairs(batch, [(image.pk, [ids[0], caption])])
    assert not stored()


def test_pairs_are_of_the_images_of_a_draft_that_judges() -> None:
    batch, (image,), ids = draft()
    other = Image.objects.exclude(pk=image.pk).order_by("pk")[0]
    with pytest.raises(BatchError, match=f"image {other.pk} is not one of the images"):
        queue_pairs(batch, [(image.pk, ids[:1]), (other.pk, ids[:1])])
    queue_pairs(batch, [(image.pk, ids[:1])])
    launched(batch)
    with pytest.raises(BatchError, match="before the launch"):
        queue_pairs(batch, [(image.pk, ids[1:2])])
    grounding = create_batch(project=batch.project, name="other", settings=parse_settings({}))
    with pytest.raises(BatchError, match="judges no captions"):
        queue_pairs(grounding, [(image.pk, ids[:1])])


def test_a_deleted_draft_takes_its_pairs_along() -> None:
    batch, (image,), ids = draft()
    queue_pairs(batch, [(image.pk, ids[:2])])
    delete_batch(batch=batch)
    assert not stored() and not Batch.objects.exists()

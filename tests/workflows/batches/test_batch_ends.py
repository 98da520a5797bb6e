"""How batches end: drafts are deleted, and batches finish when their images are done."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.db.models import ProtectedError

from annotation.models import Batch, Caption, Chain, Image, ImageWork, Item, Judgment
from tests.factories import (
    NOW,
    answer_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
)
from tests.workflows.batches.batch_states import in_state
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.lifecycle import BatchError, create_batch, delete_batch, move_batch
from workflows.batches.settings_edits import change_settings
from workflows.jobs.models import Job, Snapshot
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.batch_completion import finish_if_done

pytestmark = pytest.mark.django_db


def test_a_draft_can_be_deleted() -> None:
    project = make_project()
    make_image(project, [["man"]])
    delete_batch(batch=make_batch(project, launch=False))
    assert not Batch.objects.exists()
    assert Image.objects.count() == 1


def test_a_draft_that_was_exported_is_cancelled_and_not_deleted() -> None:
    """Exports include unfinished batches, and a version names its batch."""
    batch = in_state("draft")
    job = Job.objects.create(project=batch.project, kind="export", by="ada", created_at=NOW)
    Snapshot.objects.create(
        project=batch.project, batch=batch, version=7, job=job, size=9, sha256="0" * 64, manifest={},
        by="ada", created_at=NOW,
    )  # fmt: skip
    with pytest.raises(BatchError, match=r"was exported \(version 7\).*cancel it instead"):
        delete_batch(batch=batch)
    assert batch.works.count() == 1, "nothing is half deleted"
    move_batch(batch=batch, action="cancel")
    assert make_batch(batch.project, name="again", launch=False).works.count() == 1


def test_a_large_draft_is_made_drawn_anew_and_deleted_in_few_statements(
    django_assert_max_num_queries: Any,
) -> None:
    """On SQLite, nobody else can write meanwhile."""
    project = make_project()
    images = Image.objects.bulk_create(
        Image(project=project, name=f"{n}.jpg", width=9, height=9) for n in range(1000)
    )
    Caption.objects.bulk_create(Caption(image=image, index=0, text="A .", tokens="A .") for image in images)
    with django_assert_max_num_queries(10):
        batch = create_batch(project=project, name="main", settings=BatchSettings())
    with django_assert_max_num_queries(12):
        change_settings(batch=batch, settings=parse_settings({"seed": 5}))
    works = list(batch.works.order_by("pk"))
    expected = list(Image.objects.order_by("name").values_list("pk", flat=True))
    Random(5).shuffle(expected)
    assert [work.image_id for work in works] == expected
    assert {(work.state, work.active, work.replayed) for work in works} == {("queued", True, False)}
    with django_assert_max_num_queries(24):
        delete_batch(batch=batch)
    assert not ImageWork.objects.exists()


@pytest.mark.parametrize("action", ["launch", "cancel"])
def test_a_batch_that_was_launched_is_never_deleted(action: str) -> None:
    batch = in_state("draft")
    move_batch(batch=batch, action=action)
    with pytest.raises(BatchError, match="its judgments are kept"):
        delete_batch(batch=batch)
    assert Batch.objects.filter(pk=batch.pk).exists()


def test_nothing_a_judgment_rests_on_can_be_deleted() -> None:
    batch = make_at_stage("quality")
    rows: list[Any] = [
        batch,
        batch.project,
        Image.objects.get(),
        ImageWork.objects.get(),
        Chain.objects.get(),
    ]
    rows += [*Item.objects.filter(judged__gt=0), *(j.worker for j in Judgment.objects.all())]
    for row in rows:
        with pytest.raises(ProtectedError):
            row.delete()
    assert Judgment.objects.count() == 1


def test_a_batch_finishes_when_all_its_images_are_done() -> None:
    batch = make_at_stage("coverage", images=2)
    for _ in range(2):
        batch.refresh_from_db()
        assert batch.state == Batch.State.RUNNING
        assert not finish_if_done(batch_id=batch.pk, now=NOW)
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED
    assert set(Chain.objects.values_list("state", flat=True)) == {"done"}


def test_a_batch_with_a_target_finishes_once_that_many_images_are_done() -> None:
    batch = make_at_stage("coverage", images=3, target=1, items_a_page={"coverage": 1})
    for _ in range(3):  # three first judgments, then a second one of the first image
        answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == Batch.State.RUNNING
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED
    assert ImageWork.objects.filter(state=ImageWork.State.DONE).count() == 1
    # Images that it did not reach are free for another batch. Images that are done stay with it.
    assert set(ImageWork.objects.values_list("state", "active")) == {("done", True), ("boxing", False)}
    assert make_batch(batch.project, name="second", launch=False).works.count() == 2


def test_a_paused_batch_does_not_finish() -> None:
    batch = make_running([["man"]])
    ImageWork.objects.update(state=ImageWork.State.DONE)
    move_batch(batch=batch, action="pause")
    assert not finish_if_done(batch_id=batch.pk, now=NOW)

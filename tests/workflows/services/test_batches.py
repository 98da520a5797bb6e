from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.db.models import ProtectedError

from annotation.models import Assignment, Batch, Chain, Image, ImageWork, Item, Judgment
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from workflows.domain.checking import SettingsError
from workflows.domain.policy import BatchSettings
from workflows.models import Job, Snapshot
from workflows.services.advance import advance_pending, open_queued
from workflows.services.altering import change_settings
from workflows.services.batches import (
    MOVES,
    BatchError,
    check_settings,
    create_batch,
    delete_batch,
    move,
    settings_of,
)
from workflows.services.finishing import finish_if_done
from workflows.services.leases import LeaseOverError, renew

pytestmark = pytest.mark.django_db

State = Batch.State
LEGAL = {
    ("draft", "launch"): "running",
    ("draft", "cancel"): "cancelled",
    ("running", "pause"): "paused",
    ("running", "cancel"): "cancelled",
    ("paused", "resume"): "running",
    ("paused", "cancel"): "cancelled",
}


def in_state(state: str) -> Batch:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    Batch.objects.filter(pk=batch.pk).update(state=state)
    return batch


@pytest.mark.parametrize("action", sorted(MOVES))
@pytest.mark.parametrize("state", State.values)
def test_a_batch_makes_the_legal_moves_and_no_other(state: str, action: str) -> None:
    batch = in_state(state)
    target = LEGAL.get((state, action))
    if target is None:
        with pytest.raises(BatchError, match=f"is {state}: it cannot {action}"):
            move(batch=batch, action=action)
        target = state
    else:
        move(batch=batch, action=action)
    batch.refresh_from_db()
    assert batch.state == target


def test_launching_opens_the_first_items() -> None:
    batch = make_running([["man"], ["man"], ["dog"]])
    assert list(Item.objects.values_list("stage", flat=True)) == ["link"]
    assert ImageWork.objects.get(batch=batch).state == ImageWork.State.LINKING


def test_launching_twice_opens_nothing_twice() -> None:
    batch = make_running([["man"], ["man"]])
    before = Item.objects.count()
    assert open_queued(batch_id=batch.pk, now=NOW) == 0
    assert Item.objects.count() == before


def test_an_image_without_possible_links_goes_straight_to_its_chains() -> None:
    make_running([["man", "dog"]])
    assert sorted(Item.objects.values_list("stage", flat=True)) == ["drawing", "requirement"]


def test_an_image_without_mentions_is_done_at_once_and_so_is_its_batch() -> None:
    batch = make_running([[]])
    batch.refresh_from_db()
    assert batch.state == State.FINISHED


def test_launching_without_pictures_is_refused_unless_asked_for() -> None:
    project = make_project()
    make_image(project, [["man"]], picture=False)
    batch = make_batch(project, launch=False)
    with pytest.raises(BatchError, match="no picture yet"):
        move(batch=batch, action="launch")
    assert move(batch=batch, action="launch", without_pictures=True).state == State.RUNNING


def test_an_image_of_unknown_size_is_never_launched() -> None:
    """A drawn box is clipped to its image: without a size, any box would be taken."""
    project = make_project()
    image = make_image(project, [["man"]], picture=False)
    Image.objects.filter(pk=image.pk).update(width=None, height=None)
    batch = make_batch(project, launch=False)
    with pytest.raises(BatchError, match="neither a picture nor a size"):
        move(batch=batch, action="launch", without_pictures=True)
    batch.refresh_from_db()
    assert batch.state == State.DRAFT


def test_an_image_belongs_to_one_batch_at_a_time() -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    make_batch(project, launch=False)
    with pytest.raises(BatchError, match="no image in this project that has neither"):
        make_batch(project, name="second")
    with pytest.raises(BatchError, match="another batch"):
        create_batch(project=project, name="third", settings=BatchSettings(), images=[image.pk])
    assert Batch.objects.count() == 1, "nothing is left of the batches that could not be made"


def test_two_batches_of_a_project_have_different_names() -> None:
    project = make_project()
    make_image(project, [["man"]])
    make_batch(project, launch=False)
    make_image(project, [["man"]])
    with pytest.raises(BatchError, match="has a batch 'main' already"):
        make_batch(project)


@pytest.mark.parametrize("name", ["", "two words", "x" * 65, "a/b"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    project = make_project()
    make_image(project, [["man"]])
    with pytest.raises(BatchError, match="is no name for a batch"):
        create_batch(project=project, name=name, settings=BatchSettings())


def test_a_currency_that_there_is_not_is_refused_where_it_is_chosen() -> None:
    project = make_project()
    make_image(project, [["man"]])
    with pytest.raises(BatchError, match="ZZZ is no currency"):
        create_batch(project=project, name="main", settings=check_settings({"currency": "ZZZ"}))
    batch = create_batch(project=project, name="main", settings=check_settings({"currency": "KWD"}))
    with pytest.raises(BatchError, match="ZZZ is no currency"):
        change_settings(batch=batch, settings=check_settings({"currency": "ZZZ"}))
    batch.settings["currency"] = "ZZZ"
    assert settings_of(batch).currency == "ZZZ", "what is stored is read"


def test_cancelling_frees_the_images_and_keeps_the_judgments() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    answer_page(make_worker(batch.project))
    move(batch=batch, action="cancel")
    assert Judgment.objects.count() == 3
    again = make_batch(batch.project, name="again")
    assert again.works.count() == 3
    assert Item.objects.filter(batch=again).count() == 3


def test_cancelling_keeps_what_is_done() -> None:
    batch = make_at_stage("coverage", images=2)
    done = ImageWork.objects.earliest("pk")
    ImageWork.objects.filter(pk=done.pk).update(state=ImageWork.State.DONE)
    move(batch=batch, action="cancel")
    assert list(ImageWork.objects.filter(active=True)) == [done]


def test_cancelling_takes_the_pages_back() -> None:
    batch = make_running([["man"], ["man"]], images=20)
    worker = make_worker(batch.project)
    page = claim_page(worker)
    move(batch=batch, action="cancel")
    page.refresh_from_db()
    assert page.state == Assignment.State.EXPIRED
    assert not Item.objects.filter(leased__gt=0).exists()
    assert claim_maybe(worker) is None
    with pytest.raises(LeaseOverError):
        renew(worker_id=worker.pk, assignment_id=page.pk, now=NOW)


def test_a_page_in_hand_can_be_submitted_after_its_batch_was_cancelled() -> None:
    batch = make_running([["man"], ["man"]])
    page = claim_page(make_worker(batch.project))
    move(batch=batch, action="cancel")
    assert submit_page(page).accepted == 1
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize("action", ["pause", "cancel"])
def test_a_batch_that_does_not_run_gives_no_work(action: str) -> None:
    batch = make_running([["man"], ["man"]])
    move(batch=batch, action=action)
    assert claim_maybe(make_worker(batch.project)) is None


def test_a_resumed_batch_gives_the_work_it_had() -> None:
    batch = make_running([["man"], ["man"]])
    move(batch=batch, action="pause")
    move(batch=batch, action="resume")
    assert len(claim_page(make_worker(batch.project)).items) == 1


def test_a_draft_can_be_deleted() -> None:
    project = make_project()
    make_image(project, [["man"]])
    delete_batch(batch=make_batch(project, launch=False))
    assert not Batch.objects.exists()
    assert Image.objects.count() == 1


def test_a_draft_that_was_exported_is_cancelled_and_not_deleted() -> None:
    """Unfinished batches are exported, too, and a version says of which batch it is."""
    batch = in_state("draft")
    job = Job.objects.create(project=batch.project, kind="export", by="ada", created_at=NOW)
    Snapshot.objects.create(
        project=batch.project, batch=batch, version=7, job=job, size=9, sha256="0" * 64, manifest={},
        by="ada", created_at=NOW,
    )  # fmt: skip
    with pytest.raises(BatchError, match=r"was exported \(version 7\).*cancel it instead"):
        delete_batch(batch=batch)
    assert batch.works.count() == 1, "nothing is half deleted"
    move(batch=batch, action="cancel")
    assert make_batch(batch.project, name="again", launch=False).works.count() == 1


def test_a_large_draft_is_made_drawn_anew_and_deleted_in_few_statements(
    django_assert_max_num_queries: Any,
) -> None:
    """On SQLite nobody else writes meanwhile."""
    project = make_project()
    images = (Image(project=project, name=f"{n}.jpg", width=9, height=9) for n in range(1000))
    Image.objects.bulk_create(images)
    with django_assert_max_num_queries(10):
        batch = create_batch(project=project, name="main", settings=BatchSettings())
    with django_assert_max_num_queries(10):
        change_settings(batch=batch, settings=check_settings({"seed": 5}))
    works = list(batch.works.order_by("pk"))
    expected = list(Image.objects.order_by("name").values_list("pk", flat=True))
    Random(5).shuffle(expected)
    assert [work.image_id for work in works] == expected
    assert {(work.state, work.active, work.replayed) for work in works} == {("queued", True, False)}
    with django_assert_max_num_queries(20):
        delete_batch(batch=batch)
    assert not ImageWork.objects.exists()


@pytest.mark.parametrize("action", ["launch", "cancel"])
def test_a_batch_that_was_launched_is_never_deleted(action: str) -> None:
    batch = in_state("draft")
    move(batch=batch, action=action)
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
        assert batch.state == State.RUNNING
        assert not finish_if_done(batch_id=batch.pk, now=NOW)
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == State.FINISHED
    assert set(Chain.objects.values_list("state", flat=True)) == {"done"}


def test_a_batch_with_a_target_finishes_once_that_many_images_are_done() -> None:
    batch = make_at_stage("coverage", images=3, target=1, items_a_page={"coverage": 1})
    for _ in range(3):  # three first judgments, then a second one of the first image
        answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == State.RUNNING
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == State.FINISHED
    assert ImageWork.objects.filter(state=ImageWork.State.DONE).count() == 1
    # What it did not get to is free for another batch; what is done stays with it.
    assert set(ImageWork.objects.values_list("state", "active")) == {("done", True), ("boxing", False)}
    assert make_batch(batch.project, name="second", launch=False).works.count() == 2


def test_images_of_another_project_are_refused() -> None:
    mine, other = make_project(), make_project()
    image = make_image(other, [["man"]])
    with pytest.raises(BatchError, match="not of project"):
        create_batch(project=mine, name="main", settings=check_settings({}), images=[image.pk])
    assert not Batch.objects.exists()


def test_a_paused_batch_does_not_finish() -> None:
    batch = make_running([["man"]])
    ImageWork.objects.update(state=ImageWork.State.DONE)
    move(batch=batch, action="pause")
    assert not finish_if_done(batch_id=batch.pk, now=NOW)


def test_settings_come_back_as_they_were_stored() -> None:
    settings = check_settings({"strategy": "greedy", "items_a_page": {"link": 3}, "target": 5})
    project = make_project()
    make_image(project, [["man"]])
    batch = create_batch(project=project, name="main", settings=settings)
    assert settings_of(Batch.objects.get(pk=batch.pk)) == settings
    assert settings.items_a_page["link"] == 3 and settings.items_a_page["drawing"] == 5


@pytest.mark.parametrize("data", [{"strategy": "no-such"}, {"protocol": "no-such"}, {"itemsapage": 3}])
def test_settings_that_cannot_be_used_are_refused_by_name(data: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(data))):
        check_settings(data)

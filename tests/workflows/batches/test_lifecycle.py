from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.own_types import parse_types, to_json
from annotation.models import Assignment, Batch, Image, ImageWork, Item, Judgment, TypesVersion
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_images,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from tests.workflows.batches.batch_states import in_state
from workflows.assignments.leases import LeaseOverError, renew_lease
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.plan import Plan, read_plan
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import MOVES, BatchError, create_batch, move_batch
from workflows.batches.settings_edits import change_settings
from workflows.pipeline.advance import open_queued

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


@pytest.mark.parametrize("action", sorted(MOVES))
@pytest.mark.parametrize("state", State.values)
def test_a_batch_makes_the_legal_moves_and_no_other(state: str, action: str) -> None:
    batch = in_state(state)
    target = LEGAL.get((state, action))
    if target is None:
        with pytest.raises(BatchError, match=f"is {state}: it cannot {action}"):
            move_batch(batch=batch, action=action)
        target = state
    else:
        move_batch(batch=batch, action=action)
    batch.refresh_from_db()
    assert batch.state == target


def test_launching_opens_the_first_items() -> None:
    batch = make_running([["man"], ["man"], ["dog"]])
    assert list(Item.objects.values_list("stage", flat=True)) == ["link"]
    assert ImageWork.objects.get(batch=batch).state == ImageWork.State.LINKING


def test_a_launch_keeps_the_forecast_as_it_was() -> None:
    """Later the batch's own judgments would be part of it."""
    project = make_project()
    make_images(project, [["man"], ["man"]], 3)
    draft = make_batch(project, launch=False)
    seen = readiness_of(draft, with_forecast=True).forecast
    assert seen is not None and draft.forecast == {}
    batch = move_batch(batch=draft, action="launch")
    assert read_plan(batch.forecast) == Plan.of(seen, "USD")
    move_batch(batch=batch, action="pause")
    assert read_plan(Batch.objects.get(pk=batch.pk).forecast) == Plan.of(seen, "USD")


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
        move_batch(batch=batch, action="launch")
    assert move_batch(batch=batch, action="launch", without_pictures=True).state == State.RUNNING


def test_an_image_of_unknown_size_is_never_launched() -> None:
    """A drawn box is clipped to its image. Without a size, any box would be accepted."""
    project = make_project()
    image = make_image(project, [["man"]], picture=False)
    Image.objects.filter(pk=image.pk).update(width=None, height=None)
    batch = make_batch(project, launch=False)
    with pytest.raises(BatchError, match="neither a picture nor a size"):
        move_batch(batch=batch, action="launch", without_pictures=True)
    batch.refresh_from_db()
    assert batch.state == State.DRAFT


def test_an_image_belongs_to_one_batch_at_a_time() -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    make_batch(project, launch=False)
    with pytest.raises(BatchError, match="no image with captions in this project that has neither"):
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
    with pytest.raises(BatchError, match="is not a name for a batch"):
        create_batch(project=project, name=name, settings=BatchSettings())


def test_a_currency_that_there_is_not_is_refused_where_it_is_chosen() -> None:
    project = make_project()
    make_image(project, [["man"]])
    with pytest.raises(BatchError, match="ZZZ is not a currency"):
        create_batch(project=project, name="main", settings=parse_settings({"currency": "ZZZ"}))
    batch = create_batch(project=project, name="main", settings=parse_settings({"currency": "KWD"}))
    with pytest.raises(BatchError, match="ZZZ is not a currency"):
        change_settings(batch=batch, settings=parse_settings({"currency": "ZZZ"}))
    batch.settings["currency"] = "ZZZ"
    assert settings_of(batch).currency == "ZZZ", "what is stored is read"


def test_a_stage_may_be_skipped_for_types_that_the_project_added_and_for_no_others() -> None:
    project = make_project()
    make_image(project, [["man"]])
    chosen = parse_settings({"skip_requirement": ["people", "food"]})
    with pytest.raises(BatchError, match=r"skip_requirement: 'food' is no type of .*; its types are p"):
        create_batch(project=project, name="main", settings=chosen)
    content = to_json(parse_types({"food": {"words": "pizza"}}))
    TypesVersion.objects.create(project=project, number=1, content=content, by="ada", created_at=NOW)
    batch = create_batch(project=project, name="main", settings=chosen)
    assert settings_of(batch).skip_requirement == ("people", "food")
    with pytest.raises(BatchError, match="skip_requirement: 'toys' is no type"):
        change_settings(batch=batch, settings=parse_settings({"skip_requirement": ["toys"]}))


def test_cancelling_frees_the_images_and_keeps_the_judgments() -> None:
    batch = make_running([["man"], ["man"]], images=3)
    answer_page(make_worker(batch.project))
    move_batch(batch=batch, action="cancel")
    assert Judgment.objects.count() == 3
    again = make_batch(batch.project, name="again")
    assert again.works.count() == 3
    assert Item.objects.filter(batch=again).count() == 3


def test_cancelling_keeps_what_is_done() -> None:
    batch = make_at_stage("coverage", images=2)
    done = ImageWork.objects.earliest("pk")
    ImageWork.objects.filter(pk=done.pk).update(state=ImageWork.State.DONE)
    move_batch(batch=batch, action="cancel")
    assert list(ImageWork.objects.filter(active=True)) == [done]


def test_cancelling_takes_the_pages_back() -> None:
    batch = make_running([["man"], ["man"]], images=20)
    worker = make_worker(batch.project)
    page = claim_page(worker)
    move_batch(batch=batch, action="cancel")
    page.refresh_from_db()
    assert page.state == Assignment.State.EXPIRED
    assert not Item.objects.filter(leased__gt=0).exists()
    assert claim_maybe(worker) is None
    with pytest.raises(LeaseOverError):
        renew_lease(worker_id=worker.pk, assignment_id=page.pk, now=NOW)


def test_a_page_in_hand_can_be_submitted_after_its_batch_was_cancelled() -> None:
    batch = make_running([["man"], ["man"]])
    page = claim_page(make_worker(batch.project))
    move_batch(batch=batch, action="cancel")
    assert submit_page(page).accepted == 1
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize("action", ["pause", "cancel"])
def test_a_batch_that_does_not_run_gives_no_work(action: str) -> None:
    batch = make_running([["man"], ["man"]])
    move_batch(batch=batch, action=action)
    assert claim_maybe(make_worker(batch.project)) is None


def test_a_resumed_batch_gives_the_work_it_had() -> None:
    batch = make_running([["man"], ["man"]])
    move_batch(batch=batch, action="pause")
    move_batch(batch=batch, action="resume")
    assert len(claim_page(make_worker(batch.project)).items) == 1


def test_images_of_another_project_are_refused() -> None:
    mine, other = make_project(), make_project()
    image = make_image(other, [["man"]])
    with pytest.raises(BatchError, match="not of project"):
        create_batch(project=mine, name="main", settings=parse_settings({}), images=[image.pk])
    assert not Batch.objects.exists()


def test_settings_come_back_as_they_were_stored() -> None:
    settings = parse_settings({"strategy": "greedy", "items_a_page": {"link": 3}, "target": 5})
    project = make_project()
    make_image(project, [["man"]])
    batch = create_batch(project=project, name="main", settings=settings)
    assert settings_of(Batch.objects.get(pk=batch.pk)) == settings
    assert settings.items_a_page["link"] == 3 and settings.items_a_page["drawing"] == 5


@pytest.mark.parametrize("data", [{"strategy": "no-such"}, {"protocol": "no-such"}, {"itemsapage": 3}])
def test_settings_that_cannot_be_used_are_refused_by_name(data: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(data))):
        parse_settings(data)

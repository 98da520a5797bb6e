"""A batch hands the images that no worker has begun on to a draft with other settings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.models import Batch, ImageWork, Judgment
from tests.campaigns import make_refused
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from tests.workflows.pipeline.invariants import check_rules
from tests.workflows.threads import at_once
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.follow_up import hand_on, untouched_works, write_anew
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.publish_captions import publish_captions
from workflows.pipeline.selectors import short_of_captions

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def images_of(batch: Batch) -> set[int]:
    return set(batch.works.filter(active=True).values_list("image_id", flat=True))


def to_trusted(batch: Batch) -> BatchSettings:
    settings = settings_of(batch)
    return replace(settings, regime={**settings.regime, "link": "trusted"})


def test_what_was_begun_stays_and_the_rest_goes_on_by_other_rules() -> None:
    """Section 3.3: the authors changed to trusted workers in the midst of their work."""
    batch = make_running([["man"], ["man"]], images=5, items_a_page={"link": 1})
    answer_page(make_worker(batch.project))
    held = claim_page(make_worker(batch.project))
    begun = set(batch.works.filter(items__judged__gt=0).values_list("image_id", flat=True))
    everything = images_of(batch)
    draft = hand_on(batch=batch, name="main-2", settings=to_trusted(batch))
    assert draft.state == "draft" and settings_of(draft).regime["link"] == "trusted"
    assert settings_of(batch).regime["link"] == "open", "the first batch keeps its rules"
    assert len(images_of(batch)) == 2 and begun < images_of(batch), "one is judged, one is in hands"
    assert images_of(draft) == everything - images_of(batch)
    submit_page(held)
    advance_pending(now=NOW)
    check_rules(batch.project)
    worker = make_worker(batch.project)
    for _ in range(9):  # more pages than there are questions
        if claim := claim_maybe(worker):
            submit_page(claim.assignment)
    advance_pending(now=NOW)
    handed = batch.works.filter(active=False)
    assert handed.count() == 3
    assert not Judgment.objects.filter(item__work__in=handed).exists(), "the first batch asks no more of them"
    assert images_of(batch).isdisjoint(images_of(draft))
    check_rules(batch.project)


def test_the_first_batch_finishes_when_its_own_images_are_done() -> None:
    batch = make_running([["man"]], images=2)
    hand_on(batch=batch, name="main-2", settings=settings_of(batch))
    open_queued(batch_id=batch.pk, now=NOW)  # as the next sweep does
    batch.refresh_from_db()
    assert batch.state == "finished", "nothing was begun"
    draft = move_batch(batch=Batch.objects.get(name="main-2"), action="launch")
    open_queued(batch_id=draft.pk, now=NOW)
    assert untouched_works(draft).count() == 2


def test_without_a_rest_nothing_is_made() -> None:
    batch = make_running([["man"], ["man"]], items_a_page={"link": 1})
    answer_page(make_worker(batch.project))
    with pytest.raises(BatchError, match="has no image that no worker has begun"):
        hand_on(batch=batch, name="main-2", settings=settings_of(batch))
    assert Batch.objects.count() == 1


@pytest.mark.parametrize("state", ["draft", "finished", "cancelled"])
def test_only_a_batch_under_way_hands_images_on(state: str) -> None:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    Batch.objects.filter(pk=batch.pk).update(state=state)
    with pytest.raises(BatchError, match=f"is {state}: only a running or paused batch"):
        hand_on(batch=batch, name="main-2", settings=settings_of(batch))


def test_another_campaign_is_refused() -> None:
    batch = make_running([["man"]])
    with pytest.raises(BatchError, match="protocol: the images of batch main were chosen for its protocol"):
        hand_on(batch=batch, name="main-2", settings=BatchSettings(protocol="captions"))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_hand_on_at_once_one_gets_the_rest() -> None:
    batch = make_running([["man"], ["man"]], images=4)

    def call(name: str) -> str:
        try:
            return hand_on(batch=batch, name=name, settings=settings_of(batch)).name
        except BatchError as error:
            return str(error)

    said = at_once([lambda: call("a"), lambda: call("b")])
    assert len({"a", "b"} & set(said)) == 1
    assert ImageWork.objects.filter(active=True).count() == 4


def test_photographs_whose_captions_were_refused_go_into_a_draft_of_their_own() -> None:
    batch = make_refused(kept=1, images=3)
    publish_captions()
    short = set(images_of(batch))
    whole = batch.works.get(written__state="accepted")
    draft = write_anew(batch=batch, name="writing-2")
    assert settings_of(draft) == settings_of(batch)
    assert images_of(draft) == short - {whole.image_id}
    assert images_of(batch) == {whole.image_id}
    assert not short_of_captions(ImageWork.objects.all()), "captions are about to be written"
    check_rules(batch.project)
    draft = move_batch(batch=draft, action="launch")
    open_queued(batch_id=draft.pk, now=NOW)
    answer_page(make_worker(batch.project), stage="writing")
    advance_pending(now=NOW)
    check_rules(batch.project)


def test_captions_are_not_written_anew_while_they_are_written_or_if_none_is_missing() -> None:
    batch = make_refused(kept=1)
    with pytest.raises(BatchError, match="no photograph that is short of captions"):
        write_anew(batch=batch, name="writing-2")
    Batch.objects.filter(pk=batch.pk).update(state="running")
    with pytest.raises(BatchError, match="is running: captions are still written in it"):
        write_anew(batch=batch, name="writing-2")
    assert Batch.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_have_captions_written_anew_at_once_one_makes_a_draft() -> None:
    batch = make_refused(images=2)

    def call(name: str) -> str:
        try:
            return write_anew(batch=batch, name=name).name
        except BatchError as error:
            return str(error)

    said = at_once([lambda: call("a"), lambda: call("b")])
    assert len({"a", "b"} & set(said)) == 1
    assert ImageWork.objects.filter(active=True).count() == 2

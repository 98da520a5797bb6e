"""Batches of several campaigns beside each other, with the same images."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError

from annotation.domain.protocols import Campaign
from annotation.exporting.crowd import Crowd
from annotation.exporting.raw import LeftOut
from annotation.models import (
    Batch,
    Caption,
    Chain,
    Image,
    ImageWork,
    Item,
    Judgment,
    Project,
)
from tests.campaigns import GRADING, WRITING, answer_all, captions_for, launched, make_captions, make_judged
from tests.factories import (
    NOW,
    answer_page,
    make_batch,
    make_image,
    make_images,
    make_project,
    make_questions,
    make_worker,
)
from tests.workflows.gold import make_known
from tests.workflows.pipeline.invariants import check_promises, check_rules
from workflows.analysis.counts.selectors import kept
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import BatchError, create_batch, move_batch
from workflows.batches.pairs import queue_pairs
from workflows.batches.pilot import spare_images, start_pilot
from workflows.batches.settings_edits import change_settings
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import JudgedPair, WrittenCaption
from workflows.projects.erasure import erase_deleted_projects
from workflows.questions.images import free_images
from workflows.questions.make import make_from_gold
from workflows.review.image_withdrawals import bring_back_image, withdraw_image
from workflows.review.selectors import active_work
from workflows.review.spot_checks import finished_units

pytestmark = pytest.mark.django_db


def judging(project: Project, image: Image, name: str = "judging", **more: Any) -> Batch:
    settings = parse_settings({"protocol": "relevance-expert", "regime": "open", **more})
    batch = create_batch(project=project, name=name, settings=settings, images=[image.pk])
    queue_pairs(batch, [(image.pk, captions_for([image], 1, 1)[0])])
    return launched(batch)


def finish(project: Project) -> None:
    for batch in project.batches.all():
        answer_all(batch)


def test_an_image_is_grounded_and_judged_at_the_same_time() -> None:
    project = make_project()
    image = make_image(project, [["man"], ["man"]])
    grounding = make_batch(project)
    judged = judging(project, image)
    finish(project)
    assert set(Batch.objects.values_list("state", flat=True)) == {Batch.State.FINISHED}
    assert set(ImageWork.objects.values_list("campaign", "state")) == {
        ("entities", "done"),
        ("relevance", "done"),
    }
    check_promises(project)
    check_rules(project)
    chains = Crowd(batch=None, unfinished=False).chains([image.pk], left_out := LeftOut())
    assert len(chains[image.pk]) == 1 and not left_out.images["unfinished"]
    work = active_work(image.pk)
    assert work is not None and work.batch == grounding
    assert not Chain.objects.exclude(work__batch=grounding).exists()
    units = finished_units(project)
    assert len(units["chain"]) == 1
    assert kept(batch=judged) is not None


def test_images_are_free_by_campaign() -> None:
    project = make_project()
    captioned, bare = make_image(project, [["man"]]), make_images(project, [], 1)[0]

    def free(campaign: Campaign) -> set[int]:
        return set(free_images(project, campaign).values_list("pk", flat=True))

    both = {captioned.pk, bare.pk}
    assert free(Campaign.RELEVANCE) == both
    assert free(Campaign.ENTITIES) == {captioned.pk}, "nothing can be asked about an image without captions"
    assert free(Campaign.CAPTIONS) == {bare.pk}
    settings = parse_settings({"protocol": "captions", "regime": "open"})
    writing = create_batch(project=project, name="writing", settings=settings)
    assert list(writing.works.values_list("image", "campaign")) == [(bare.pk, "captions")]
    assert free(Campaign.CAPTIONS) == set()
    assert free(Campaign.ENTITIES) == {captioned.pk}, "another campaign takes no image away"
    make_batch(project)
    assert free(Campaign.ENTITIES) == set() and free(Campaign.RELEVANCE) == both
    with pytest.raises(BatchError, match="without captions"):
        create_batch(project=project, name="again", settings=settings)


def test_questions_about_chains_reserve_an_image_for_no_other_campaign() -> None:
    project = make_project()
    (question,) = make_questions(project, "link")
    assert question.image not in free_images(project)
    assert question.image in free_images(project, Campaign.RELEVANCE)


def test_captions_of_an_image_are_collected_by_one_batch_at_a_time() -> None:
    batch = make_captions()
    image = ImageWork.objects.get().image
    settings = parse_settings({"protocol": "captions", "regime": "open"})
    with pytest.raises(BatchError, match="in another batch"):
        create_batch(project=batch.project, name="again", settings=settings, images=[image.pk])
    other = Batch.objects.create(project=batch.project, name="third")
    with pytest.raises(IntegrityError):
        ImageWork.objects.create(batch=other, image=image, campaign="captions")


def test_a_protocol_of_another_campaign_needs_another_batch() -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    draft = make_batch(project, launch=False)
    with pytest.raises(BatchError, match="make another batch"):
        change_settings(batch=draft, settings=parse_settings({"protocol": "captions"}))
    assert change_settings(batch=draft, settings=parse_settings({"protocol": "entities-fast"}))
    settings = parse_settings({"protocol": "relevance-expert", "regime": "open"})
    judged = create_batch(project=project, name="judging", settings=settings, images=[image.pk])
    queue_pairs(judged, [(image.pk, captions_for([image], 1, 1)[0])])
    with pytest.raises(BatchError, match="make another batch"):
        change_settings(batch=judged, settings=parse_settings({"protocol": "relevance-crowd"}))
    again = parse_settings({"protocol": "relevance-expert", "regime": "open", "seed": 5})
    assert change_settings(batch=judged, settings=again) == ["seed"]
    assert JudgedPair.objects.count() == 1, "another seed keeps the pairs"


def test_a_batch_that_judges_is_launched_with_captions_for_each_image() -> None:
    project = make_project()
    image, other = make_images(project, [["man"]], 2)
    settings = parse_settings({"protocol": "relevance-expert", "regime": "open"})
    batch = create_batch(project=project, name="a", settings=settings, images=[image.pk, other.pk])
    queue_pairs(batch, [(image.pk, captions_for([image], 1, 1)[0])])
    assert (readiness_of(batch).unpaired, readiness_of(batch).ready) == (1, False)
    with pytest.raises(BatchError, match="of batch a have no captions to judge"):
        move_batch(batch=batch, action="launch")
    queue_pairs(batch, [(other.pk, captions_for([image], 1, 1)[0])])
    assert readiness_of(batch).ready


def test_captions_are_written_about_photographs_whose_size_is_not_known() -> None:
    project = make_project()
    make_images(project, [], 1)
    Image.objects.update(width=None, height=None)
    settings = parse_settings({"protocol": "captions", "regime": "open"})
    assert readiness_of(create_batch(project=project, name="a", settings=settings)).unsized == 0


def test_a_withdrawn_image_leaves_all_its_batches_and_comes_back_to_them() -> None:
    project = make_project()
    image, _ = make_images(project, [["man"], ["man"]], 2)
    make_batch(project)
    judging(project, image)
    judging(project, image, "again")
    withdraw_image(image_id=image.pk, by="rita", note="", now=NOW)
    assert not ImageWork.objects.filter(image=image, active=True).exists()
    assert not Item.objects.filter(work__image=image, state="open").exists()
    assert set(Batch.objects.filter(name__in=("judging", "again")).values_list("state", flat=True)) == {
        Batch.State.FINISHED
    }
    check_rules(project)
    bring_back_image(image_id=image.pk, by="rita", note="", now=NOW)
    active = ImageWork.objects.filter(image=image, active=True)
    assert set(active.values_list("batch__name", flat=True)) == {"main"}, "the others are over"
    finish(project)
    check_rules(project)
    check_promises(project)


def test_a_cancelled_batch_releases_its_images_and_keeps_what_was_written() -> None:
    batch = make_captions()
    answer_page(make_worker(batch.project), stage=WRITING)
    advance_pending(now=NOW)
    move_batch(batch=batch, action="cancel")
    assert not ImageWork.objects.filter(active=True).exists()
    assert WrittenCaption.objects.count() == Judgment.objects.count() == 1
    image = ImageWork.objects.get().image
    settings = parse_settings({"protocol": "captions", "regime": "open"})
    create_batch(project=batch.project, name="again", settings=settings, images=[image.pk])
    check_rules(batch.project)


def test_a_pilot_takes_no_image_out_of_a_draft_of_another_campaign() -> None:
    project = make_project()
    image, other = make_images(project, [["man"]], 2)
    make_batch(project)
    settings = parse_settings({"protocol": "relevance-expert", "regime": "open"})
    draft = create_batch(project=project, name="a", settings=settings, images=[image.pk, other.pk])
    assert spare_images(project, draft) == 0
    with pytest.raises(BatchError, match="no image with a picture is free"):
        start_pilot(project=project, images=1, draft=draft)
    assert draft.works.count() == 2


def test_questions_about_chains_are_made_while_the_newest_draft_is_of_a_campaign() -> None:
    image = make_known(make_project())
    settings = parse_settings({"protocol": "captions"})
    made = make_from_gold(project=image.project, images=[image.pk], settings=settings, now=NOW)
    assert not made.total()


def test_a_deleted_project_leaves_neither_pairs_nor_captions_of_workers() -> None:
    written, judged = make_captions(captions={"wanted": 1}), make_judged(GRADING)
    for batch in (written, judged):
        answer_all(batch)
    assert WrittenCaption.objects.exists() and JudgedPair.objects.exists()
    Project.objects.update(deleted_at=NOW)
    erase_deleted_projects(now=NOW)
    for model in (WrittenCaption, JudgedPair, Item, ImageWork, Judgment, Caption):
        assert not model._default_manager.exists(), model

"""Every page says the same of how many images are done, and it is what the rows say."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Image, ImageWork, Project
from tests.campaigns import answer_all, make_captions, make_judged
from tests.factories import NOW, make_batch, make_image, make_images, make_project, make_running
from workflows.analysis.counts.refresh import count_due
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.follow_up import hand_on
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.batches.pairs import queue_pairs
from workflows.pipeline.advance import open_queued
from workflows.pipeline.publish_captions import publish_captions
from workflows.review.image_withdrawals import withdraw_image

pytestmark = pytest.mark.django_db

WORDS = {
    Campaign.ENTITIES: "images done",
    Campaign.CAPTIONS: "images have their captions",
    Campaign.RELEVANCE: "images have their captions judged",
}


def captions_only() -> Project:
    batch = make_captions(images=3, captions={"wanted": 1})
    answer_all(batch)
    assert Batch.objects.get(pk=batch.pk).state == Batch.State.FINISHED
    publish_captions()
    return batch.project


def captions_under_way() -> Project:
    return make_captions(images=3).project


def captions_then_links() -> Project:
    project = captions_only()
    make_batch(project, name="links")
    return project


def captions_then_a_draft() -> Project:
    project = captions_only()
    make_batch(project, name="draft", launch=False)
    return project


def captions_then_some_links() -> Project:
    project = captions_only()
    first = project.images.order_by("pk").values_list("pk", flat=True)[:1]
    batch = create_batch(project=project, name="links", settings=open_to_all(), images=list(first))
    move_batch(batch=batch, action="launch")
    return project


def links_after_captions_cancelled() -> Project:
    project = captions_then_links()
    move_batch(batch=project.batches.get(name="links"), action="cancel")
    return project


def two_batches_one_after_the_other() -> Project:
    batch = make_running([["man"], ["man"]], images=3)
    hand_on(batch=batch, name="rest", settings=open_to_all())
    return batch.project


def judged_twice() -> Project:
    batch = make_judged(images=2)
    answer_all(batch)
    project = batch.project
    images = list(batch.works.values_list("image_id", flat=True))
    again = create_batch(
        project=project, name="again", settings=parse_settings(batch.settings), images=images
    )
    captions = list(project.images.order_by("pk").first().captions.values_list("pk", flat=True))  # type: ignore[union-attr]
    queue_pairs(again, [(image, captions) for image in images])
    move_batch(batch=again, action="launch")
    return project


def a_target() -> Project:
    return make_running([["man"], ["man"]], images=4, target=2).project


def withdrawn() -> Project:
    batch = make_running([["man"], ["man"]], images=3)
    image = batch.works.order_by("pk")[0].image_id
    withdraw_image(image_id=image, by="ada", note="a stray photograph", now=NOW)
    return batch.project


def in_no_batch() -> Project:
    batch = make_running([["man"], ["man"]], images=2)
    make_images(batch.project, [["dog"]], 2)
    make_images(batch.project, [], 1)  # without captions
    return batch.project


def no_batch_at_all() -> Project:
    project = make_project()
    make_image(project, [])
    return project


SCENES = (
    captions_only,
    captions_under_way,
    captions_then_links,
    captions_then_a_draft,
    captions_then_some_links,
    links_after_captions_cancelled,
    two_batches_one_after_the_other,
    judged_twice,
    a_target,
    withdrawn,
    in_no_batch,
    no_batch_at_all,
)


def open_to_all() -> BatchSettings:
    return parse_settings({"regime": "open"})


def text_of(client: Client, address: str) -> str:
    reply = client.get(address)
    assert reply.status_code == 200, address
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", reply.content.decode()))


def by_rows(project: Project) -> tuple[Campaign | None, int, int, int]:
    """Return what is made of most images, how many of them are done, how many wanted, and the free ones.

    An image at a time, from all its rows.
    """
    done: dict[Campaign, set[int]] = {campaign: set() for campaign in Campaign}
    held: dict[Campaign, set[int]] = {campaign: set() for campaign in Campaign}
    free = 0
    for image in Image.objects.filter(project=project, withdrawn_at=None):
        works = list(ImageWork.objects.filter(image=image, active=True))
        free += not works
        for campaign in Campaign:
            of = [work for work in works if work.campaign == campaign]
            if of:
                held[campaign].add(image.pk)
                if all(work.state == "done" for work in of):
                    done[campaign].add(image.pk)
    first = next((campaign for campaign in Campaign if held[campaign]), None)
    if first is None:
        return None, 0, 0, free
    # One scene has a target, and one batch.
    target = next((batch.settings.get("target") for batch in project.batches.all()), None)
    return first, len(done[first]), min(len(held[first]), target or len(held[first])), free


@pytest.mark.parametrize("scene", SCENES)
def test_all_pages_say_what_the_rows_say(scene: Callable[[], Project], manager: Client) -> None:
    project = scene()
    count_due(clock=lambda: NOW, project_id=project.pk, force=True)
    campaign, done, wanted, free = by_rows(project)
    overview = text_of(manager, "/admin/")
    page = text_of(manager, reverse("dashboards:project", args=[project.pk]))
    if campaign is not None:
        assert f"{done} of {wanted} {WORDS[campaign]}" in overview
        assert f"{100 * done // wanted}%" in overview
    assert (f"{free} in no batch" in overview) == (free > 0 and campaign is not None)
    assert "No images yet" not in overview
    grounded = ImageWork.objects.filter(
        batch__project=project, campaign="entities", active=True, state="done"
    ).count()
    released = re.search(r"(\d+) images? (?:is|are) done", page)
    assert (int(released.group(1)) if released else 0) == grounded
    batches = text_of(manager, reverse("batches:list", args=[project.pk]))
    for batch in project.batches.all():
        works = batch.works.filter(active=True)
        total = min(works.count(), batch.settings.get("target") or works.count())
        finished = works.filter(state="done").count()
        assert f"{finished} of {total}" in batches
        own = text_of(manager, reverse("dashboards:batch", args=[batch.pk]))
        if "Judgments" in own and "Forecast end" in own:
            assert f"{finished} of {total}" in own


def test_captions_alone_are_no_images_for_a_version(manager: Client) -> None:
    project = captions_only()
    count_due(clock=lambda: NOW, project_id=project.pk, force=True)
    page = text_of(manager, reverse("dashboards:project", args=[project.pk]))
    assert "The captions of 3 images are collected. No image is grounded yet." in page
    assert "images are done" not in page
    assert "Images with collected captions 3" in page


def test_a_batch_that_ended_since_the_count_has_no_share_of_before(manager: Client) -> None:
    batch = make_captions(images=3, captions={"wanted": 1})
    count_due(clock=lambda: NOW, project_id=batch.project_id, force=True)
    answer_all(batch)
    page = text_of(manager, reverse("dashboards:project", args=[batch.project_id]))
    assert "writing finished being counted" in page
    assert "0%" not in page
    assert "not counted yet" in text_of(manager, reverse("batches:list", args=[batch.project_id]))
    count_due(clock=lambda: NOW, project_id=batch.project_id, force=True)
    page = text_of(manager, reverse("dashboards:project", args=[batch.project_id]))
    assert "writing finished 100%" in page


def test_captions_are_still_to_be_grounded_after_they_were_judged(manager: Client) -> None:
    project = captions_only()
    image = project.images.order_by("pk").first()
    assert image is not None
    ticks = create_batch(
        project=project,
        name="ticks",
        settings=parse_settings({"protocol": "relevance-crowd", "regime": "open"}),
        images=[image.pk],
    )
    queue_pairs(ticks, [(image.pk, list(image.captions.values_list("pk", flat=True)))])
    move_batch(batch=ticks, action="launch")
    open_queued(batch_id=ticks.pk, now=NOW)
    home, own = reverse("dashboards:project", args=[project.pk]), reverse("dashboards:batch", args=[ticks.pk])
    assert "Ground the captions" not in text_of(manager, own), "captions are still judged"
    answer_all(ticks)
    for state in Batch.OVER:
        Batch.objects.filter(pk=ticks.pk).update(state=state)
        count_due(clock=lambda: NOW, project_id=project.pk, force=True)
        page = text_of(manager, home)
        says = {
            "finished": "ticks is finished: captions can be grounded.",
            "cancelled": "writing is finished: its captions can be grounded.",
        }
        assert "Next: batch" in page and says[state] in page
        assert "Everything is done" not in page and "The captions can be grounded." in page
        assert "Ground the captions" in page and "Ground the captions" in text_of(manager, own)
    make_batch(project, name="links")
    assert "Ground the captions" not in text_of(manager, home)
    assert "Ground the captions" not in text_of(manager, own)

"""Photographs whose captions were refused: the pages say so, and have captions written anew in one press."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Worker
from tests.campaigns import WRITING, make_refused
from tests.factories import NOW
from workflows.analysis.counts.agreement import agreement_of, agreement_of_workers
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.counts.targets import Target
from workflows.pipeline.publish_captions import publish_captions

pytestmark = pytest.mark.django_db


def text(client: Client, url: str) -> str:
    return " ".join(client.get(url).content.decode().split())


def refused(*, kept: int, images: int) -> Batch:
    batch = make_refused(kept=kept, images=images)
    publish_captions()
    count_due(clock=lambda: NOW, force=True)
    return batch


def test_a_photograph_whose_captions_were_refused_has_none_on_every_page(manager: Client) -> None:
    batch = refused(kept=1, images=4)
    first, *_, last = batch.works.order_by("pk")
    assert "1 of 4 images have their captions" in text(manager, "/admin/")
    overview = text(manager, reverse("dashboards:project", args=[batch.project_id]))
    assert "3 photographs are short of captions: too many were refused or withdrawn." in overview
    assert "The captions of 1 image are collected." in overview
    page = text(manager, reverse("dashboards:batch", args=[batch.pk]))
    assert "3 photographs are short of captions, 3 of them without any: 1 of 4 captions were kept" in page
    assert "3 were refused by researchers" in page and "Everything is done" not in page
    assert "writing: over, with 0 of 1 caption" in text(manager, f"/admin/images/{last.image_id}/")
    assert "writing: done" in text(manager, f"/admin/images/{first.image_id}/")
    images = text(manager, reverse("inspector:search", args=[batch.project_id]))
    assert images.count("over, with 0 of 1 caption") == 3
    listed = text(manager, reverse("inspector:search", args=[batch.project_id]) + f"?batch={batch.pk}")
    assert listed.count("over, with 0 of 1 caption") == 3


def test_the_page_of_a_photograph_shows_what_was_written_and_why_it_was_not_kept(viewer: Client) -> None:
    batch = refused(kept=0, images=1)
    work = batch.works.get()
    written = work.written.get()
    page = text(viewer, f"/admin/images/{work.image_id}/")
    assert "Workers wrote some, and none was kept." in page
    assert written.text in page and "refused by rita; not of this image" in page


def test_captions_are_written_anew_in_one_press(manager: Client) -> None:
    batch = refused(kept=1, images=3)
    overview = text(manager, reverse("dashboards:project", args=[batch.project_id]))
    assert f'href="{reverse("dashboards:batch", args=[batch.pk])}#captions"' in overview
    reply = manager.post(reverse("batches:write-again", args=[batch.pk]))
    draft = Batch.objects.get(state=Batch.State.DRAFT)
    assert reply["Location"] == reverse("batches:move", args=[draft.pk, "launch"])
    assert draft.works.count() == 2
    assert "Have captions written anew" not in text(manager, reverse("dashboards:batch", args=[batch.pk]))
    again = manager.post(reverse("batches:write-again", args=[batch.pk]), follow=True)
    assert "has no photograph that is short of captions" in again.content.decode()
    assert Batch.objects.count() == 2


def test_captions_agree_with_the_outcome_if_they_were_kept() -> None:
    batch = make_refused(kept=1, images=4)
    target = Target(batch.project_id, batch.pk, (batch.pk,))
    assert agreement_of(target, WRITING) == 0.25
    writers = list(Worker.objects.values_list("pk", flat=True))
    assert sum(kept for kept, _ in agreement_of_workers(writers, WRITING).values()) == 1

"""Pages of a project whose batch has other stages than the paper's."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.entities_fast import ONE, TWO, answer, drawn, make_fast, said
from workflows.analysis.counts.refresh import count_due

pytestmark = pytest.mark.django_db

NAMES = ["coreference link", "chain verification", "box requirement", "joint drawing", "joint check"]


def test_every_page_about_a_project_has_the_stages_of_its_protocol(viewer: Client) -> None:
    batch = make_fast([["man"], ["man"]], reward={"check": 4})
    answer(batch, {"same": True})
    drawer = answer(batch, drawn(ONE, TWO))
    answer(batch, said("good", "good"))
    count_due(clock=timezone.now, force=True)
    for name, about in (("project", batch.project_id), ("batch", batch.pk)):
        text = viewer.get(reverse(f"dashboards:{name}", args=[about])).content.decode()
        assert "joint check" in text and "box coverage" not in text
        assert "1 of 1" in text or "100%" in text, "the image is done"
    listed = viewer.get(reverse("instructions:list", args=[batch.project_id]))
    assert [name.lower() for _, name, _ in listed.context["rows"]] == NAMES
    assert viewer.get(reverse("instructions:stage", args=[batch.project_id, "check"])).status_code == 200
    worker = viewer.get(reverse("workers:worker", args=[drawer.pk]))
    assert [name for _, name in worker.context["stages"]] == NAMES
    image = batch.works.get().image_id
    assert viewer.get(reverse("inspector:image", args=[image])).status_code == 200
    search = reverse("inspector:search", args=[batch.project_id])
    assert "waits for joint check" in viewer.get(search).content.decode()

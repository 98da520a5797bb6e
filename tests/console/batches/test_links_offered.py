"""Workers' links are offered only for batches whose workers come by links."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Worker
from tests.factories import make_worker
from tests.workflows.crowd.scene import make_crowd_batch

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("provider", ["direct", "mturk"])
def test_links_are_offered_for_direct_batches_alone(manager: Client, provider: str) -> None:
    batch = make_crowd_batch(crowd={"provider": provider})
    links = reverse("batches:links", args=[batch.pk])
    listed = manager.get(reverse("batches:list", args=[batch.project_id])).content.decode()
    shown = manager.get(reverse("dashboards:batch", args=[batch.pk])).content.decode()
    assert (links in listed, links in shown) == (provider == "direct",) * 2


def test_there_are_no_links_to_a_platforms_batch(manager: Client) -> None:
    batch = make_crowd_batch(crowd={"provider": "mturk"})
    url = reverse("batches:links", args=[batch.pk])
    shown = manager.get(url)
    assert shown.status_code == 200 and "from Mechanical Turk" in shown.content.decode()
    assert "<form method" not in shown.content.decode().split("<h1>")[1]
    refused = manager.post(url, {"number": "1", "worker": "ada"})
    assert refused.status_code == 409
    assert not Worker.objects.filter(external_id="ada").exists()


def test_as_many_links_are_proposed_as_people_are_missing(manager: Client) -> None:
    batch = make_crowd_batch(crowd={"provider": "direct"})
    url = reverse("batches:links", args=[batch.pk])
    assert manager.get(url).context["form"]["number"].value() == 5
    make_worker(batch.project)
    assert manager.get(url).context["form"]["number"].value() == 4
    manager.post(url, {"number": "6", "worker": "ada"})
    assert manager.get(url).context["form"]["number"].value() == 1, "enough are there"


def test_the_links_page_says_how_many_people_it_takes(manager: Client) -> None:
    batch = make_crowd_batch(crowd={"provider": "direct"})
    url = reverse("batches:links", args=[batch.pk])
    assert "Nobody can sign in yet. One question may need 5 different people" in words(manager.get(url))
    made = words(manager.post(url, {"number": "2", "worker": "ada"}))
    assert "2 people can sign in. One question may need 5 different people" in made
    assert "some answers wait for a new worker, and the batch may not end" in made
    assert "One question may need" not in words(manager.post(url, {"number": "5", "worker": "bob"}))


def words(reply: Any) -> str:
    content = re.sub("<[^>]+>", "", reply.content.decode())
    return " ".join(content.split())

"""The lists of a platform that is reached by its link, as researchers bring them and take them out."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.models import Batch
from tests.console.batches.form_data import acts
from tests.workflows.crowd.link.scene import Panel, make_link_batch
from tests.workflows.crowd.scene import SITE
from workflows.crowd.link.addresses import address_of
from workflows.crowd.link.lists import due, pay_lists
from workflows.platforms.link.models import ListedPlace

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(settings: Settings) -> Panel:
    settings.SITE = SITE
    panel = Panel(make_link_batch(), now=timezone.now())
    panel.round()
    panel.work("ann")
    return panel


def send(client: Client, batch: Batch, text: str) -> str:
    file = SimpleUploadedFile("list.csv", text.encode())
    reply = client.post(reverse("crowd:bring", args=[batch.pk]), {"file": file}, follow=True)
    assert reply.status_code == 200
    return reply.content.decode()


def shown(client: Client, batch: Batch) -> str:
    return client.get(reverse("crowd:batch", args=[batch.pk])).content.decode()


def test_the_page_has_the_address_and_says_what_waits_for_a_list(manager: Client, panel: Panel) -> None:
    page = shown(manager, panel.batch)
    assert address_of(panel.batch) in page and "participantId=PARTICIPANT" in page
    assert "<strong>1 place</strong> is finished here and on no list yet" in page
    assert "Nothing is due" in page


def test_a_list_that_came_is_logged_and_a_round_is_asked_for(
    manager: Client, panel: Panel, hints: MagicMock
) -> None:
    page = send(manager, panel.batch, "participantId\nann\nzoe\n")
    assert "The list names 1 place of this batch" in page and "The list also names zoe" in page
    entry = acts().get()
    assert (entry.action, entry.detail) == ("crowd.list", {"places": 1, "strangers": 1})
    assert hints.call_count == 1
    assert ListedPlace.objects.count() == 1


@pytest.mark.parametrize("text", ["", "name\tmail\nann\tx\n", "participantId,status\nann,odd\n"])
def test_a_list_that_cannot_be_read_is_refused_with_what_to_do(
    manager: Client, panel: Panel, hints: MagicMock, text: str
) -> None:
    page = send(manager, panel.batch, text)
    assert "Nothing was taken from the list" in page or "Choose the file" in page
    assert not ListedPlace.objects.exists() and not acts().exists() and not hints.called


def test_what_is_taken_out_is_booked_once_and_can_be_downloaded_again(manager: Client, panel: Panel) -> None:
    panel.bring("ann")
    panel.round()
    assert "<strong>1 line</strong> is due: 0.40 USD" in shown(manager, panel.batch)
    for _ in range(2):
        manager.post(reverse("crowd:take-out", args=[panel.batch.pk]))
    assert not due(panel.batch).exists()
    (taken,) = pay_lists(panel.batch)
    assert [one.action for one in acts()] == ["crowd.take-out"]
    page = shown(manager, panel.batch)
    assert "1 line, 0.40 USD" in page
    reply = manager.get(reverse("crowd:pay-list", args=[panel.batch.pk]), {"at": taken.at.isoformat()})
    lines = b"".join(reply).decode().splitlines()
    assert lines == [
        "participant,assignment,what,amount,currency,reason",
        "ann,ann,approve,0.40,USD,",
    ]


@pytest.mark.parametrize("at", ["", "yesterday", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00"])
def test_a_list_that_was_never_taken_out_is_not_found(manager: Client, panel: Panel, at: str) -> None:
    reply = manager.get(reverse("crowd:pay-list", args=[panel.batch.pk]), {"at": at})
    assert reply.status_code == 404


def test_other_batches_have_no_lists(manager: Client, panel: Panel) -> None:
    other = make_link_batch(crowd={"provider": "direct"})
    assert "Upload the list" not in shown(manager, other)
    for name in ("crowd:take-out", "crowd:bring"):
        said = manager.post(reverse(name, args=[other.pk]), follow=True).content.decode()
        assert "This batch has no lists" in said

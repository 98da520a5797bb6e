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
from workflows.crowd.link.addresses import address_of, way_back
from workflows.crowd.link.lists import due, pay_lists
from workflows.crowd.participations.domain.completion import Code
from workflows.platforms.link.models import ListedPlace
from workflows.workers.models import Participation

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


def test_the_address_has_the_placeholders_of_platforms_that_need_them(manager: Client, panel: Panel) -> None:
    assert f'value="{address_of(panel.batch)}"' in shown(manager, panel.batch), "Connect adds what it knows"
    panel.batch.settings["by_link"] |= {"participant": "survey_code"}
    panel.batch.save()
    assert f"{address_of(panel.batch)}?survey_code=%SURVEY_CODE%" in shown(manager, panel.batch)


@pytest.mark.parametrize("code", ["", "C1A2"])
def test_a_participation_has_the_code_that_its_worker_was_given(
    viewer: Client, panel: Panel, code: str
) -> None:
    """So you can answer a worker who typed another one."""
    panel.batch.settings["by_link"] |= {"code": code}
    panel.batch.save()
    place = Participation.objects.select_related("worker").get()
    given = way_back(panel.batch, place)
    page = viewer.get(reverse("crowd:participation", args=[place.pk])).content.decode()
    assert isinstance(given, Code) and f"<dt>Completion code</dt><dd>{given.code}</dd>" in page


def test_a_list_that_refuses_a_place_promises_no_pay(manager: Client, panel: Panel) -> None:
    page = send(manager, panel.batch, "participantId,status\nann,Rejected\n")
    assert "The list names 1 place of this batch: 1 refused." in page and "their pay is due" not in page


def test_a_list_that_came_is_logged_and_a_round_is_asked_for(
    manager: Client, panel: Panel, hints: MagicMock
) -> None:
    page = send(manager, panel.batch, "participantId\nann\nzoe\n")
    assert "The list names 1 place of this batch: 1 done. Within a minute" in page
    assert "The list also names zoe" in page
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


def test_the_page_of_a_batch_that_is_over_sends_nobody_there(manager: Client, panel: Panel) -> None:
    assert "Give your platform this address" in shown(manager, panel.batch)
    panel.batch.state = "cancelled"
    panel.batch.save()
    page = shown(manager, panel.batch)
    assert "end its study on your platform" in page and "Give your platform" not in page


def test_what_a_list_will_do_is_said_of_places_by_a_link(manager: Client, panel: Panel) -> None:
    """Nothing pays, and no message leaves, from here."""
    send(manager, panel.batch, "participantId\nann\n")
    panel.round()
    place = Participation.objects.get()
    for verb in ("approve", "bonus", "reject"):
        page = manager.get(reverse("crowd:act", args=[place.pk, verb])).content.decode()
        assert "on the next list that you take out" in page and "takes a fee" not in page, verb
    page = manager.get(reverse("crowd:act", args=[place.pk, "message"])).content.decode()
    assert "no message can be sent from here" in page

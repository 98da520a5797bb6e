"""Workers who come by a batch's address: who they are, what they get, and how the platform is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.models import Batch, Judgment
from tests.workflows.crowd.link.scene import Panel, make_link_batch
from tests.workflows.crowd.scene import SITE
from tests.workflows.http import Api, Reply, check_problem
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.link.addresses import address_of, link_of
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = SITE


def made(**settings: Any) -> Panel:
    panel = Panel(make_link_batch(**settings))
    panel.round()
    return panel


def come(batch: Batch, query: str = "participantId=ann", **more: str) -> Reply:
    body = {"link": link_of(batch), "query": query, **more}
    return Client().post("/api/v1/crowd/arrivals", json.dumps(body), content_type="application/json")


@pytest.mark.parametrize(
    "address",
    [
        {"query": "participantId=ann"},
        {"query": "PARTICIPANTID=ann&projectId=1"},
        {"query": "", "fragment": "participantId=ann"},
        {"query": "", "fragment": "ann"},
        {"query": "", "participant": "ann"},
        {"query": "participantId=%25SURVEY_CODE%25", "participant": "ann"},
    ],
)
def test_the_participant_stands_in_a_parameter_in_the_path_or_in_the_fragment(
    address: dict[str, str],
) -> None:
    said = come(made().batch, **address).json()
    assert (said["state"], said["stage"], said["key"]) == ("working", "link", "ann")
    assert Participation.objects.get().worker.external_id == "ann"


@pytest.mark.parametrize(
    "query",
    ["", "id=ann", "participantId=%25SURVEY_CODE%25", "participantId=", "participantId=PARTICIPANT"],
)
def test_an_address_that_says_nobody_is_refused_and_nothing_is_stored(query: str) -> None:
    problem = check_problem(come(made().batch, query), 400)
    assert [one["pointer"] for one in problem["errors"]] == ["/query"]
    assert not Participation.objects.exists()


def test_an_address_of_no_batch_is_unknown() -> None:
    batch = made().batch
    body = {"link": f"{batch.pk}-0", "query": "participantId=ann"}
    said = Client().post("/api/v1/crowd/arrivals", json.dumps(body), content_type="application/json")
    check_problem(said, 404)


def test_the_code_comes_once_the_answers_are_here_and_stays() -> None:
    panel = made(link={"code": "DONE"})
    begun = come(panel.batch).json()
    assert begun["finish"] is None
    api = Api(None, begun["token"])
    page = api.claim("link").json()
    assert page["reward"] == {"amount": 40, "currency": "USD"}
    assert api.submit(page, {"same": True}).status_code == 201
    assert not Judgment.objects.exists(), "no list has named the participant"
    said = come(panel.batch).json()
    assert (said["state"], said["finish"]) == ("submitted", {"kind": "code", "code": "DONE"})
    panel.bring("ann")
    panel.round()
    assert Judgment.objects.count() == 1
    said = come(panel.batch).json()
    assert (said["state"], said["finish"]) == ("submitted", {"kind": "code", "code": "DONE"})


def test_a_second_device_has_the_same_page() -> None:
    batch = made().batch
    pages = [Api(None, come(batch).json()["token"]).claim("link").json()["id"] for _ in range(2)]
    assert pages[0] == pages[1]


def test_who_finds_no_work_has_a_way_back() -> None:
    batch = made(images=1).batch
    come(batch)
    said = come(batch, "participantId=ben").json()
    assert (said["state"], said["token"], said["finish"]) == ("away", "", None)
    out = {"by_link": {"out_back": "https://c.example/out?p=%PARTICIPANT%"}}
    batch.settings = parse_settings(batch.settings | out).to_json()
    batch.save()
    said = come(batch, "participantId=ben").json()
    assert said["finish"] == {"kind": "link", "href": "https://c.example/out?p=ben"}


def test_a_token_of_an_arrival_opens_nothing_but_its_place() -> None:
    batch = made().batch
    api = Api(None, come(batch).json()["token"])
    check_problem(api.get("me"), 403)


@pytest.mark.parametrize("end", ["", "ann/"])
def test_the_address_leads_to_the_workers_pages(end: str) -> None:
    path = address_of(made().batch).removeprefix(SITE) + end
    assert Client().get(path).status_code in (200, 503)

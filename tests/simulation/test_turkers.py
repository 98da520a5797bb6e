"""Simulated workers at the emulators' sites, with a hand-made server in place of ours."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from simulation.characters import Character
from simulation.client import Client
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from simulation.truth import Truth
from simulation.turkers import AtMTurk
from simulation.visitors import Visitor
from simulation.workers import Manners, SimulatedWorker
from tests.simulation.pages import link_page, receipt

URL = "http://127.0.0.1:9/work/crowd/link/5f0c/?a=1"
QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    f'ExternalQuestion.xsd"><ExternalURL>{URL}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>'
)
USUAL = Manners()
NOT_ADMITTED = {"standing": "closed", "retry_in": None}


@pytest.fixture(scope="module")
def turk() -> Iterator[Handle]:
    with emulator(seed=1) as handle:
        yield handle


class Ours:
    """Our server: it answers sessions, and claims with the given replies in turn. It keeps the requests."""

    def __init__(self, *claims: httpx.Response, refused: bool = False) -> None:
        self.claims, self.refused = list(claims), refused
        self.asked: list[tuple[str, str, Any]] = []

    def connect(self, token: str) -> Client:
        return Client("http://server", token, httpx.MockTransport(self._reply), lambda seconds: None)

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self.asked]

    def _reply(self, request: httpx.Request) -> httpx.Response:
        path, body = request.url.path.removeprefix("/api/v1/"), json.loads(request.content)
        self.asked.append((path, request.headers.get("Authorization", ""), body))
        if path == "crowd/sessions":
            finish = {
                "kind": "form",
                "action": f"{body['submit_to']}/mturk/externalSubmit",
                "fields": {"assignmentId": body["assignment"], "page": body["publication"]},
            }
            session = {"token": "bound", "stage": body["stage"], "state": "working", "finish": finish}
            return httpx.Response(404, json={}) if self.refused else httpx.Response(200, json=session)
        if path == "assignments":
            return self.claims.pop(0)
        return receipt() if path.endswith("page-1/submission") else httpx.Response(409, json={})


@pytest.fixture
def sit_down(turk: Handle) -> Callable[..., Visitor]:
    """Return a function that seats a worker before the only HIT that is left."""

    def sit(ours: Ours, manners: Manners = USUAL) -> Visitor:
        client = turk.client()
        for hit in client.list_hits()["HITs"]:
            client.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
        client.create_hit(
            Title="Links",
            Description="Ten questions",
            Reward="0.25",
            LifetimeInSeconds=3600,
            AssignmentDurationInSeconds=3600,
            Question=QUESTION,
        )
        rng = random.Random(1)
        mind = SimulatedWorker(ours.connect("nobody"), Truth(), Character(), rng)
        return Visitor(ours.connect, AtMTurk(turk.worker("A1EXAMPLE")), mind, rng, manners)

    return sit


def left(turk: Handle) -> list[str]:
    """Return how the worker left HITs that were not submitted."""
    return [one["how"] for one in turk.state()["left"]]


def test_a_page_is_answered_and_reported_by_the_form(turk: Handle, sit_down: Callable[..., Visitor]) -> None:
    ours = Ours(httpx.Response(201, json=link_page()))
    tally = sit_down(ours).turn()
    assert (tally.pages, tally.judgments) == (1, 2)
    assert turk.state()["assignments"][-1]["status"] == "Submitted"
    (path, token, body), *rest = ours.asked
    assert (path, token) == ("crowd/sessions", "")
    taken = turk.state()["assignments"][-1]
    expected = {"publication": "5f0c", "stage": "link", "assignment": taken["id"], "worker": "A1EXAMPLE"}
    assert body == {**expected, "submit_to": turk.url}
    assert {token for _, token, _ in rest} == {"Bearer bound"}
    assert rest[0][2] == {"stage": "link"}


def test_a_test_is_taken_in_the_frame_and_then_the_page(sit_down: Callable[..., Visitor]) -> None:
    asks = httpx.Response(403, json={"standing": "test", "retry_in": None})
    ours = Ours(asks, httpx.Response(201, json=link_page()))
    assert sit_down(ours).turn().pages == 1
    assert ours.paths[1:4] == ["assignments", "qualifications/link/tries", "assignments"]


@pytest.mark.parametrize(
    "ours", [Ours(httpx.Response(204)), Ours(refused=True)], ids=["no page", "no session"]
)
def test_a_hit_without_a_page_is_returned(turk: Handle, sit_down: Callable[..., Visitor], ours: Ours) -> None:
    before = len(left(turk))
    worker = sit_down(ours)
    assert worker.turn().pages == 0
    assert left(turk)[before:] == ["returned"]
    assert worker.at_platform.offers()  # it can be taken again


def test_who_is_kept_out_of_a_stage_takes_none_of_its_hits_again(
    turk: Handle, sit_down: Callable[..., Visitor]
) -> None:
    ours = Ours(httpx.Response(403, json=NOT_ADMITTED))
    worker = sit_down(ours)
    before = len(left(turk))
    for _ in range(3):
        assert worker.turn().pages == 0
    assert left(turk)[before:] == ["returned"]


def test_manners_are_those_of_other_workers(turk: Handle, sit_down: Callable[..., Visitor]) -> None:
    before = len(left(turk))
    assert sit_down(Ours(), Manners(give_back=1.0)).turn().given_back == 1
    assert sit_down(Ours(), Manners(dropout=1.0)).turn().abandoned == 1
    assert left(turk)[before:] == ["returned", "abandoned"]


def test_out_of_patience_a_worker_leaves(turk: Handle) -> None:
    ours, waits, told = Ours(), list[float](), list[Any]()
    mind = SimulatedWorker(ours.connect("nobody"), Truth(), Character(), random.Random(1))
    worker = Visitor(
        *(ours.connect, AtMTurk(turk.worker("A2EXAMPLE")), mind, random.Random(1)),
        Manners(patience=2, haste=0.5),
    )
    for hit in turk.client().list_hits()["HITs"]:
        turk.client().update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    worker.work(wait, told.append)
    assert told[-1].idle == 1 and len(told) == 4
    assert waits == [0.0, 0.5, 0.0, 0.5, 0.0]

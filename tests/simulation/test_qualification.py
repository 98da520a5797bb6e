"""Simulated workers at a qualification test of a hand-made server."""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from simulation.client import Client
from simulation.workers import take_tests
from tests.simulation.pages import account, link_page


class Examiner:
    """A test of one stage, with two training items and two items of the scored part."""

    def __init__(self, *, answered: int = 0) -> None:
        self.answered, self.handed_in = answered, list[Any]()
        self.posts: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v1/")
        if path == "me":
            return httpx.Response(200, json=account(link="test", coverage="closed"))
        self.posts.append(path)
        body = json.loads(request.content)
        if path.endswith("training"):
            self.answered += 1
            return httpx.Response(200, json={"right": True, "explanation": "", "answer": {"same": True}})
        if path.endswith("submission"):
            self.handed_in = body["answers"]
            return httpx.Response(201, json={"passed": True})
        part = "training" if self.answered < 2 else "testing"
        items = link_page()["items"]
        begun = {"number": 3, "part": part, "answered": list(range(1, self.answered + 1)), "items": items}
        return httpx.Response(201, json=begun)


def take(server: Any) -> int:
    def same(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        assert stage == "link"
        assert question["captions"]
        return {"same": True}

    client = Client("http://server", "t", httpx.MockTransport(server), lambda seconds: None)
    return take_tests(client, same)


def test_training_comes_before_the_scored_part() -> None:
    examiner = Examiner()
    assert take(examiner) == 4
    tries = "qualifications/link/tries"
    assert examiner.posts == [
        *(tries, f"{tries}/3/training", f"{tries}/3/training"),
        *(tries, f"{tries}/3/submission"),
    ]
    assert examiner.handed_in == [
        {"item": 1, "answer": {"same": True}},
        {"item": 2, "answer": {"same": True}},
    ]


def test_a_training_item_that_was_answered_before_is_left_out() -> None:
    assert take(Examiner(answered=1)) == 3


def test_a_test_that_cannot_be_begun_is_passed_over() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json=account(link="test"))
        return httpx.Response(409, json={"detail": "The test cannot begin."})

    assert take(refuse) == 0

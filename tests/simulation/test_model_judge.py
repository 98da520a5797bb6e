"""A simulated model that judges, with hand-made questions."""

from __future__ import annotations

import random
from typing import Any

import httpx
import pytest

from annotation.domain.geometry import Box
from simulation.client import ApiError, Client
from simulation.model_judge import SimulatedJudge, judging
from simulation.truth import KnownChain, Truth
from tests.simulation.pages import Script, link_page

THERE = Box(10, 10, 110, 110)
TRUTH = Truth({7: {(0, 0, 5): KnownChain(1, (THERE, Box(200, 10, 300, 110)))}})


def questions(count: int, *new: list[int]) -> httpx.Response:
    """Return so many questions about *A man*, each with these new boxes."""
    shown: dict[str, Any] = dict(link_page()["items"][0]["question"])
    shown["captions"] = shown["captions"][:1]
    shown |= {"boxes": [], "new_boxes": list(new)}
    listed = [{"key": f"i{number}", "question": shown} for number in range(1, count + 1)]
    return httpx.Response(200, json={"stage": "check", "questions": listed})


def answered(accuracy: float, count: int = 1) -> list[dict[str, Any]]:
    """Return the answers about a box that is right and one that is not, while another one is missing."""
    stored = httpx.Response(200, json={"outcomes": ["stored"] * count})
    script = Script(questions(count, [10, 10, 110, 110], [400, 10, 500, 110]), stored)
    client = Client("http://server", "t", script.transport(), lambda seconds: None)
    judge = SimulatedJudge(client, TRUTH, accuracy, random.Random(1))
    assert judge.turn() == count == judge.answers
    path, body = script.requests[1]
    assert path == "/api/v1/models/answers"
    return [one["answer"] for one in body["answers"]]


def test_a_judge_that_never_errs_says_what_is_true() -> None:
    assert answered(1.0) == [{"boxes": ["good", "wrong"], "missing": True}]


def test_a_judge_that_always_errs_says_the_opposite() -> None:
    (found,) = answered(0.0)
    assert found["boxes"][0] == "wrong" and found["boxes"][1] == "good" and not found["missing"]


def test_a_judge_errs_as_often_as_it_is_told() -> None:
    said = [one["boxes"][0] == "good" for one in answered(0.8, count=400)]
    assert 0.75 < sum(said) / 400 < 0.85


def test_an_accuracy_is_a_share() -> None:
    with pytest.raises(ValueError, match=r"a share from 0 to 1, not 1\.5"):
        SimulatedJudge(Client("http://server", "t"), TRUTH, 1.5, random.Random(1))


def test_an_error_of_the_judge_is_raised_where_its_work_is_waited_for() -> None:
    client = Client(
        "http://server", "t", Script(httpx.Response(401, json={})).transport(), lambda seconds: None
    )
    with pytest.raises(ApiError), judging(SimulatedJudge(client, TRUTH, 1.0, random.Random(1))):
        pass

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import OperationalError

from annotation.models import Judgment
from tests.factories import make_running, make_worker
from tests.workflows.http import Api, check_problem

pytestmark = pytest.mark.django_db

GOOD = {"item": 1, "answer": {"same": True}}


@pytest.fixture
def api() -> Api:
    return Api(make_worker(make_running([["man"], ["man"]]).project))


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"stage": "lunch"}, ["/stage"]),
        ({"stage": 3}, ["/stage"]),
        ({"stage": ["link"]}, ["/stage"]),
        ({"key": "k" * 129}, ["/key"]),
        ({"key": "a\u0000b"}, ["/key"]),
        ({"stag": "link"}, ["/stag"]),
        ({"a/b": 1, "c~d": 2}, ["/a~1b", "/c~0d"]),
        ([], [""]),
        ("link", [""]),
    ],
)
def test_a_bad_claim_is_a_400_naming_the_field(api: Api, body: Any, pointers: list[str]) -> None:
    problem = check_problem(api.post("assignments", body), 400)
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert all(error["detail"] for error in problem["errors"])


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/answers"]),
        ({"answers": []}, ["/answers"]),
        ({"answers": {}}, ["/answers"]),
        ({"answers": [None]}, ["/answers/0"]),
        ({"answers": [{}]}, ["/answers/0/item", "/answers/0/answer"]),
        ({"answers": [{**GOOD, "item": 0}]}, ["/answers/0/item"]),
        ({"answers": [{**GOOD, "item": 2}]}, ["/answers/0/item"]),
        ({"answers": [{**GOOD, "item": "one"}]}, ["/answers/0/item"]),
        ({"answers": [GOOD, GOOD]}, ["/answers/1/item"]),
        ({"answers": [{**GOOD, "answer": None}]}, ["/answers/0/answer"]),
        ({"answers": [{**GOOD, "answer": "yes"}]}, ["/answers/0/answer"]),
        ({"answers": [{**GOOD, "answer": {"same": "yes"}}]}, ["/answers/0/answer/same"]),
        ({"answers": [{**GOOD, "answer": {"good": True}}]}, ["/answers/0/answer/same"]),
        ({"answers": [{**GOOD, "seconds": -1}]}, ["/answers/0/seconds"]),
        ({"answers": [{**GOOD, "seconds": 1e9}]}, ["/answers/0/seconds"]),
        ({"answers": [{**GOOD, "comment": "x" * 2001}]}, ["/answers/0/comment"]),
        ({"answers": [{**GOOD, "comment": "\u0000"}]}, ["/answers/0/comment"]),
        ({"answers": [{**GOOD, "chunkflag": True}]}, ["/answers/0/chunkflag"]),
        ({"answers": [GOOD] * 101}, ["/answers"]),
        ({"answers": [GOOD], "worker": 7}, ["/worker"]),
    ],
)
def test_a_bad_submission_is_a_400_naming_the_field(api: Api, body: Any, pointers: list[str]) -> None:
    page = api.claim().json()
    problem = check_problem(api.post(f"assignments/{page['id']}/submission", body), 400)
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert not Judgment.objects.exists()
    assert api.submit(page, {"same": True}).status_code == 201, "the page is still in hand"


@pytest.mark.parametrize("raw", [b"{", b"\xff\xfe", b'{"stage": NaN}', b"nonsense"])
def test_a_body_that_is_not_json_is_a_400(api: Api, raw: bytes) -> None:
    assert "not JSON" in check_problem(api.post("assignments", raw=raw), 400)["detail"]


def test_without_a_token_it_is_a_401_that_says_how() -> None:
    reply = Api(None).claim()
    check_problem(reply, 401)
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["nothing", "assignments/7", "assignments/7/submission", "stages/link"])
def test_an_address_that_is_none_is_a_404(api: Api, path: str) -> None:
    check_problem(api.get(path), 404)
    check_problem(api.post(path), 404)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v2/stages"])
def test_the_addresses_above_are_a_404_too(api: Api, path: str) -> None:
    check_problem(api.client.get(f"/api{path}"), 404)
    check_problem(api.client.post(f"/api{path}"), 404)


def test_a_wrong_method_is_a_405(api: Api) -> None:
    reply = api.get("assignments")
    check_problem(reply, 405)
    assert "POST" in reply.headers["Allow"]


def test_too_large_a_body_is_a_413(api: Api, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    problem = check_problem(api.post("assignments", {"key": "k" * 2000}), 413)
    assert "1000 bytes" in problem["detail"]


@pytest.mark.parametrize("kind", ["x-www-form-urlencoded", "xml"])
def test_a_body_of_another_type_is_a_415(api: Api, kind: str) -> None:
    check_problem(api.post("assignments", raw=b"stage=link", kind=kind), 415)


def test_a_database_that_is_away_is_a_503_to_be_tried_again(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: object) -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("workflows.api.views.claim", fail)
    reply = api.claim()
    problem = check_problem(reply, 503)
    assert int(reply.headers["Retry-After"]) > 0
    assert "server closed" not in str(problem), "the log has it"
    assert "server closed" in caplog.text


def test_a_refused_caller_learns_nothing_of_the_machine(api: Api) -> None:
    reply = api.post("assignments", raw=b"{")
    assert not re.search(r"/home|/work|\.py|Traceback", reply.content.decode())


def test_a_mistake_of_ours_is_a_problem_too_and_in_the_log(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("workflows.api.views.claim", fail)
    problem = check_problem(api.claim(), 500)
    assert "ours" not in str(problem)
    assert "ZeroDivisionError: ours" in caplog.text

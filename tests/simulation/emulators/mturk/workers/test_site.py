"""What a worker's browser gets: pages, the frame's address, and the form that the framed page posts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from simulation.emulators.mturk.handle import Handle
from tests.simulation.emulators.mturk.calls import make_hit, make_type, question


@pytest.fixture
def browser(turk: Handle) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=turk.url, trust_env=False, follow_redirects=True) as client:
        yield client


def frame(page: httpx.Response) -> tuple[str, dict[str, str]]:
    """Return the address of the frame and its parameters."""
    found = re.search(r'<iframe [^>]*src="([^"]*)"', page.text)
    assert found, page.text
    parts = urlsplit(unescape(found[1]))
    return parts._replace(query="").geturl(), dict(parse_qsl(parts.query))


def test_a_worker_previews_accepts_and_submits_in_the_frame(turk: Handle, browser: httpx.Client) -> None:
    hit = make_hit(turk, Question=question("https://crowd.example/work?stage=link&amp;x=1", 640))
    listed = browser.get("/worker", params={"workerId": "A1"})
    assert "Link phrases" in listed.text and "$0.10" in listed.text
    preview = browser.get("/mturk/preview", params={"workerId": "A1", "hitId": hit})
    address, parameters = frame(preview)
    assert address == "https://crowd.example/work" and 'height="640"' in preview.text
    assert parameters == {
        "stage": "link",
        "x": "1",
        "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE",
        "hitId": hit,
    }
    work = browser.post("/mturk/accept", data={"workerId": "A1", "hitId": hit})
    _, parameters = frame(work)
    assert parameters == {
        "stage": "link",
        "x": "1",
        "assignmentId": parameters["assignmentId"],
        "hitId": hit,
        "workerId": "A1",
        "turkSubmitTo": turk.url,
    }
    form = {"assignmentId": parameters["assignmentId"]}
    bare = browser.post("/mturk/externalSubmit", data=form)
    assert bare.status_code == 400 and "at least one field" in bare.text
    done = browser.post("/mturk/externalSubmit", data={**form, "token": "<b>"})
    assert done.status_code == 200 and "Your work was submitted" in done.text
    (told,) = turk.client().list_assignments_for_hit(HITId=hit)["Assignments"]
    assert told["WorkerId"] == "A1" and "<FreeText>&lt;b&gt;</FreeText>" in told["Answer"]


def test_a_worker_returns_what_is_in_the_queue(turk: Handle, browser: httpx.Client) -> None:
    taken = turk.worker("A1").accept(hit_id=make_hit(turk))["assignmentId"]
    assert taken in browser.get("/worker", params={"workerId": "A1"}).text
    back = browser.post("/mturk/return", data={"workerId": "A1", "assignmentId": taken})
    assert taken not in back.text and "Accept" in back.text
    assert turk.state()["left"][0]["how"] == "returned"


def test_what_a_requester_writes_is_text(turk: Handle, browser: httpx.Client) -> None:
    make_hit(turk, type_id=make_type(turk, Title="<script>alert(1)</script>"))
    page = browser.get("/worker", params={"workerId": "A1"})
    assert "<script" not in page.text and "&lt;script&gt;" in page.text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("worker", ["", "a1", "B1", "A1/../x", "A" * 66])
def test_nobody_signs_in_under_what_is_no_worker_s_id(browser: httpx.Client, worker: str) -> None:
    assert browser.get("/worker", params={"workerId": worker}).status_code == 400


def test_a_page_of_another_site_cannot_throw_the_switches(turk: Handle, browser: httpx.Client) -> None:
    for path in ("/control/funds", "/api/worker/accept"):
        assert browser.post(path, data={"cents": "1"}).status_code == 415
    assert browser.post("/control/funds", json={"cents": "1"}).status_code == 400
    assert browser.get("/nothing").status_code == browser.post("/nothing").status_code == 404
    assert browser.post("/worker", content=b"x" * 1_048_577).status_code == 413

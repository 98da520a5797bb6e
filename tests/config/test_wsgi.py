"""Bodies whose length the client does not give, sent to the real web server."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import httpx
import pytest

from config.serve import Server
from config.wsgi import measuring_bodies
from tests.factories import make_running, make_worker
from workflows.api.authentication import make_token


def pieces(*texts: str) -> Iterator[bytes]:
    """Yield pieces of a body. httpx sends an iterator in chunks, without a Content-Length."""
    return (text.encode() for text in texts)


@pytest.fixture
def api(services: Server) -> Iterator[httpx.Client]:
    worker = make_worker(make_running([["man"], ["man"]]).project)
    headers = {"Authorization": f"Bearer {make_token(worker)}", "Content-Type": "application/json"}
    with httpx.Client(base_url=f"{services.url}/api/v1/", headers=headers) as client:
        yield client


@pytest.mark.slow("a server of its own for each case")
def test_a_body_in_chunks_is_read_like_any_other(api: httpx.Client) -> None:
    refused = api.post("assignments", content=pieces('{"stage":', ' "lunch"}'))
    assert refused.request.headers["Transfer-Encoding"] == "chunked"
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/stage")
    assert api.post("assignments", content=pieces('{"stage": "drawing"}')).status_code == 204
    page = api.post("assignments", content=pieces('{"stage": ', '"link"}'))
    assert (page.status_code, page.json()["stage"]) == (201, "link")
    answers = '[{"item": 1, "answer": {"same": true}}]'
    path = f"assignments/{page.json()['id']}/submission"
    assert api.post(path, content=pieces('{"answers": ', answers, "}")).status_code == 201


@pytest.mark.slow("a server of its own for each case")
def test_a_body_in_chunks_has_the_same_limit(api: httpx.Client, settings: Any) -> None:
    room = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE - len('{"key": ""}'))
    within = api.post("assignments", content=pieces('{"key": "', room, '"}'))
    assert (within.status_code, within.json()["errors"][0]["pointer"]) == (400, "/key")
    over = api.post("assignments", content=pieces('{"key": "x', room, '"}'))
    assert over.status_code == 413
    assert over.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("environ", "length"),
    [
        ({"PATH_INFO": "/api/v1/assignments", "wsgi.input_terminated": True}, "9"),
        ({"PATH_INFO": "/api/v1/assignments", "wsgi.input_terminated": True, "CONTENT_LENGTH": "4"}, "4"),
        ({"PATH_INFO": "/api/v1/assignments"}, None),
        ({"PATH_INFO": "/admin/", "wsgi.input_terminated": True}, None),
    ],
)
def test_only_a_body_that_ends_by_itself_is_measured(environ: dict[str, Any], length: str | None) -> None:
    seen: list[str | None] = []

    def application(environ: dict[str, Any], start_response: object) -> list[bytes]:
        seen.append(environ.get("CONTENT_LENGTH"))
        return []

    measuring_bodies(application)({**environ, "wsgi.input": BytesIO(b'{"a": 17}')}, lambda *_: lambda _: None)
    assert seen == [length]

"""The real web server: bodies that come slowly or in chunks, files, and a lock that is held for long.

These tests are together since they share its start.
"""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Barrier
from typing import Any

import httpx
import pytest
from django.db import connection

from annotation.models import Worker
from annotation.transactions import write_transaction
from config.processes.waits import PAGES
from config.serve import Server
from tests.factories import make_running, make_worker
from workflows.api.authentication import make_token


def pieces(*texts: str) -> Iterator[bytes]:
    """Yield pieces of a body. httpx sends an iterator in chunks, without a Content-Length."""
    return (text.encode() for text in texts)


@contextmanager
def open_files(most: int) -> Iterator[None]:
    """Let this process have so many files and connections open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def api(services: Server) -> Iterator[httpx.Client]:
    worker = make_worker(make_running([["man"], ["man"]]).project)
    headers = {"Authorization": f"Bearer {make_token(worker)}", "Content-Type": "application/json"}
    with httpx.Client(base_url=f"{services.url}/api/v1/", headers=headers, timeout=30) as client:
        yield client


def test_what_the_web_server_loads_is_not_looked_at_by_each_collection() -> None:
    """A full collection of it takes 60 ms, within somebody's reply."""
    look = "import config.asgi, gc; print(gc.get_freeze_count(), len(gc.get_objects()))"
    done = subprocess.run([sys.executable, "-c", look], stdout=subprocess.PIPE, check=True, text=True)
    frozen, left = map(int, done.stdout.split())
    assert frozen > 50_000 and left < frozen / 10


@pytest.mark.slow("a server with its worker and beat")
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


@pytest.mark.slow("a server with its worker and beat")
def test_a_body_in_chunks_has_the_same_limit(api: httpx.Client, settings: Any) -> None:
    room = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE - len('{"key": ""}'))
    within = api.post("assignments", content=pieces('{"key": "', room, '"}'))
    assert (within.status_code, within.json()["errors"][0]["pointer"]) == (400, "/key")
    over = api.post("assignments", content=pieces('{"key": "x', room, '"}'))
    assert over.status_code == 413
    assert api.post("assignments", json={"key": f"xx{room}"}).status_code == 413, "with its length"
    assert over.headers["Content-Type"] == "application/problem+json"


@pytest.mark.slow("a server with its worker and beat")
def test_forty_half_sent_requests_stop_nobody_else(services: Server) -> None:
    """Without a token, each says that many bytes follow, and sends one."""
    host, port = services.url.removeprefix("http://").split(":")
    paths = ("/api/v1/invitation", "/api/v1/joining", "/api/v1/crowd/sessions", "/admin/login/")
    with ExitStack() as stack:
        for number in range(40):
            connection = stack.enter_context(socket.create_connection((host, int(port))))
            head = f"POST {paths[number % 4]} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 900000\r\n"
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n{{".encode())
        time.sleep(0.5)
        for path in ("/healthz", "/work/", "/admin/login/"):
            assert httpx.get(f"{services.url}{path}", timeout=5).status_code == 200, path
        assert set(httpx.get(f"{services.url}/readyz", timeout=5).json()) == {"ready", "checks"}
        assert httpx.post(f"{services.url}/api/v1/invitation", json={}, timeout=5).status_code == 400


@pytest.mark.slow("a server with its worker and beat")
def test_a_request_without_a_token_is_refused_before_its_body_comes(services: Server) -> None:
    worker = make_worker(make_running([["man"], ["man"]]).project)
    host, port = services.url.removeprefix("http://").split(":")

    def reply(token: str) -> bytes:
        head = f"POST /api/v1/assignments HTTP/1.1\r\nHost: {host}\r\nContent-Length: 900000\r\n"
        with socket.create_connection((host, int(port)), timeout=2) as connection:
            connection.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n{{".encode())
            return connection.recv(12)

    assert reply("") == reply("made-up") == b"HTTP/1.1 401"
    with pytest.raises(TimeoutError):
        reply(make_token(worker))


@pytest.mark.slow("a server with its worker and beat")
def test_those_who_try_passwords_wait_for_each_other_alone(services: Server, api: httpx.Client) -> None:
    """Each password takes a moment to check. All threads for workers would do nothing else."""
    with httpx.Client(base_url=services.url, timeout=60) as client:
        client.get("/admin/login/")
        fields = {"csrfmiddlewaretoken": client.cookies["csrftoken"], "password": "wrong"}
        begin = Barrier(40)

        def guess(number: int) -> httpx.Response:
            begin.wait()
            return client.post("/admin/login/", data={**fields, "username": f"name {number}"})

        with ThreadPoolExecutor(40) as threads:
            replies = list(threads.map(guess, range(40)))
    assert {reply.status_code for reply in replies} == {200, 503}
    refused = [reply for reply in replies if reply.status_code == 503]
    assert all(int(reply.headers["Retry-After"]) > 0 for reply in refused)
    assert "Many people log in now" in refused[0].text
    assert api.post("assignments", json={"stage": "link"}).status_code == 201


@pytest.mark.slow("a server with its worker and beat")
def test_connections_that_say_nothing_stop_nobody_else(services: Server) -> None:
    host, port = services.url.removeprefix("http://").split(":")
    with ExitStack() as stack, open_files(3000):
        for number in range(1200):
            connection = stack.enter_context(socket.create_connection((host, int(port))))
            if number % 2:
                connection.sendall(b"POST /api/v1/joining HTTP/1.1\r\n")
        for path in ("/healthz", "/work/"):
            assert httpx.get(f"{services.url}{path}", timeout=5).status_code == 200, path


@pytest.mark.slow("a server with its worker and beat")
def test_a_file_comes_whole_and_in_parts(services: Server) -> None:
    """The server sends a whole file by itself, and asks the application for a part of one."""
    page = httpx.get(f"{services.url}/work/")
    script = page.text.split('type="module"')[1].split('src="')[1].split('"')[0]
    with httpx.Client(base_url=services.url, headers={"Accept-Encoding": "identity"}) as client:
        whole = client.get(script)
        assert int(whole.headers["Content-Length"]) == len(whole.content) > 1000
        part = client.get(script, headers={"Range": "bytes=100-199"})
        assert (part.status_code, part.content) == (206, whole.content[100:200])
        assert client.head(script).headers["Content-Length"] == whole.headers["Content-Length"]


@pytest.mark.both_databases
@pytest.mark.slow("a server with its worker and beat, and a lock that is held until somebody gives up")
def test_who_waits_for_a_lock_is_told_to_try_again_and_others_go_on(services: Server) -> None:
    held, free = (make_worker(make_running([["man"], ["man"]]).project) for _ in range(2))
    with httpx.Client(base_url=services.url, timeout=PAGES.lock + 15) as client:
        with write_transaction():  # on SQLite, this alone keeps all writers waiting
            Worker.objects.select_for_update().get(pk=held.pk)
            begun = time.monotonic()
            headers = {"Authorization": f"Bearer {make_token(held)}"}
            reply = client.post("/api/v1/assignments", json={"stage": "link"}, headers=headers)
            assert (reply.status_code, int(reply.headers["Retry-After"]) > 0) == (503, True)
            assert time.monotonic() - begun < PAGES.lock + 15, "the lock ended the wait, not the statement"
            headers_of_free = {"Authorization": f"Bearer {make_token(free)}"}
            if connection.vendor == "postgresql":
                other = client.post("/api/v1/assignments", json={"stage": "link"}, headers=headers_of_free)
                assert other.status_code == 201
            assert client.get("/work/").status_code == 200
        again = client.post("/api/v1/assignments", json={"stage": "link"}, headers=headers)
        assert again.status_code == 201

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.image_names import link_to
from tests.factories import make_running, make_worker
from tests.workflows.http import Api

ADDRESSES = ["/work/", "/work/me/", *(f"/work/{stage}/" for stage in Stage)]
ADDRESSES += [f"/work/preview/{stage}/" for stage in Stage]
DOCUMENT = "<!doctype html><title>Groundcrew</title>"


@pytest.fixture
def built(settings: Any, tmp_path: Path) -> Path:
    """Return the folder that Vite leaves."""
    settings.PAGES_FOLDER = tmp_path
    (tmp_path / "index.html").write_text(DOCUMENT)
    return tmp_path


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_shows_the_same_document(built: Path, address: str) -> None:
    reply = Client().get(address)
    assert (reply.status_code, reply.content.decode()) == (200, DOCUMENT)
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("address", ["/work/", "/work/link/"])
def test_only_the_policy_says_who_may_frame_a_page(built: Path, address: str) -> None:
    headers = Client().get(address).headers
    assert "X-Frame-Options" not in headers
    policy = headers["Content-Security-Policy"].split("; ")
    assert "frame-ancestors 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "trusted-types svelte-trusted-html offline-worker" in policy
    assert "default-src 'self'" in policy
    assert "unsafe" not in headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["/work/links/", "/work/preview/", "/work/preview/me/", "/work/link/x/"])
def test_other_addresses_are_none(built: Path, address: str) -> None:
    assert Client().get(address).status_code == 404


def test_a_missing_slash_and_the_root_lead_there(built: Path) -> None:
    for address, target in (("/", "/work/"), ("/work", "/work/"), ("/work/link", "/work/link/")):
        reply = Client().get(address)
        assert (reply.status_code // 100, reply.headers["Location"]) == (3, target)


def test_a_page_is_only_read(built: Path) -> None:
    assert Client().post("/work/").status_code == 405
    assert Client().head("/work/").status_code == 200


def test_without_a_build_it_says_what_to_run(settings: Any, tmp_path: Path) -> None:
    settings.PAGES_FOLDER = tmp_path / "nowhere"
    reply = Client().get("/work/link/")
    assert reply.status_code == 503
    assert "make frontend" in reply.content.decode()
    assert reply.headers["Content-Type"].startswith("text/plain")


def test_the_document_is_read_once_and_in_development_again(settings: Any, built: Path) -> None:
    Client().get("/work/")
    (built / "index.html").write_text("newer")
    assert Client().get("/work/").content.decode() == DOCUMENT
    settings.DEBUG = True
    assert Client().get("/work/").content == b"newer"


@pytest.mark.django_db
def test_no_cookie_is_set_where_workers_go(built: Path) -> None:
    """In a frame of another site, a browser would refuse it, or ask the worker."""
    api = Api(make_worker(make_running([["man"], ["man"]]).project))
    file = default_storage.save("p/2.png", ContentFile(b"bytes"))
    photograph = f"/media/{link_to(file, worker_id=1, now=timezone.now())}"
    page = api.claim().json()
    api.submit(page, {"same": True})
    api.get("me")
    api.post("token")
    for address in ("/", "/work/", "/work/link/", "/work/nowhere/", photograph, "/api/v1/schema"):
        api.client.get(address).close()
    Api(None).get("me")
    assert not api.client.cookies


def test_the_script_that_keeps_pages_is_asked_for_anew_and_can_be_taken_back(
    built: Path, settings: Any
) -> None:
    (built / "offline.js").write_text("keep")
    (built / "offline-removed.js").write_text("remove")
    for kept, script in ((True, "keep"), (False, "remove")):
        settings.OFFLINE_PAGES = kept
        reply = Client().get("/work/offline.js")
        assert (reply.status_code, reply.content.decode()) == (200, script)
        assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert reply.headers["Cache-Control"] == "no-cache"
        assert "default-src 'self'" in reply.headers["Content-Security-Policy"]
    assert Client().post("/work/offline.js").status_code == 405


def test_the_script_that_loads_the_page_again_is_asked_for_anew(built: Path) -> None:
    (built / "reload.js").write_text("again")
    reply = Client().get("/work/reload.js")
    assert (reply.status_code, reply.content.decode()) == (200, "again")
    assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-cache"
    assert reply.headers["Vary"] == "Accept-Encoding"
    assert Client().post("/work/reload.js").status_code == 405


PACKED = {"Accept-Encoding": "gzip, br"}


def test_the_script_that_loads_the_page_again_comes_packed_to_browsers(built: Path) -> None:
    """The build has packed it. Packed by Django, it would have up to 100 bytes more by chance."""
    (built / "reload.js").write_text("again")
    packed = gzip.compress(b"again")
    (built / "reload.js.gz").write_bytes(packed)
    reply = Client().get("/work/reload.js", headers=PACKED)
    assert (reply.status_code, reply.content) == (200, packed)
    assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert (reply.headers["Content-Encoding"], reply.headers["Vary"]) == ("gzip", "Accept-Encoding")


def test_a_script_that_no_build_has_packed_comes_as_it_is(built: Path) -> None:
    (built / "reload.js").write_text("again")
    reply = Client().get("/work/reload.js", headers=PACKED)
    assert (reply.status_code, reply.content.decode()) == (200, "again")
    assert "Content-Encoding" not in reply.headers


def test_without_a_build_there_is_no_script(settings: Any, tmp_path: Path) -> None:
    settings.PAGES_FOLDER = tmp_path / "nowhere"
    for headers in ({}, PACKED):
        asked = [Client().get(f"/work/{name}", headers=headers) for name in ("reload.js", "offline.js")]
        assert [(reply.status_code, "Content-Encoding" in reply.headers) for reply in asked] == [
            (503, False)
        ] * 2

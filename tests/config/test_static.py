"""The built pages as whitenoise serves them: compressed, cached for ever, and nothing beside them."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from config.settings import PAGES_FOLDER, STATICFILES_DIRS

# A reply that a test closes looks at the connection that an earlier test left open.
pytestmark = pytest.mark.django_db

SCRIPT = "/static/pages/index-D7_M-gj.js"
PLAIN = b"console.log();" * 10


def test_of_what_vite_builds_only_the_hashed_files_are_static() -> None:
    assert set(STATICFILES_DIRS) <= {("pages", PAGES_FOLDER / "pages")}


@pytest.fixture
def site(settings: Any, tmp_path: Path) -> Iterator[Client]:
    """Start a server on a built folder, whose files whitenoise reads at that moment."""
    (tmp_path / "pages").mkdir()
    script = tmp_path / "pages" / Path(SCRIPT).name
    script.write_bytes(PLAIN)
    Path(f"{script}.gz").write_bytes(b"gzipped")
    (tmp_path / "index.html").write_text("document")
    settings.STATICFILES_DIRS = [("pages", tmp_path / "pages")]
    forget: Any = finders.get_finder
    forget.cache_clear()
    yield Client()
    forget.cache_clear()


def get(site: Client, address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of a request."""
    response: Any = site.get(address, headers=headers)
    body = response.getvalue()
    response.close()
    return response.status_code, dict(response.headers), body


def test_a_built_file_is_kept_for_ever(site: Client) -> None:
    status, headers, body = get(site, SCRIPT)
    assert (status, body) == (HTTPStatus.OK, PLAIN)
    assert headers["Content-Type"].startswith("text/javascript")
    assert headers["Cache-Control"] == "max-age=315360000, public, immutable"


def test_it_is_sent_compressed_to_who_can_read_that(site: Client) -> None:
    _, headers, body = get(site, SCRIPT, accept_encoding="gzip, br")
    assert (headers["Content-Encoding"], body) == ("gzip", b"gzipped")


def test_other_files_are_asked_for_again(site: Client) -> None:
    _, headers, _ = get(site, "/static/admin/css/base.css")
    assert headers["Cache-Control"] == "max-age=60, public"


@pytest.mark.parametrize("address", ["/static/index.html", "/static/.vite/manifest.json", f"{SCRIPT}.gz"])
def test_nothing_else_of_the_build_is_served(site: Client, address: str) -> None:
    assert get(site, address)[0] == HTTPStatus.NOT_FOUND

"""A site whose address has a path: everything is below it, whether or not a proxy takes it away."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from django.core.exceptions import ImproperlyConfigured

from config.proxies import OUR_PATHS, prefix_of
from config.server.wsgi_calls import path_of
from config.urls import urlpatterns
from tests.config.test_settings import load
from tests.services import services_of_test

PREFIX = "/lab/ground.crew"


@pytest.mark.parametrize(
    ("site", "prefix"),
    [
        ("", ""),
        ("https://annotate.example.org", ""),
        ("https://annotate.example.org:8443/groundcrew", "/groundcrew"),
        ("https://annotate.example.org/lab-1/ground.crew_2", "/lab-1/ground.crew_2"),
    ],
)
def test_the_path_of_the_site_is_the_prefix(site: str, prefix: str) -> None:
    assert prefix_of(site) == prefix


@pytest.mark.parametrize("path", ["a b", "ä", "a%20b", "..", "a//b", "a;b"])
def test_a_path_that_could_be_written_in_two_ways_is_refused(path: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="GROUNDCREW_SITE cannot have the path"):
        prefix_of(f"https://annotate.example.org/{path}/x")


@pytest.mark.parametrize("path", ["work", "lab/admin", "static"])
def test_a_path_that_is_one_of_ours_is_refused(path: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="this site has an address of that name"):
        prefix_of(f"https://annotate.example.org/{path}")


def test_what_is_ours_is_known() -> None:
    first = {str(one.pattern).lstrip("^").split("/")[0].split("(")[0] for one in urlpatterns}
    assert first - {"", "favicon.ico"} <= OUR_PATHS


def test_cookies_are_for_this_site_only(tmp_path: Path) -> None:
    names = ("SESSION_COOKIE_PATH", "CSRF_COOKIE_PATH", "SESSION_COOKIE_NAME", "STATIC_URL", "MEDIA_URL")
    below = load(tmp_path, *names, GROUNDCREW_SITE=f"https://annotate.example.org{PREFIX}/")
    assert list(below.values()) == [
        *(f"{PREFIX}/", f"{PREFIX}/", "sessionid-lab-ground.crew"),
        *(f"{PREFIX}/static/", f"{PREFIX}/media/"),
    ]
    alone = load(tmp_path, *names, GROUNDCREW_SITE="https://annotate.example.org")
    assert list(alone.values()) == ["/", "/", None, "/static/", "/media/"]


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("/groundcrew/work/", "/work/"),
        ("/work/", "/work/"),
        ("/groundcrew", ""),
        ("/groundcrews/work/", "/groundcrews/work/"),
        ("/healthz", "/healthz"),
        ("/groundcrew/healthz", "/groundcrew/healthz"),
    ],
)
def test_the_prefix_is_there_or_not(monkeypatch: pytest.MonkeyPatch, asked: str, path: str) -> None:
    monkeypatch.setattr("django.conf.settings.PREFIX", "/groundcrew")
    assert path_of({"path": asked}) == path


@pytest.mark.slow("runs web server, worker and beat")
@pytest.mark.usefixtures("transactional_db")
def test_every_address_is_below_it(tmp_path: Path) -> None:
    site = f"http://127.0.0.1:8000{PREFIX}"
    with services_of_test(tmp_path, GROUNDCREW_SITE=site) as server, httpx.Client() as browser:
        for asked in (f"{server.url}{PREFIX}", server.url):  # a proxy leaves it, or takes it away
            for path, target in (("/", "/work/"), ("/work", "/work/"), ("/admin/", "/admin/login/")):
                reply = browser.get(asked + path)
                assert reply.headers["Location"].partition("?")[0] == PREFIX + target
            login = browser.get(f"{asked}/admin/login/")
            assert f"Path={PREFIX}/;" in login.headers["Set-Cookie"]
            addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', login.text)
            assert addresses and all(one.startswith(f"{PREFIX}/") for one in addresses)
            document = browser.get(f"{asked}/work/link/").text
            assert f'<base href="{PREFIX}/" />' in document
            (script,) = re.findall(r'src="(static/pages/[^"]+\.js)"', document)
            assert "immutable" in browser.get(f"{asked}/{script}").headers["Cache-Control"]
            assert f'<a href="{PREFIX}/">To the start</a>' in browser.get(f"{asked}/nowhere").text
            schema = browser.get(f"{asked}/api/v1/schema", headers={"Accept": "application/json"}).text
            assert re.search(rf"url: '?{re.escape(PREFIX)}/'?\n|\"url\": ?\"{re.escape(PREFIX)}/\"", schema)
        assert browser.get(f"{server.url}/healthz").text == "ok\n"
        assert browser.get(f"{server.url}{PREFIX}/healthz").status_code == 404, "or a proxy would show it"
        assert browser.get(f"{server.url}{PREFIX}").headers["Location"] == f"{PREFIX}/work/"

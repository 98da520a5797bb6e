from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.image_names import alias_of, link_to
from annotation.renditions import file_of

pytestmark = pytest.mark.django_db

FILE = "corpus/1000092795.jpg"
FILES = (FILE, "corpus/.hidden.jpg", ".exports/1/a.zip", ".uploads/2/b.jpg")


@pytest.fixture
def root(settings: Settings, tmp_path: Path) -> Path:
    """Return a storage with a photograph, an export, an upload, and a file beside it."""
    settings.MEDIA_ROOT = tmp_path / "media"
    for name in (*FILES, "../secret_key"):
        path = settings.MEDIA_ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return tmp_path


def address(file: str = FILE, *, worker: int = 1, now: datetime | None = None) -> str:
    return f"/media/{link_to(file, worker_id=worker, now=now or timezone.now())}"


def check_refused(reply: Any) -> None:
    assert reply.status_code == 404
    assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.content.count(b"\n") == 1 and b"load the page again" in reply.content


def test_a_link_shows_its_photograph_to_whoever_has_it(root: Path, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        reply: Any = Client().get(address())
    assert (reply.status_code, reply.getvalue()) == (200, FILE.encode())
    assert reply.headers["Content-Type"] == "image/jpeg"
    head = Client().head(address())
    head.close()
    assert head.status_code == 200
    assert Client().post(address()).status_code == 405


def test_a_part_of_a_photograph_can_be_asked_for(root: Path) -> None:
    reply: Any = Client().get(address(), headers={"Range": "bytes=2-5"})
    assert (reply.status_code, reply.getvalue()) == (206, FILE.encode()[2:6])
    assert reply.headers["Content-Range"] == f"bytes 2-5/{len(FILE)}"
    assert reply.headers["Cache-Control"].startswith("private, max-age=")


def test_the_same_link_with_a_width_shows_a_rendition(root: Path) -> None:
    (root / "media" / file_of(FILE, 640)).parent.mkdir(parents=True)
    (root / "media" / file_of(FILE, 640)).write_bytes(b"small")
    reply: Any = Client().get(f"{address()}/640")
    assert (reply.status_code, reply.getvalue()) == (200, b"small")
    assert reply.headers["Content-Type"] == "image/webp"
    assert reply.headers["Cache-Control"].startswith("private, max-age=")
    # One that was lost is replaced by the photograph, which shows the same.
    reply = Client().get(f"{address()}/1280")
    assert (reply.status_code, reply.getvalue()) == (200, FILE.encode())


@pytest.mark.parametrize("width", ["641", "0", "99999999999999999999", "640/640"])
def test_no_other_width_is_served(root: Path, width: str) -> None:
    check_refused(Client().get(f"{address()}/{width}"))


def test_a_width_needs_a_link_that_works(root: Path) -> None:
    (root / "media" / file_of(FILE, 640)).parent.mkdir(parents=True)
    (root / "media" / file_of(FILE, 640)).write_bytes(b"small")
    check_refused(Client().get(f"{address()[:-1]}/640"))
    check_refused(Client().get(f"{address(now=timezone.now() - timedelta(hours=36))}/640"))
    # No link names a rendition itself.
    check_refused(Client().get(address(file_of(FILE, 640))))
    check_refused(Client().get(f"{address(FILES[2])}/640"))


def test_a_guessed_name_shows_nothing(root: Path) -> None:
    """Until then, anybody who guessed a project and the name of a file got the photograph."""
    for name in (
        *FILES,
        "corpus/none.jpg",
        "../secret_key",
        "corpus/../.exports/1/a.zip",
        "corpus",
        "a" * 300,
    ):
        check_refused(Client().get(f"/media/{name}"))
    assert Client().get("/media/").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        *FILES[1:],
        "../secret_key",
        "corpus/../../secret_key",
        "corpus/../.exports/1/a.zip",
        "./.exports/1/a.zip",
        "/etc/passwd",
        "corpus",
        "corpus/none.jpg",
        "corpus/" + "a" * 280 + ".jpg",
    ],
)
def test_nothing_but_photographs_is_served_even_if_a_link_names_it(root: Path, name: str) -> None:
    check_refused(Client().get(address(name)))


def test_other_links_show_nothing(root: Path, settings: Settings) -> None:
    link = address()
    check_refused(Client().get(link[:-1]))
    check_refused(Client().get(link[:-1] + ("A" if link[-1] != "A" else "B")))
    check_refused(Client().get(f"{link}/"))
    check_refused(Client().get(address(now=timezone.now() - timedelta(hours=36))))
    check_refused(Client().get(f"/media/{alias_of(7, worker_id=1)}"))
    # Pieces of another worker's link do not fit.
    other = address(worker=2)
    half = len(link) // 2
    check_refused(Client().get(link[:half] + other[half:]))
    check_refused(Client().get(other[:half] + link[half:]))
    settings.SECRET_KEY = "another " * 8
    check_refused(Client().get(link))


def test_a_link_made_with_a_key_among_the_fallbacks_works(root: Path, settings: Settings) -> None:
    link = address()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, [settings.SECRET_KEY]
    reply: Any = Client().get(link)
    assert reply.status_code == 200 and reply.getvalue()


def test_the_reply_tells_nothing_of_the_file_but_its_content(root: Path) -> None:
    reply: Any = Client().get(address())
    assert "1000092795" not in str(reply.headers) and "corpus" not in str(reply.headers)
    assert "Last-Modified" not in reply.headers  # when it was imported may tell where it is from
    assert "Set-Cookie" not in reply.headers and not reply.cookies
    reply.close()


def test_a_browser_keeps_it_for_a_day_and_never_longer_than_the_link_works(root: Path) -> None:
    for age, least, most in ((timedelta(), 86_400, 86_400), (timedelta(hours=23), 1, 86_400 - 11 * 3600)):
        reply: Any = Client().get(address(now=timezone.now() - age))
        private, seconds, immutable = reply.headers["Cache-Control"].split(", ")
        assert (private, immutable) == ("private", "immutable")
        assert least <= int(seconds.removeprefix("max-age=")) <= most
        reply.close()

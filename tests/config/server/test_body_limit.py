from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import make_project

LOGIN = "/admin/login/"
pytestmark = pytest.mark.django_db


class Unread:
    """A body that must not be read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("it was read")

    readline = read


@pytest.fixture
def small(settings: Any, tmp_path: Path) -> Path:
    """Set a limit of few bytes, and return the folder for files that are being received."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 10  # so that each file goes to the disk
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    return tmp_path


def send(path: str, **environ: Any) -> Any:
    environ |= {"CONTENT_TYPE": "multipart/form-data; boundary=b", "wsgi.input": Unread()}
    return Client(enforce_csrf_checks=True).generic("POST", path, **environ)


@pytest.mark.parametrize("path", [LOGIN, "/admin/", "/admin/nothing/at/all/", "/work/", "/nothing"])
def test_a_large_body_is_refused_before_anybody_reads_it(small: Path, path: str) -> None:
    reply = send(path, CONTENT_LENGTH="1001")
    assert (reply.status_code, reply.content) == (413, b"The request is over the limit of 1000 bytes.\n")


def test_no_file_of_nobody_comes_to_the_disk(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(
        "django.core.files.uploadhandler.TemporaryFileUploadHandler.new_file",
        lambda *_, **__: written.append("file"),
    )
    client = Client(enforce_csrf_checks=True)
    client.get(LOGIN)
    form = {"csrfmiddlewaretoken": "x" * 64, "file": SimpleUploadedFile("big.bin", 2000 * b"x")}
    assert client.post(LOGIN, form).status_code == 413
    assert not written and not list(small.iterdir())


def test_a_body_of_the_size_allowed_passes(small: Path) -> None:
    assert Client().post(LOGIN, {"username": "u" * 300, "password": "p"}).status_code == 200


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}, 411),
        ({"CONTENT_LENGTH": "-1"}, 400),
        ({"CONTENT_LENGTH": "１"}, 400),
    ],
)
def test_a_body_has_to_say_its_length(small: Path, environ: dict[str, str], status: int) -> None:
    assert send(LOGIN, **environ).status_code == status


def test_an_upload_is_looked_at_by_its_own_page(small: Path) -> None:
    reply = send(f"/admin/projects/{make_project().pk}/import/", CONTENT_LENGTH="2000")
    assert reply.status_code == 302 and LOGIN in reply["Location"], "nobody is sent to the login, unread"

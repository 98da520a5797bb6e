from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.http import FileResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from workflows.core.byte_ranges import asked_range, part_of

CONTENT = bytes(range(100))


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("bytes=0-9", (0, 10)),
        ("bytes=90-", (90, 10)),
        ("bytes=90-1000", (90, 10)),
        ("bytes=-10", (90, 10)),
        ("bytes=-1000", (0, 100)),
        ("BYTES=5-5", (5, 1)),
        ("bytes=9-5", None),
        ("bytes=-", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
        ("bytes=0-9999999999999999999", None),
        ("bytes=٣-", None),
        ("", None),
    ],
)
def test_a_range_is_read_as_the_standard_says(header: str, found: tuple[int, int] | None) -> None:
    assert asked_range(header, len(CONTENT)) == found


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_no_byte_of_it_is_there(header: str) -> None:
    with pytest.raises(ValueError, match="a file of 100 bytes"):
        asked_range(header, len(CONTENT))


@given(st.integers(1, 60), st.integers(0, 80), st.integers(0, 80))
def test_it_is_the_slice(size: int, first: int, last: int) -> None:
    content = CONTENT[:size]
    wanted = content[first : last + 1]
    if first > last:
        assert asked_range(f"bytes={first}-{last}", size) is None
    elif not wanted:
        with pytest.raises(ValueError, match="no bytes"):
            asked_range(f"bytes={first}-{last}", size)
    else:
        found = asked_range(f"bytes={first}-{last}", size)
        assert found is not None and content[found[0] :][: found[1]] == wanted


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "export.zip"
    path.write_bytes(CONTENT)
    return path


def replied(file: Path, *, method: str = "GET", etag: str = '"one"', **headers: str) -> tuple[Any, bytes]:
    """Return the reply and its content."""
    with file.open("rb") as opened:
        whole = FileResponse(opened, content_type="application/zip")
        whole["ETag"], whole["Cache-Control"] = etag, "private"
        reply: Any = part_of(RequestFactory(headers=headers).generic(method, "/"), whole)
        return reply, reply.getvalue()


def test_a_part_has_the_headers_of_the_whole_and_says_where_it_is(file: Path) -> None:
    reply, content = replied(file, Range="bytes=10-19")
    assert (reply.status_code, content) == (206, CONTENT[10:20])
    assert (reply["Content-Range"], reply["Content-Length"]) == ("bytes 10-19/100", "10")
    assert (reply["Content-Type"], reply["Cache-Control"]) == ("application/zip", "private")
    assert reply["Accept-Ranges"] == "bytes"


def test_behind_the_end_there_is_nothing(file: Path) -> None:
    reply, content = replied(file, Range="bytes=100-")
    assert (reply.status_code, reply["Content-Range"], content) == (416, "bytes */100", b"")


@pytest.mark.parametrize(
    "asked", [{}, {"Range": "bytes=0-1,5-6"}, {"Range": "bytes=50-", "If-Range": '"another"'}]
)
def test_otherwise_it_is_the_whole_file(file: Path, asked: dict[str, str]) -> None:
    reply, content = replied(file, **asked)
    assert (reply.status_code, content) == (200, CONTENT)
    assert reply["Accept-Ranges"] == "bytes"


def test_a_download_goes_on_with_the_file_that_it_began_with(file: Path) -> None:
    asked = {"Range": "bytes=50-", "If-Range": '"one"'}
    assert replied(file, **asked)[1] == CONTENT[50:]
    assert replied(file, etag='"two"', **asked)[1] == CONTENT


def test_a_question_about_the_file_gets_no_part(file: Path) -> None:
    assert replied(file, method="HEAD", Range="bytes=0-1")[0].status_code == 200

"""Damaged archives are named as such, whatever their damage is."""

from __future__ import annotations

import errno
import io
import struct
import zipfile
from pathlib import Path

import pytest

from workflows.jobs.archives import check_archive, unpack_archive
from workflows.jobs.domain.archives import ArchiveError

MOST = 10_000_000
CONTENT = bytes(range(256)) * 64
METHODS = [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def packed(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("captions.txt", CONTENT)
    return file.getvalue()


def unpack(content: bytes, out: Path) -> None:
    unpack_archive(io.BytesIO(content), out, most_bytes=MOST, pulse=lambda _: None)


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_unpacked(tmp_path: Path, method: int) -> None:
    unpack(packed(method), tmp_path / "out")
    assert (tmp_path / "out" / "captions.txt").read_bytes() == CONTENT


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("byte", [45, 60, 70, 90])
def test_damaged_content_is_named(tmp_path: Path, method: int, byte: int) -> None:
    content = bytearray(packed(method))
    content[byte] ^= 0xFF
    with pytest.raises(ArchiveError, match="damaged"):
        unpack(bytes(content), tmp_path / "out")


@pytest.mark.parametrize("ahead", [1, 10, 1000])
def test_an_offset_before_the_file_begins_is_named(ahead: int) -> None:
    """The list says that it begins later than it does, so the first entry would begin before the file."""
    content = bytearray(packed())
    place = content.rindex(b"PK\x05\x06") + 16
    (offset,) = struct.unpack_from("<I", content, place)
    struct.pack_into("<I", content, place, offset + ahead)
    with pytest.raises(ArchiveError, match="damaged"):
        check_archive(io.BytesIO(bytes(content)), most_bytes=MOST)


def test_an_offset_behind_the_end_is_named() -> None:
    content = bytearray(packed())
    place = content.rindex(b"PK\x01\x02") + 42
    struct.pack_into("<I", content, place, 1 << 30)
    with pytest.raises(ArchiveError, match="damaged"):
        check_archive(io.BytesIO(bytes(content)), most_bytes=MOST)


def test_an_error_of_the_disk_is_not_taken_for_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("workflows.jobs.archives._entry", full)
    with pytest.raises(OSError, match="No space left"):
        check_archive(io.BytesIO(packed()), most_bytes=MOST)

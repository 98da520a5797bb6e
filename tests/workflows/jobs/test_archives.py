"""Damaged archives are named as such, whatever their damage is."""

from __future__ import annotations

import errno
import io
import struct
import zipfile
import zlib
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


NAMES = [
    *(("bär.jpg", "utf-8"), ("bär.jpg", "cp437"), ("bär.jpg", "cp1252"), ("写真/犬.jpg", "utf-8")),
    *(("写真/子犬.jpg", "cp932"), ("テスト.jpg", "cp932"), ("黒い犬 2.jpg", "cp932")),
    *(("é.jpg", "cp437"), ("é.jpg", "cp1252"), ("Straße 7 – Höfe.jpg", "cp1252"), ("Hügel.jpg", "cp1252")),
    *(("cafe\u0301.jpg", "utf-8"), ("año.jpg", "cp437"), ("château.jpg", "cp437")),
    *(("rød.jpg", "cp850"), ("één.jpg", "cp850"), ("São Paulo.jpg", "cp850"), ("děti.jpg", "cp852")),
    *(("słońce.jpg", "cp852"), ("dog – park.jpg", "cp1252"), ("it’s a dog.jpg", "cp1252")),
    *(("FUSSGÄNGER.jpg", "cp850"), ("lições.jpg", "cp850")),
]


def named(*names: bytes, flag: bool = False) -> bytes:
    """Return an archive of files with these names, byte for byte. Without the flag, no encoding is told."""
    file = io.BytesIO()
    marks = [f"{number}".rjust(len(name), "_") for number, name in enumerate(names)]
    with zipfile.ZipFile(file, "w") as archive:
        for number, mark in enumerate(marks):
            archive.writestr(mark, bytes([number]))
    content = file.getvalue()
    for mark, name in zip(marks, names, strict=True):
        content = content.replace(mark.encode(), name)
    return content


@pytest.mark.parametrize(("name", "encoding"), NAMES)
def test_names_are_read_in_the_encoding_of_the_program(tmp_path: Path, name: str, encoding: str) -> None:
    unpack(named(name.encode(encoding), b"captions.csv"), tmp_path / "out")
    assert (tmp_path / "out" / name).read_bytes() == b"\0"
    assert (tmp_path / "out" / "captions.csv").read_bytes() == b"\1"


def test_all_names_of_an_archive_have_one_encoding(tmp_path: Path) -> None:
    """The first name alone could be of DOS, too."""
    names = ["Über.jpg", "écran.jpg", "naïve ‘a’.jpg"]
    unpack(named(*(name.encode("cp1252") for name in names)), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(names)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *(("собака.jpg", "cp866"), ("собака.jpg", "cp1251"), ("照片.jpg", "gbk"), ("사진.jpg", "euc-kr")),
        *(("개.jpg", "cp949"), ("кот.jpg", "cp1251"), ("да.jpg", "cp1251")),
        # They are words in two encodings.
        *(("chłopiec.jpg", "cp852"), ("Škoda.jpg", "cp1252"), ("koń.jpg", "cp852"), ("Öl.jpg", "cp1252")),
        *(("表.jpg", "cp932"), ("犬.jpg", "cp932"), ("写真/犬.jpg", "cp932"), ("テ.jpg", "cp932")),
    ],
)  # fmt: skip
def test_names_in_other_encodings_are_one_problem(name: str, encoding: str) -> None:
    content = named(b"captions.csv", *(name.encode(encoding) + bytes([end]) for end in b"12"))
    with pytest.raises(ArchiveError, match=r"unreadable names, such as .* with names in UTF-8"):
        check_archive(io.BytesIO(content), most_bytes=MOST)


def with_unicode_path(name: bytes, path: bytes, checksum: int) -> bytes:
    """Return an archive of a file with an extra field that has its name in UTF-8."""
    field = b"\1" + struct.pack("<I", checksum) + path
    info = zipfile.ZipInfo("_" * len(name))
    info.extra = struct.pack("<HHI", 0x5455, 4, 0) + struct.pack("<HH", 0x7075, len(field)) + field
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(info, b"")
    return file.getvalue().replace(b"_" * len(name), name)


@pytest.mark.parametrize("name", ["собака.jpg".encode("cp866"), "chłopiec.jpg".encode("cp852"), b"????.jpg"])
def test_a_name_that_is_told_in_unicode_is_read(tmp_path: Path, name: bytes) -> None:
    unpack(with_unicode_path(name, "犬.jpg".encode(), zlib.crc32(name)), tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["犬.jpg"]


def test_a_name_that_is_told_for_another_one_is_not_read(tmp_path: Path) -> None:
    """A program that renames a file may leave the field as it was."""
    unpack(with_unicode_path(b"cat.jpg", b"dog.jpg", zlib.crc32(b"dog.jpg")), tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["cat.jpg"]


def test_a_name_that_is_told_and_leads_out_is_refused() -> None:
    content = with_unicode_path(b"cat.jpg", b"../cat.jpg", zlib.crc32(b"cat.jpg"))
    with pytest.raises(ArchiveError, match="leads out of the archive"):
        check_archive(io.BytesIO(content), most_bytes=MOST)


@pytest.mark.parametrize("name", ["photos\\a.jpg", "photos/a.jpg"])
def test_backslashes_are_between_folders(tmp_path: Path, name: str) -> None:
    unpack(named(name.encode(), b"photos\\more\\b.jpg"), tmp_path / "out")
    assert (tmp_path / "out" / "photos" / "a.jpg").read_bytes() == b"\0"
    assert (tmp_path / "out" / "photos" / "more" / "b.jpg").read_bytes() == b"\1"


@pytest.mark.parametrize("name", ["..\\a.jpg", "C:\\a.jpg", "\\\\server\\a.jpg", "\\a.jpg", "a\\..\\..\\b"])
def test_backslashes_lead_nowhere_else(name: str) -> None:
    with pytest.raises(ArchiveError, match="leads out of the archive"):
        check_archive(io.BytesIO(named(name.encode())), most_bytes=MOST)


def test_one_file_with_both_kinds_of_slashes_is_there_twice() -> None:
    with pytest.raises(ArchiveError, match=r"'x/a\.jpg' twice"):
        check_archive(io.BytesIO(named(b"x/a.jpg", b"x\\a.jpg")), most_bytes=MOST)


@pytest.mark.parametrize("space", ["\u202f", "\xa0", " "])
def test_spaces_of_every_kind_are_in_names(tmp_path: Path, space: str) -> None:
    name = f"Screenshot at 10.32.07{space}AM.png"
    unpack(named(name.encode()), tmp_path / "out")
    assert (tmp_path / "out" / name).exists()

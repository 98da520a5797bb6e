"""Text files are read whatever mark they begin with, packed or not."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest

from evaluation.errors import InputError
from evaluation.readers.files import each_line, opened_file

TEXT = "Ein Käfer .\nZwei Hunde 🐕 .\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    ],
)
def test_text_is_read_in_each_encoding_that_its_mark_names(
    tmp_path: Path, content: bytes, pack: type
) -> None:
    path = tmp_path / "text"
    path.write_bytes(pack(content))
    with opened_file(path) as file:
        assert file.read().decode() == TEXT
    assert list(each_line(path, 100)) == [
        (n, line.encode()) for n, line in enumerate(TEXT.splitlines(), start=1)
    ]


def test_a_long_text_in_utf16_is_read_in_pieces(tmp_path: Path) -> None:
    text = "".join(f"line {n} é🐕\n" for n in range(20_000))
    path = tmp_path / "text"
    path.write_text(text, encoding="utf-16")
    assert (
        b"".join(line[1] + b"\n" for line in each_line(path, 100) if isinstance(line, tuple)).decode() == text
    )


def test_damaged_utf16_is_one_error_after_what_could_be_read(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes((TEXT * 10_000).encode("utf-16") + b"\0")
    *lines, problem = each_line(path, 100)
    assert isinstance(problem, InputError)
    assert problem.what == "it begins as UTF-16, but is damaged or something else"
    assert len(lines) > 15_000


def test_utf32_is_not_taken_for_utf16(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(codecs.BOM_UTF32_LE + "a".encode("utf-32-le"))
    with opened_file(path) as file:
        assert file.read(4) == codecs.BOM_UTF32_LE

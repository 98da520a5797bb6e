from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest

from annotation.domain.records import Problem
from annotation.formats.base import MAX_UNREADABLE, name_and_folder, one_error, opened, read_lines

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
    with opened(path) as file:
        assert file.read().decode() == TEXT
    assert list(read_lines(path)) == [(n, line.encode()) for n, line in enumerate(TEXT.splitlines(), start=1)]


def test_a_long_text_in_utf16_is_read_in_pieces(tmp_path: Path) -> None:
    text = "".join(f"line {n} é🐕\n" for n in range(20_000))
    path = tmp_path / "text"
    path.write_text(text, encoding="utf-16")
    assert b"".join(line[1] + b"\n" for line in read_lines(path) if isinstance(line, tuple)).decode() == text


def test_damaged_utf16_is_one_problem_after_what_could_be_read(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes((TEXT * 10_000).encode("utf-16") + b"\0")
    *lines, problem = read_lines(path)
    assert (
        isinstance(problem, Problem)
        and problem.whole
        and "begins as UTF-16, but is damaged" in problem.message
    )
    assert len(lines) > 15_000


def test_utf32_is_not_taken_for_utf16(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(codecs.BOM_UTF32_LE + "a".encode("utf-32-le"))
    with opened(path) as file:
        assert file.read(4) == codecs.BOM_UTF32_LE


@pytest.mark.parametrize(
    ("path", "name", "folder"),
    [
        ("a.jpg", "a.jpg", ""),
        ("./a.jpg", "a.jpg", ""),
        ("x/y/a.jpg", "a.jpg", "x/y"),
        ("/x/a.jpg", "a.jpg", "x"),
        ("x\\a.jpg", "a.jpg", "x"),
        ("../a.jpg", "../a.jpg", ""),
        ("x/../../a.jpg", "x/../../a.jpg", ""),
        ("http://x/a.jpg", "http://x/a.jpg", ""),
        ("x\n/a.jpg", "x\n/a.jpg", ""),
    ],
)
def test_a_path_has_a_name_and_a_folder_unless_it_could_lead_elsewhere(
    path: str, name: str, folder: str
) -> None:
    assert name_and_folder(path) == (name, folder)


def problems(count: int, **fields: bool) -> list[int | Problem]:
    return [Problem("f", n + 1, f"bad {n}", "hint", **fields) for n in range(count)]


def test_a_file_of_which_nothing_can_be_read_is_one_problem() -> None:
    for given in ([*problems(MAX_UNREADABLE), 1], problems(MAX_UNREADABLE + 50)):
        said = f"none of its first {MAX_UNREADABLE} entries can be read: bad 0"
        (problem,) = one_error(given)
        assert isinstance(problem, Problem) and problem.whole
        assert problem == Problem("f", 1, said, "hint")
    (few,) = one_error(problems(3))
    assert "none of its first 3 entries can be read: bad 0" in str(few)


def test_problems_of_a_file_that_can_be_read_stay_as_they_are() -> None:
    for given in ([*problems(3), 1], [1, *problems(50)], problems(1), [*problems(MAX_UNREADABLE - 1), 1]):
        assert list(one_error(given)) == given


def test_what_is_wrong_with_the_whole_file_is_said_first() -> None:
    assert str(next(one_error([*problems(3), Problem("f", None, "damaged", whole=True)]))) == "f: damaged"

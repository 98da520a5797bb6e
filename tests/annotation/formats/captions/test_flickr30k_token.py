from __future__ import annotations

import gzip
from itertools import islice
from pathlib import Path

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import MAX_CAPTION
from annotation.formats.captions.flickr30k_token import read
from evaluation.readers.captions import MAX_LINE
from tests.shared import shared


def written(folder: Path, content: bytes, name: str = "captions.token") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_lines_of_an_image_become_one_record(tmp_path: Path) -> None:
    path = written(tmp_path, b"a.jpg#0\tA man 's arm .\na.jpg#1\tTwo  men.\r\n\nb.jpg#0\tA dog.\n")
    assert list(read(path)) == [
        ImageRecord("a.jpg", (CaptionRecord(0, "A man 's arm ."), CaptionRecord(1, "Two  men."))),
        ImageRecord("b.jpg", (CaptionRecord(0, "A dog."),)),
    ]


def test_gzip_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"\xef\xbb\xbfa.jpg#0\tCaf\xc3\xa9\n"))
    assert list(read(path)) == [ImageRecord("a.jpg", (CaptionRecord(0, "Café"),))]


def test_lines_that_end_as_on_an_old_mac_are_reported_and_not_one_caption(tmp_path: Path) -> None:
    (problem,) = read(written(tmp_path, b"a.jpg#0\tA man .\ra.jpg#1\tA dog ."))
    assert isinstance(problem, Problem)
    assert problem.line == 1 and "carriage return" in problem.message


def test_an_image_that_reappears_comes_in_pieces(tmp_path: Path) -> None:
    path = written(tmp_path, b"a.jpg#0\tone\nb.jpg#0\ttwo\na.jpg#1\tthree\n")
    assert [record.name for record in read(path) if isinstance(record, ImageRecord)] == [
        "a.jpg",
        "b.jpg",
        "a.jpg",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"a.jpg#1 no tab", "there is no tab"),
        (b"a.jpg#1\tbad \xff byte", "byte 13 of the line is not UTF-8"),
        (b"a.jpg#1\t   ", "the caption is empty"),
        (b"a.jpg\tno number", "does not end in #k"),
        (b"a.jpg#x\tno number", "does not end in #k"),
        (b"a.jpg#-1\tno number", "does not end in #k"),
        (b"a.jpg#1000\ttoo many", "does not end in #k with k below 1000"),
        ("a.jpg#²\tno number".encode(), "does not end in #k"),
        (b"#1\tno name", "an image name has 1 to 200 characters"),
        (b"../a.jpg#1\ta path", "is not a plain file name"),
        (b"a.jpg#1\tNUL \0", "a character that no database can store"),
        (b"a.jpg#0\ttwice", "caption 0 of a.jpg is given twice"),
        (b"a.jpg#1\t" + b"x" * MAX_LINE, "the line is longer than 65,536 bytes"),
        (b"a.jpg#1\t" + b"x" * (MAX_CAPTION + 1), "more than 10,000 characters"),
    ],
)
def test_a_bad_line_is_reported_with_its_number_and_the_rest_goes_on(
    tmp_path: Path, line: bytes, message: str
) -> None:
    path = written(tmp_path, b"a.jpg#0\tgood\n" + line + b"\na.jpg#2\tgood too\n")
    problem, image = read(path)
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line) == (str(path), 2)
    assert message in problem.message
    assert isinstance(image, ImageRecord)
    assert [caption.index for caption in image.captions] == [0, 2]


def test_a_damaged_gzip_file_is_reported_after_what_it_held(tmp_path: Path) -> None:
    lines = b"".join(b"%d.jpg#0\tcaption %d\n" % (n, n * n) for n in range(100_000))
    found = list(read(written(tmp_path, gzip.compress(lines)[:-2000])))
    assert sum(isinstance(entry, ImageRecord) for entry in found) > 90_000
    [problem] = [entry for entry in found if isinstance(entry, Problem)]
    assert "the gzip file is damaged" in str(problem) and problem.whole


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    assert [str(entry) for entry in read(tmp_path / "no.token")] == [
        f"{tmp_path / 'no.token'}: cannot be read: No such file or directory"
    ]


def test_the_real_captions_are_read_in_fives() -> None:
    path = shared("data", "flickr30k", "captions.token.gz")
    first = list(islice(read(path), 50))
    assert all(isinstance(record, ImageRecord) and len(record.captions) == 5 for record in first)


@pytest.mark.parametrize("between", ["\t", " "])
def test_marks_of_the_language_are_no_part_of_the_name(tmp_path: Path, between: str) -> None:
    lines = "".join(f"x/a.jpg#enc#{n}{between}A man {n} .\n" for n in range(2))
    (image,) = read(written(tmp_path, lines.encode()))
    assert image == ImageRecord("a.jpg", (CaptionRecord(0, "A man 0 ."), CaptionRecord(1, "A man 1 .")))
    assert getattr(image, "folder", None) == "x"


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("a.jpg#zhb#0\tx\n", "a caption of a.jpg is marked #zhb#, and those before it are marked #enc#"),
        ("a.jpg#1\tx\n", "a caption of a.jpg has no mark, and those before it are marked #enc#"),
    ],
)
def test_several_marks_are_one_problem(tmp_path: Path, second: str, says: str) -> None:
    image, problem = sorted(
        read(written(tmp_path, f"a.jpg#enc#0\tA man .\n{second * 30}".encode())),
        key=lambda one: isinstance(one, Problem),
    )
    assert isinstance(image, ImageRecord) and isinstance(problem, Problem)
    assert problem.message == says and problem.whole and problem.line == 2


def test_a_hash_in_a_name_stays_there(tmp_path: Path) -> None:
    (image,) = read(written(tmp_path, b"a#b.jpg#0\tA man .\n"))
    assert isinstance(image, ImageRecord) and image.name == "a#b.jpg"

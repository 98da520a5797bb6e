from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.captions import entries, spreadsheet
from annotation.formats.captions.spreadsheet import EXAMPLE, read

GOOD = "image,caption\na.jpg,A man .\n"


def written(folder: Path, content: bytes | str) -> Path:
    path = folder / "captions.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def image(name: str, *texts: str, first: int = 0) -> ImageRecord:
    return ImageRecord(name, tuple(CaptionRecord(first + index, text) for index, text in enumerate(texts)))


def found(folder: Path, content: bytes | str) -> list[ImageRecord | Problem]:
    return list(read(written(folder, content)))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("header", [("image", "caption"), ("File Name", "Text"), ("PHOTO", "Sentences")])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_mark_header_and_end_of_line_is_understood(
    tmp_path: Path, mark: str, header: tuple[str, str], before: bytes, end: str
) -> None:
    rows = [header, ("a.jpg", "Zwei Männer ."), ("b.png", "A dog .")]
    content = before + "".join(mark.join(row) + end for row in rows).encode()
    assert found(tmp_path, content) == [image("a.jpg", "Zwei Männer ."), image("b.png", "A dog .")]


def test_captions_come_in_rows_and_in_columns_wherever_these_are(tmp_path: Path) -> None:
    content = (
        "caption 1,author,image,caption_2,Caption 3\n"
        "One .,Ada,a.jpg,Two .,\n"
        "Three .,Ada,b.jpg,,\n"
        "\n"
        ",Bob,a.jpg,,Four .\n"
    )
    assert found(tmp_path, content) == [
        image("a.jpg", "One .", "Two ."),
        image("b.jpg", "Three ."),
        image("a.jpg", "Four .", first=2),
    ]


def test_without_a_header_file_names_come_first(tmp_path: Path) -> None:
    assert found(tmp_path, "a.JPG;A man, and a dog .;A man .\nb;A park .\n") == [
        image("a.JPG", "A man, and a dog .", "A man ."),
        image("b", "A park ."),
    ]


def test_quotation_marks_enclose_commas_and_lines(tmp_path: Path) -> None:
    content = 'image,caption\na.jpg,"A ""big"" dog,\n and a man ."\nb.jpg,x\n'
    first, second = found(tmp_path, content)
    assert (first, second) == (image("a.jpg", 'A "big" dog, and a man .'), image("b.jpg", "x"))
    assert (first.line, second.line) == (2, 4)


def test_names_are_composed_as_those_of_uploaded_photographs_are(tmp_path: Path) -> None:
    assert found(tmp_path, "image,caption\nKa\u0308fer.jpg,A beetle .\n") == [
        image("Käfer.jpg", "A beetle .")
    ]


def test_packed_files_are_read_too(tmp_path: Path) -> None:
    assert found(tmp_path, gzip.compress(GOOD.encode())) == [image("a.jpg", "A man .")]


@pytest.mark.parametrize(
    ("row", "says", "do"),
    [
        ('b.jpg,"A man", a dog', "the row has 3 columns, but the first row has 2", "quotation marks"),
        ("b.jpg,", "column 2 (caption): b.jpg has no caption here", "write one"),
        (",A man", "column 1 (image): an image name has", "in every row"),
        ("../b.jpg,A man", "column 1 (image): '../b.jpg' is not a plain", "file name in every row"),
        ("b.jpg," + "x" * 10_001, "column 2 (caption): the caption has more than", "left out"),
        ("b.jpg,NUL \0", "column 2 (caption): the caption has a character", "left out"),
        ('b.jpg,"A" man', "a cell goes on after its closing quotation mark", "twice"),
        ("b.jpg," + "x" * 70_000, "the line is longer than", "left out"),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_column_and_the_rest_is_read(
    tmp_path: Path, row: str, says: str, do: str
) -> None:
    entries = found(tmp_path, f"{GOOD}{row}\nc.jpg,A park .\n")
    [problem] = [entry for entry in entries if isinstance(entry, Problem)]
    assert (problem.file, problem.line, problem.whole) == (str(tmp_path / "captions.csv"), 3, False)
    assert says in problem.message and do in problem.hint
    assert [entry for entry in entries if entry is not problem] == [
        image("a.jpg", "A man ."),
        image("c.jpg", "A park ."),
    ]


def test_text_in_another_encoding_says_how_to_save_it(tmp_path: Path) -> None:
    entries = found(tmp_path, "image,caption\na.jpg,Männer\nb.jpg,A dog\n".encode("cp1252"))
    [problem] = [entry for entry in entries if isinstance(entry, Problem)]
    assert problem.line == 2 and "not UTF-8" in problem.message and "CSV UTF-8" in problem.hint
    assert image("b.jpg", "A dog") in entries


def test_lines_after_one_that_cannot_be_read_keep_their_numbers(tmp_path: Path) -> None:
    entries = found(tmp_path, b"image,caption\na.jpg,\xff\nb.jpg,\nc.jpg,A dog\n")
    assert [entry.line for entry in entries if isinstance(entry, Problem)] == [2, 3]


def test_a_quotation_mark_that_is_never_closed_is_told_where_it_opens(tmp_path: Path) -> None:
    for rest in ("b.jpg,A dog\n", "b.jpg,A dog\n" * 20_000):
        problem, first = found(tmp_path, f'{GOOD}c.jpg,"A park\n{rest}')
        assert first == image("a.jpg", "A man .") and isinstance(problem, Problem)
        assert problem.line == 3 and problem.whole and "never closed" in problem.message


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "it has no row"),
        ("\n\n", "it has no row"),
        ("Foto;Satz\na.jpg;x\n", "the first row has neither the names of the columns nor a photograph"),
        ("image;Satz\na.jpg;x\n", "no column is called caption, but 'image' is there"),
        ("Foto,Caption\na.jpg,x\n", "no column is called image, but 'Caption' is there"),
        ("image,file,caption\na.jpg,b.jpg,x\n", "'a.jpg' and 'b.jpg' could both be its image"),
        ("a.jpg,A man, a dog\n", "column 3 begins with a space after a comma"),
        ("image,caption\ra.jpg,x\r", "its lines end as on an old Mac"),
    ],
)
def test_a_sheet_that_is_not_understood_is_one_error(tmp_path: Path, content: str, says: str) -> None:
    [problem] = found(tmp_path, content)
    assert isinstance(problem, Problem) and says in problem.message and problem.hint


def test_captions_and_rows_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MAX_CAPTIONS", 2)
    monkeypatch.setattr(spreadsheet, "MAX_ROWS", 4)
    problem, first, end, second = found(tmp_path, "image,caption\n" + "a.jpg,x\n" * 3 + "b.jpg,x\nc.jpg,x\n")
    assert isinstance(problem, Problem) and "a.jpg has more than 2 captions" in problem.message
    assert isinstance(end, Problem) and end.line == 6 and "more than 4 rows" in end.message
    assert (first, second) == (image("a.jpg", "x", "x"), image("b.jpg", "x"))


def test_the_example_is_read_without_a_problem(tmp_path: Path) -> None:
    assert found(tmp_path, EXAMPLE) == [
        image("beach.jpg", "A woman walks her dog on the beach.", "A dog, a ball and a woman."),
        image("market.jpg", "Two men sell apples."),
    ]


RESULTS = "image_name| comment_number| comment\n"


def test_the_number_of_a_caption_counts_and_not_its_row(tmp_path: Path) -> None:
    rows = "a.jpg| 3| Three .\na.jpg| 0| None .\nb.jpg| 1| One | two .\n"
    assert found(tmp_path, RESULTS + rows) == [
        ImageRecord("a.jpg", (CaptionRecord(3, "Three ."), CaptionRecord(0, "None ."))),
        image("b.jpg", "One | two .", first=1),
    ]


def test_a_row_in_which_a_mark_is_missing_is_told_and_the_others_keep_their_numbers(tmp_path: Path) -> None:
    problem, record = found(tmp_path, f"{RESULTS}a.jpg| 0   A man .\na.jpg| 1| A dog .\n")
    assert isinstance(problem, Problem) and problem.line == 2
    assert problem.message == "column 2 (comment_number): '0   A man .' is no number below 1000"
    assert problem.hint == "write the caption's number, and '|' after it"
    assert record == image("a.jpg", "A dog .", first=1)


def test_a_comment_is_a_caption_only_if_nothing_else_is(tmp_path: Path) -> None:
    assert found(tmp_path, "image,caption,comment\na.jpg,A man .,blurred\n") == [image("a.jpg", "A man .")]


def test_marks_within_captions_that_come_last_are_theirs(tmp_path: Path) -> None:
    assert found(tmp_path, "image,caption\na.jpg,A man, a dog\nb.jpg,1,000 apples, and a man,\n") == [
        image("a.jpg", "A man, a dog"),
        image("b.jpg", "1,000 apples, and a man,"),
    ]


def test_quotation_marks_that_enclose_no_cells_are_the_captions_own(tmp_path: Path) -> None:
    rows = 'a.jpg,"Go" says a sign, and a man goes .\nb.jpg,A "small, red" ball\nc.jpg,A man, a dog\n'
    assert found(tmp_path, f"image,caption\n{rows}") == [
        image("a.jpg", '"Go" says a sign, and a man goes .'),
        image("b.jpg", 'A "small, red" ball'),
        image("c.jpg", "A man, a dog"),
    ]


@pytest.mark.parametrize("quoted", ['"A ""red"" ball, a dog"', '"A man,\nand a dog"', '"A\nman,\nand a dog"'])
def test_quotation_marks_around_some_captions_with_commas_are_one_problem(
    tmp_path: Path, quoted: str
) -> None:
    (problem,) = found(tmp_path, f"image,caption\na.jpg,{quoted}\nb.jpg,A, b\nc.jpg,C, d\n")
    assert isinstance(problem, Problem) and problem.whole and problem.line == 2
    bare = 3 + quoted.count("\n")
    assert problem.message.startswith("line 2 encloses a caption in quotation marks")
    assert f"in line {bare} has ','" in problem.message and "in quotation marks" in problem.hint


@pytest.mark.parametrize("caption", ['"Go" says a "sign"', '"Go says a sign'])
def test_marks_of_a_caption_that_enclose_nothing_are_no_problem(tmp_path: Path, caption: str) -> None:
    rows = f"a.jpg,{caption}\nb.jpg,A, b\nc.jpg,C, d\n"
    assert found(tmp_path, f"image,caption\n{rows}") == [
        image("a.jpg", caption),
        image("b.jpg", "A, b"),
        image("c.jpg", "C, d"),
    ]


@pytest.mark.parametrize("bad", ["nan", "", '"A bird", and a dog', "x" * 10_001])
def test_rows_after_a_refused_one_keep_their_numbers(tmp_path: Path, bad: str) -> None:
    content = f"image,caption\na.jpg,A dog runs.\na.jpg,{bad}\na.jpg,A cat sits.\n"
    problem, record = found(tmp_path, content)
    assert isinstance(problem, Problem) and problem.line == 3
    assert record == ImageRecord("a.jpg", (CaptionRecord(0, "A dog runs."), CaptionRecord(2, "A cat sits.")))


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("image,caption\nnan,A man .", "column 1 (image): the name is 'nan', which programs write"),
        ("url,caption\nNone,A man .", "column 1 (url): the name of the image's file is missing"),
        ("image,file,caption\nnan,null,A man .", "the name of the image's file is missing"),
    ],
)
def test_a_name_that_says_missing_is_no_image(tmp_path: Path, row: str, says: str) -> None:
    (problem,) = found(tmp_path, f"{row}\n")
    assert isinstance(problem, Problem) and problem.line == 2 and says in problem.message


def test_a_name_counts_beside_one_that_says_missing(tmp_path: Path) -> None:
    assert found(tmp_path, "image,file,caption\nnan,a.jpg,A man .\n") == [image("a.jpg", "A man .")]


def test_names_may_have_folders_and_rows_a_split(tmp_path: Path) -> None:
    (record,) = found(tmp_path, "split,file_name,text\nvalidation,x/y/a.jpg,A man .\n")
    assert isinstance(record, ImageRecord)
    assert (record.name, record.folder, record.split) == ("a.jpg", "x/y", "val")

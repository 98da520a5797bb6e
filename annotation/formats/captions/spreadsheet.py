"""Reads a spreadsheet that was saved as CSV or TSV: file names in one column, captions in others."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath
from typing import Literal

from annotation.domain.readable import says_missing
from annotation.domain.records import ImageRecord, Problem
from annotation.formats.base import caption_text, check_name, name_and_folder, read_lines, read_texts
from annotation.formats.captions.entries import (
    ADDRESSES,
    CAPTIONS,
    IMAGES,
    LEFT_OUT,
    NUMBERS,
    PATHS,
    Entry,
    Refused,
    image_of,
    on_one_line,
    picture_name,
    plain,
    records_of,
)
from evaluation.readers.records import MAX_CAPTIONS

PICTURES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp"})
SUFFIXES = frozenset({".csv", ".tsv"})
_LOOK = 1_000  # rows that are looked at for quotation marks
MAX_ROWS = 200_000  # all names of images are held in memory
EXAMPLE = """\
image,caption
beach.jpg,A woman walks her dog on the beach.
beach.jpg,"A dog, a ball and a woman."
market.jpg,Two men sell apples.
"""
_SECOND = (frozenset({"comment", "comments"}), frozenset({"title", "titles"}), frozenset({"alttext", "alt"}))
"""Names of columns that are captions only if there is none of a usual name."""
_FIRST = frozenset(CAPTIONS).difference(*_SECOND)
MARK = re.compile(r'"?sep=(.?)"?', re.IGNORECASE)
"""The first line that Excel writes to say what is between columns. White space around it does not count."""
_NUMBER = re.compile(r"([0-9]{1,9})(?:\.0*)?")
_DELIMITERS = ("\t", ";", ",", "|")
JUDGMENTS = "its rows name captions (image.jpg#k), as judgments about captions do"
_OF_A_CAPTION = re.compile(r".+\.\w+#[0-9]+")
_ENCLOSED = re.compile(r'"(?:[^"]|"")*+"')
_OPENED = re.compile(r'"(?:[^"]|"")*+')
_SAVE = 'save it as "CSV UTF-8"'


@dataclass(frozen=True, slots=True)
class Shape:
    """How a spreadsheet is laid out. Columns count from 0. `width` is the number of columns."""

    delimiter: str
    images: tuple[int, ...]  # those that may name the image; each row tells which does
    captions: tuple[int, ...]
    width: int
    header: tuple[str, ...] = ()  # () = the first row has an image already
    number: int | None = None  # the column with the number of the row's caption
    split: int | None = None

    def column(self, index: int) -> str:
        """Return a column as messages name it."""
        named = f" ({self.header[index][:40]})" if self.header else ""
        return f"column {index + 1}{named}"


def shape_of(line: str, delimiters: Sequence[str] = _DELIMITERS) -> Shape | str:
    """Return the shape of a spreadsheet by its first row, or what is wrong with that row."""
    wrong = ""
    line = line.partition("\r")[0]  # the reader says what to do about files of old Macs
    for delimiter in delimiters:
        cells = _cells(line, delimiter)
        names = [plain(cell) for cell in cells]
        images = _columns(names, (*IMAGES, *PATHS)) or _columns(names, ADDRESSES)
        captions = _captions_in(names)
        if images and captions:
            number = next((index for index, name in enumerate(names) if name in NUMBERS), None)
            split = names.index("split") if "split" in names else None
            number = number if len(captions) == 1 else None
            return Shape(delimiter, images, captions, len(cells), tuple(cells), number, split)
        # A table of pandas may begin with the numbers of its rows.
        image = int(len(cells) > 2 and cells[0].isdigit() and is_picture(cells[1]))
        if len(cells) > image + 1 and is_picture(cells[image]):
            others = range(image + 1, len(cells))
            if any(_OF_A_CAPTION.fullmatch(cells[other]) for other in others):
                return JUDGMENTS
            numbered = len(others) > 1 and _NUMBER.fullmatch(cells[others[0]])
            return Shape(
                delimiter,
                (image,),
                tuple(others[1:] if numbered else others),
                len(cells),
                number=others[0] if numbered and len(others) == 2 else None,
            )
        if images and not wrong:
            wrong = f"no column is called caption, but {cells[images[0]]!r} is there"
        elif captions and not wrong:
            wrong = f"no column is called image, but {cells[captions[0]]!r} is there"
    return wrong or "the first row has neither the names of the columns nor a photograph and its caption"


def _columns(names: list[str], known: Collection[str]) -> tuple[int, ...]:
    return tuple(index for index, name in enumerate(names) if name in known)


def _captions_in(names: list[str]) -> tuple[int, ...]:
    return next(filter(None, (_columns(names, known) for known in (_FIRST, *_SECOND))), ())


def is_picture(name: str) -> bool:
    """Return whether this is the name of a file that can be a picture."""
    return PurePath(name.strip()).suffix.lower() in PICTURES


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of rows about an image. An image that appears again comes in pieces.

    Captions are numbered in the order of rows and columns, or by the column that has their numbers. Empty
    rows and empty cells of captions are skipped. A row with a mistake is left out; its captions keep their
    numbers if it has as many columns as it should.
    """
    lines = _Lines(path)
    first = lines.peek()
    if first is None:
        yield from lines.problems
        yield Problem(str(path), None, "it has no row", "see the example in docs/formats.md", whole=True)
        return
    if mark := MARK.fullmatch(first.strip()):
        next(lines)
        first = lines.peek() or ""
    shape = shape_of(first, (mark[1] or "\t",) if mark else _DELIMITERS)
    if isinstance(shape, str):
        yield from lines.problems
        hint = "name the columns in the first row: image, caption"
        yield Problem(str(path), lines.number, shape, hint, whole=True)
        return
    yield from records_of(path, _entries(path, lines, shape))


def _entries(path: Path, lines: _Lines, shape: Shape) -> Iterator[Entry | Problem]:
    for row in _rows(path, lines, shape):
        if isinstance(row, Problem):
            yield row
        else:
            yield from _parse(path, *row, shape)


def _rows(path: Path, lines: _Lines, shape: Shape) -> Iterator[tuple[int, list[str], str] | Problem]:
    """Yield the rows after the header that are not empty, each with the line in which it begins and as it is
    written."""
    bare = _is_without_quotes(path, shape)
    if isinstance(bare, Problem):
        yield bare
        return
    quoting: Literal[0, 3] = csv.QUOTE_NONE if bare else csv.QUOTE_MINIMAL
    reader = csv.reader(lines, delimiter=shape.delimiter, quoting=quoting, strict=True)
    count, header = 0, bool(shape.header)
    while True:
        lines.begin_row()
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield from lines.told()
            yield _mistake(path, lines.begins, str(error))
            if "unexpected end" in str(error) or "field larger" in str(error):
                return
            continue
        yield from lines.told()
        if row is None:
            return
        if header or not any(cell.strip() for cell in row):
            header = header and not any(cell.strip() for cell in row)
            continue
        count += 1
        if count > MAX_ROWS:
            hint = "the rest was left out: divide the file by images"
            yield Problem(str(path), lines.begins, f"it has more than {MAX_ROWS:,} rows", hint, whole=True)
            return
        yield lines.begins, row, lines.written


def _is_without_quotes(path: Path, shape: Shape) -> bool | Problem:
    """Return whether quotation marks belong to the captions, and do not enclose cells.

    Then captions that come last have the mark between columns as it is, which no spreadsheet program writes.
    A file that has both is a problem, since nothing says whose its quotation marks are.
    """
    last = shape.width - 1
    if not shape.header or shape.captions != (last,):
        return False
    bare: list[int] = []
    quoted: list[int] = []
    opened = 0  # the line of a quotation mark that another line may close
    for line in islice(read_lines(path), _LOOK):
        if isinstance(line, Problem):
            continue
        number, text = line[0], line[1].decode("utf-8", "replace").strip()
        caption = text.split(shape.delimiter, last)[-1].strip()
        if _ENCLOSED.fullmatch(caption):
            quoted.append(number)
        elif shape.delimiter in caption and not caption.startswith('"'):
            bare.append(number)
        if opened and text.endswith('"') and text.count('"') % 2:
            quoted.append(opened)
        if '"' in text:
            opened = number if _OPENED.fullmatch(caption) else 0
    if quoted and len(bare) > len(quoted):
        message = (
            f"line {quoted[0]} encloses a caption in quotation marks, but the caption in line {bare[0]} has "
            f"{shape.delimiter!r} without them"
        )
        hint = f"enclose each caption with {shape.delimiter!r} in quotation marks"
        return Problem(str(path), quoted[0], message, hint, whole=True)
    return len(bare) > len(quoted)


def _mistake(path: Path, number: int, error: str) -> Problem:
    if "new-line" in error:
        return Problem(str(path), number, "its lines end as on an old Mac (CR)", _SAVE)
    if "unexpected end" in error or "field larger" in error:
        hint = "close it, or write two where the caption itself has one; the rest was left out"
        return Problem(
            str(path), number, "a quotation mark opens in this row and is never closed", hint, whole=True
        )
    hint = "enclose the whole caption in quotation marks, and write those inside it twice"
    return Problem(str(path), number, "a cell goes on after its closing quotation mark", hint)


def _parse(path: Path, number: int, row: list[str], written: str, shape: Shape) -> Iterator[Entry | Problem]:
    """Yield what the row says, and what is wrong with it. It is left out if there is any doubt about it."""
    filled = len(row)
    while filled and not row[filled - 1].strip():
        filled -= 1
    last = shape.width - 1
    too_many = None
    quoted = shape.delimiter.join(row) != written
    if filled > shape.width and shape.header and shape.captions == (last,) and not quoted:
        # The caption comes last, and no quotation marks say where it ends, so the marks are its own.
        row = [*row[:last], written.split(shape.delimiter, last)[last]]
    elif filled > shape.width:
        message = f"the row has {filled} columns, but the first row has {shape.width}"
        too_many = Refused(message, _QUOTE)
        if len(shape.captions) > 1 or shape.number is not None or max(shape.images) > shape.captions[0]:
            # The row does not tell of which image it has which captions.
            yield Problem(str(path), number, message, _QUOTE)
            return
    cells = row + [""] * (shape.width - len(row))
    name = folder = ""
    try:
        name, folder = name_and_folder(picture_name(_image(cells, shape)))
        wrong = check_name(name)
    except ValueError as error:
        wrong = str(error)
    if too_many:
        if wrong:
            yield Problem(str(path), number, too_many.message, too_many.hint)
        else:
            yield Entry(name, (too_many,), number, folder)
        return
    if wrong:
        hint = "write the photograph's file name in every row"
        columns = " and ".join(map(shape.column, shape.images[:3]))
        yield Problem(str(path), number, f"{columns}: {wrong}", hint)
        return
    first = None
    if shape.number is not None:
        said = cells[shape.number].strip()
        first = int(counted[1]) if (counted := _NUMBER.fullmatch(said)) else MAX_CAPTIONS
        if first >= MAX_CAPTIONS:
            message = f"{shape.column(shape.number)}: {said[:40]!r} is no number below {MAX_CAPTIONS}"
            hint = f"write the caption's number, and {shape.delimiter!r} after it"
            yield Problem(str(path), number, message, hint)
            return
    texts: list[str | Refused] = []
    for index in shape.captions:
        text = on_one_line(cells[index])  # a cell may have several lines
        if not text:
            continue
        if not shape.header and index > 1 and shape.delimiter == "," and cells[index].startswith(" "):
            message = f"{shape.column(index)} begins with a space after a comma"
            yield Problem(str(path), number, message, _QUOTE)
            return
        try:
            texts.append(caption_text(text))
        except ValueError as error:
            texts.append(Refused(f"{shape.column(index)}: {error}", _hint(text)))
    if not texts:
        columns = " and ".join(shape.column(index) for index in shape.captions[:3])
        texts.append(Refused(f"{columns}: {name} has no caption here", "write one"))
    split = cells[shape.split] if shape.split is not None else ""
    yield Entry(name, tuple(texts), number, folder, split, first)


def _image(cells: list[str], shape: Shape) -> str:
    """Return the name of the row's image, with its path. Raise ValueError if none or several are there."""
    if len(shape.images) == 1 and (not shape.header or plain(shape.header[shape.images[0]]) not in ADDRESSES):
        name = cells[shape.images[0]]
        if says_missing(name):
            raise ValueError(f"the name is {name.strip()!r}, which programs write if there is none")
        return name
    fields: dict[str, list[object]] = {}
    for index in shape.images:
        if cells[index].strip():
            fields.setdefault(plain(shape.header[index]), []).append(cells[index])
    return image_of(fields)[0]


def _hint(text: str) -> str:
    return "write the caption, or leave the cell empty" if says_missing(text) else LEFT_OUT


_QUOTE = "if a caption has a comma or another mark between columns, enclose it in quotation marks"


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [picture_name(cell) for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


class _Lines:
    """The lines of a file as text, as the csv module takes them. Lines that cannot be read become problems.

    `number` is that of the last line. Since the last row began, `begins` is that of its first line, and
    `written` its text.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.problems = path, list[Problem]()
        self.number = self.begins = 0
        self.written = ""
        self._lines = read_texts(path)
        self._next: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def begin_row(self) -> None:
        self.begins, self.written = 0, ""

    def __next__(self) -> str:
        self.number, text = self._next.pop() if self._next else self._read()
        self.begins = self.begins or self.number
        self.written = text if self.begins == self.number else f"{self.written}\n{text}"
        return text + "\n"

    def _read(self) -> tuple[int, str]:
        for line in self._lines:
            if not isinstance(line, Problem):
                return line
            if "not UTF-8" in line.message:
                line = Problem(line.file, line.line, line.message, _SAVE)
            self.problems.append(line)
        raise StopIteration

    def peek(self) -> str | None:
        """Return the first line that is not empty, which comes again, or None."""
        for line in self:
            if line.strip():
                self._next = [(self.number, line.removesuffix("\n"))]
                return line
        return None

    def told(self) -> Iterator[Problem]:
        """Yield the problems since the last time."""
        problems, self.problems = self.problems, []
        yield from problems

"""Interfaces of readers and writers, limits on input, and checks of names and texts, for all formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Protocol, Self, TypeVar

from annotation.domain.geometry import Box
from annotation.domain.readable import LOST, readable, says_missing
from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.parts import parts_of
from evaluation.errors import InputError, Place
from evaluation.readers.captions import MAX_LINE
from evaluation.readers.files import each_line, text_of
from evaluation.readers.records import MAX_SIDE, wrong_name

MAX_CAPTION = 10_000  # characters
PICTURES = "images"
"""The folder of the pictures in an export."""
MAX_DEPTH = 4  # folders within folders; an archive often has one around everything
MAX_UNREADABLE = 20
"""If so many entries at the beginning of a file cannot be read, it is not a file of this format."""
_SPACES = dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
"""The characters of Unicode's category Zs, which `isprintable` refuses."""
_T = TypeVar("_T")


class Reader(Protocol):
    """Reads the images of a file or folder one by one. Bad input comes as a Problem, and reading goes on."""

    def __call__(self, path: Path) -> Iterator[ImageRecord | Problem]: ...


class Writer(ABC):
    """Writes images one by one into the folder `out`, which exists and is empty.

    The same records in the same order give the same bytes. The caller makes the folder visible only after
    `close`. If the context is left by an exception, the files are closed but not finished. `not_held` counts
    what the format has no place for, and `written_but` what is written and needs care.
    """

    LACKS: ClassVar[frozenset[str]] = frozenset()
    """The parts of an annotation, by their names in `parts`, that the format has no place for."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.not_held: Counter[str] = Counter()
        self.written_but: Counter[str] = Counter()

    def add(self, record: ImageRecord) -> None:
        """Write one image. Raises ValueError when the format cannot hold it."""
        if wrong := check_name(record.name):
            raise ValueError(wrong)
        self._add(record)
        if self.LACKS:
            self.not_held.update({part: n for part, n in parts_of(record).items() if part in self.LACKS})

    @abstractmethod
    def _add(self, record: ImageRecord) -> None:
        """Write one image, whose name is a plain one."""

    def settle(self) -> None:  # noqa: B027 (most formats have nothing to do)
        """Be told that the pictures of all images so far are in the folder `images`, if they are exported."""

    def take_picture(self, name: str) -> bytes | None:
        """Return an image's picture and remove its file, or return None if there is none.

        A format that holds pictures itself calls this in `settle`.
        """
        path = self.out / PICTURES / name
        if not path.is_file():
            return None
        content = path.read_bytes()
        path.unlink()
        return content

    @abstractmethod
    def close(self) -> None:
        """Finish all files."""

    @abstractmethod
    def discard(self) -> None:
        """Close all open files without finishing them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


class Stems:
    """The names of files that are called after images, without their suffixes: each is taken once."""

    def __init__(self, folder: str, suffix: str) -> None:
        self._folder, self._suffix = folder, suffix
        self._names: dict[str, str] = {}

    def take(self, name: str) -> str:
        """Return the stem of an image's name. Raise ValueError if another image has the same."""
        stem = Path(name).stem
        if stem in self._names:
            raise ValueError(
                f"{self._names[stem]} and {name} would both be {self._folder}{stem}{self._suffix}; "
                "rename one of them or choose another format"
            )
        self._names[stem] = name
        return stem


def is_shown(name: str) -> bool:
    """Return whether a name is neither hidden nor the folder that macOS adds to archives."""
    return not name.startswith(".") and name != "__MACOSX"


def is_printable(name: str) -> bool:
    """Return whether a name can be shown. macOS writes U+202F into the names of screenshots, for example."""
    return plain_spaces(name).isprintable()


def plain_spaces(name: str) -> str:
    """Return a name in which each space of another kind, such as U+00A0 or U+202F, is an ordinary one."""
    return name.translate(_SPACES)


def check_name(name: str) -> str | None:
    """Return what is wrong with an image's file name, or None."""
    if wrong := wrong_name(name):
        return wrong
    if "/" in name or "\\" in name or name.startswith(".") or not is_printable(name):
        return f"{name[:80]!r} is not a plain file name"
    return None


def name_and_folder(path: str) -> tuple[str, str]:
    """Return an image's file name, and the folders before it ("" without any), with / between them.

    A path that could lead anywhere else is returned as it is, and `check_name` says that it is no name.
    """
    *folders, name = path.replace("\\", "/").split("/")
    while folders and folders[0] in ("", "."):
        del folders[0]
    if any(folder in ("", ".", "..") or not is_printable(folder) for folder in folders):
        return path, ""
    return name, "/".join(folders)


def check_text(text: str) -> str | None:
    """Return what is wrong with a caption's text, or None."""
    if not text.strip():
        return "the caption is empty"
    if len(text) > MAX_CAPTION:
        return f"the caption has more than {MAX_CAPTION:,} characters"
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        return "the caption has a character that no database can store (NUL or half of a surrogate pair)"
    return None


def caption_text(text: str) -> str:
    """Return the text of a caption that others wrote, without HTML and invisible characters.

    Raise ValueError, which says what is wrong, if it is no caption.
    """
    if wrong := check_text(text):
        raise ValueError(wrong)
    clean = readable(text)
    if says_missing(clean):
        raise ValueError(f"the caption is {clean.strip()!r}, which programs write if there is none")
    if LOST in clean:
        raise ValueError("the caption has a character that was lost when its text was converted (U+FFFD)")
    if not clean.strip():
        raise ValueError("the caption has no visible character")
    return clean


def fit_box(edges: tuple[int, int, int, int], width: int | None, height: int | None) -> Box:
    """Return the part of a rectangle of pixel edges that is inside the image. Raise ValueError if none is."""
    left, top = max(edges[0], 0), max(edges[1], 0)
    right, bottom = min(edges[2], width or MAX_SIDE), min(edges[3], height or MAX_SIDE)
    if left >= right or top >= bottom:
        raise ValueError(f"box {edges} is empty or outside the image")
    return Box(left, top, right, bottom)


def problem_of(error: InputError, hint: str = "", *, whole: bool = False) -> Problem:
    """Return the problem that an error of a parser is. Parsers are those of `evaluation.readers`."""
    place = error.place or Place("")
    return Problem(place.file, place.line, error.what, hint, whole)


def cut_short(error: InputError) -> Problem:
    """Return the problem that a file cannot be read, or not to its end."""
    hint = "" if error.what.startswith("cannot be read") else "what came before it was read"
    return problem_of(error, hint, whole=True)


def read_lines(path: Path, limit: int = MAX_LINE) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield the lines of a file, plain or gzip, numbered from 1, without their ends.

    A line of more than `limit` bytes comes as a Problem.
    """
    for line in each_line(path, limit):
        if not isinstance(line, InputError):
            yield line
        elif line.place and line.place.at:
            yield problem_of(line, "it was left out")
        else:
            yield cut_short(line)


def read_texts(path: Path) -> Iterator[tuple[int, str] | Problem]:
    """Yield the lines of a file as texts. A line that is not UTF-8 comes as a Problem."""
    for line in read_lines(path):
        if isinstance(line, Problem):
            yield line
            continue
        try:
            yield line[0], text_of(line[1], Place(str(path), line[0]))
        except InputError as error:
            yield problem_of(error)


def one_error(entries: Iterable[_T | Problem]) -> Iterator[_T | Problem]:
    """Yield the entries of a file. If none can be read from the beginning on, yield one problem, and end.

    Such a file is not what its reader takes it for, and would give as many errors as it has lines.
    """
    held: list[Problem] | None = []
    for entry in entries:
        if held is None:
            yield entry
        elif not isinstance(entry, Problem):
            yield from held
            held = None
            yield entry
        else:
            held.append(entry)
            if len(held) == MAX_UNREADABLE:
                yield _not_this_format(held)
                return
    if held and len(held) > 1:
        yield _not_this_format(held)
    elif held:
        yield from held


def _not_this_format(problems: list[Problem]) -> Problem:
    """Return one problem for all of them: what is wrong with the whole file, or else with its first entry."""
    first = next((problem for problem in problems if problem.whole), problems[0])
    message = (
        first.message
        if first.whole
        else f"none of its first {len(problems)} entries can be read: {first.message}"
    )
    return Problem(first.file, first.line, message, first.hint, whole=True)


def token_list(caption: CaptionRecord) -> tuple[str, ...]:
    """Return the tokens of a caption that is written. Raise ValueError when it was never tokenised."""
    if not caption.tokens:
        raise ValueError(f"caption {caption.index} has no tokens")
    return caption.tokens

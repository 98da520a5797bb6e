"""Finds the files of pictures: by the names that a corpus gives, in one folder or in several."""

from __future__ import annotations

import filecmp
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from annotation.formats.base import MAX_DEPTH, check_name, is_shown, plain_spaces
from annotation.formats.captions.spreadsheet import PICTURES, is_picture
from annotation.formats.recognition import split_in

MAX_FILE_NAME = 255  # bytes, on every usual file system


class PictureError(Exception):
    """A picture cannot be used. Says why, what to do, and which file it is (None if there is no file)."""

    def __init__(self, message: str, hint: str = "", path: Path | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.path = path


class PictureFolders:
    """The pictures in the folder `above` and in those within it. Most of them are in the folder `flat`.

    They are listed once, when this is made, and `pulse` is called for each folder. For each file, two numbers
    and its path are held.
    """

    def __init__(
        self, flat: Path, above: Path | None = None, pulse: Callable[[], object] = lambda: None
    ) -> None:
        self.flat, self.above = flat, above or flat
        self._paths: dict[
            int, str
        ] = {}  # by the hash of the stem: paths within `above`, with NUL between them
        for path in sorted(_pictures(self.above, pulse)):
            key = hash(form(PurePosixPath(path).stem))
            before = self._paths.get(key)
            self._paths[key] = path if before is None else f"{before}\0{path}"

    def find(self, name: str, within: str = "") -> Path:
        """Return the file for an image's name. `within` is the folder that the corpus has before the name.

        Names are compared as `form` gives them. If there is no file of that name, a picture's suffix is tried
        after the name, and in place of its suffix. A file in the folder that is called like `within` comes
        first, and one in a folder of another split never. Raise PictureError if there is none, if two that
        differ could be meant, or if the file is outside of the folders, through a link.
        """
        if wrong := check_name(name):
            raise PictureError(wrong)
        others: list[str] = []
        for paths in self._candidates(name):
            others += (path for path in paths if _is_of_another_split(path, within))
            if found := _best((path for path in paths if path not in others), name, within):
                return self._only(name, found)
        if linked := self._linked(name, within):
            return self._checked(linked)
        hint = f"{others[0]} is of another split" if others else ""
        raise PictureError(f"there is no picture {name} in {self.flat}", hint)

    def others(self, named: NamedPictures) -> list[str]:
        """Return the paths of pictures that no name is for, in order."""
        paths = (path for listed in self._paths.values() for path in listed.split("\0"))
        return sorted(path for path in paths if not named.has(PurePosixPath(path).name))

    def _candidates(self, name: str) -> Iterator[list[str]]:
        """Yield the files of this name, those with a suffix after it, and those with another suffix."""
        same, stem = self._with_stem(PurePosixPath(name).stem), form(name)
        yield [path for path in same if form(PurePosixPath(path).name) == stem]
        yield self._with_stem(name)
        yield same

    def _with_stem(self, stem: str) -> list[str]:
        listed = self._paths.get(hash(form(stem)))
        paths = listed.split("\0") if listed else []
        return [path for path in paths if form(PurePosixPath(path).stem) == form(stem)]

    def _only(self, name: str, paths: list[str]) -> Path:
        """Return the file. Raise PictureError if there are several which differ."""
        first, *others = (self._checked(self.above / path) for path in paths)
        for other, path in zip(others, paths[1:], strict=True):
            if not filecmp.cmp(first, other, shallow=False):
                message = f"two different pictures could be {name}: {paths[0]} and {path} in {self.above}"
                raise PictureError(message, "rename one of them, or name its folder in the captions, too")
        return first

    def _linked(self, name: str, within: str) -> Path | None:
        """Return a file that is not among those listed: it is in a linked folder, or has another suffix."""
        parts = within.split("/") if within else []
        ends = ["/".join(parts[start:]) for start in range(len(parts) + 1)]
        for folder in (root / end for end in ends for root in dict.fromkeys((self.above, self.flat))):
            # Other than that of a path, this finds no file either if the name is too long for one.
            if os.path.isfile(folder / name) and not _is_of_another_split(
                os.path.relpath(folder / name, self.above), within
            ):
                return folder / name
        return None

    def _checked(self, path: Path) -> Path:
        if not path.resolve().is_relative_to(self.above.resolve()):
            raise PictureError("is a link that leads out of the folder", "copy the picture", path)
        return path


class NamedPictures:
    """Remembers for which pictures a corpus has captions, to tell those that it has none for.

    It holds two numbers an image, not its name, because it has to hold a whole corpus.
    """

    def __init__(self) -> None:
        self._names: set[int] = set()

    def add(self, name: str) -> None:
        """Remember the name of an image, as `PictureFolders` looks for its file."""
        self._names |= _forms(name)

    def has(self, name: str) -> bool:
        """Return whether a picture of this name may be that of an image."""
        return not self._names.isdisjoint(_forms(name))


def names_of_picture(file: str) -> frozenset[str]:
    """Return the other names that an image with this picture may have, such as *dog* of dog.jpg."""
    stem = PurePosixPath(file).stem
    suffixes = {spelt for suffix in PICTURES for spelt in (suffix, suffix.upper())}
    return frozenset({stem, *(f"{stem}{suffix}" for suffix in suffixes)} - {file})


def form(name: str) -> str:
    """Return a name as it is compared.

    Programs write é as one character or as two, spaces of several kinds, and suffixes in either case.
    """
    plain = plain_spaces(unicodedata.normalize("NFC", name))
    stem, dot, suffix = plain.rpartition(".")
    return f"{stem}{dot}{suffix.lower()}" if stem else plain


def _forms(name: str) -> set[int]:
    return {hash(form(name)), hash(form(PurePosixPath(name).stem))}


def _pictures(root: Path, pulse: Callable[[], object]) -> Iterator[str]:
    """Yield the paths of all pictures within a folder. Hidden files are none."""
    for place, folders, files in os.walk(root):
        pulse()
        within = os.path.relpath(place, root)
        deep = within != "." and within.count(os.sep) + 1 >= MAX_DEPTH
        folders[:] = [] if deep else [name for name in folders if is_shown(name)]
        for name in files:
            if is_shown(name) and is_picture(name):
                yield name if within == "." else f"{within}/{name}"


def _best(paths: Iterable[str], name: str, within: str) -> list[str]:
    """Return the paths that fit best: where the folder ends as `within` does, and the name is the exact one.

    A file of the exact name is only better than others of its own folder.
    """
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        by_folder.setdefault(path.rpartition("/")[0], []).append(path)
    parts = within.split("/")
    whole = next((end for at in range(len(parts)) if (end := "/".join(parts[at:])) in by_folder), "")
    if whole:
        by_folder = {whole: by_folder[whole]}
    elif within and by_folder:
        most = max(_common_end(folder, within) for folder in by_folder)
        by_folder = {folder: by_folder[folder] for folder in by_folder if _common_end(folder, within) == most}
    best = []
    for found in by_folder.values():
        exact = [path for path in found if path.rpartition("/")[2] == name]
        best += exact or found
    return best


def _is_of_another_split(path: str, within: str) -> bool:
    """Return whether the folders of a picture and those of a name in the corpus name two splits."""
    there, here = split_in(f"{path.rpartition('/')[0]}/"), split_in(f"{within}/")
    return bool(there and here) and there != here


def _common_end(folder: str, within: str) -> int:
    """Return how many folders the ends of two paths have in common."""
    count = 0
    for one, other in zip(reversed(folder.split("/")), reversed(within.split("/")), strict=False):
        if form(one) != form(other):
            break
        count += 1
    return count

"""Recognises a file or folder: its format, where the corpus is in it, and where its pictures are."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.formats.base import MAX_DEPTH, is_shown
from annotation.formats.captions import aligned_text, sidecar_texts, spreadsheet
from annotation.formats.captions.entries import SPLITS
from annotation.formats.captions.spreadsheet import PICTURES
from annotation.formats.datasets import coco_grounding
from annotation.formats.file_looks import OTHER_JSON, SENTENCES, by_suffix, first_bytes, look_at
from annotation.formats.registry import READERS
from evaluation.readers.records import SPLITS as OWN_SPLITS

SPLIT_LISTS = tuple(f"{split}.txt" for split in OWN_SPLITS)
Pulse = Callable[[], object]
"""A function that is called for every file or line that is read, since slow storage may take minutes."""
_PHOTOGRAPHS_ALONE = (
    "it has photographs and no captions: put the file of captions beside them or, if workers are to write "
    "the captions, name the format photographs"
)
PHOTOGRAPHS = "photographs"
"""The format of photographs without captions. It has to be named, since captions may have been forgotten."""
SIDECARS = "sidecar-texts"
_FOLDERS = frozenset({"aligned-text", SIDECARS, PHOTOGRAPHS})
"""Formats of a whole folder, whatever files are in it."""
_SPLIT = re.compile(rf"(?:(?<=[/_.-])|^)({'|'.join(SPLITS)})(?=[/_.0-9-])", re.IGNORECASE)


class NotRecognised(Exception):
    """A file or folder is not recognised. The message says what is expected."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What to read, as the readers take it.

    `pictures` is the folder with the most pictures, if there is one, and `above` the folder above all of them
    if there are several. `files` are those of a corpus in several files of one format: then `path` is their
    folder, and their names say their splits.
    """

    format: str
    path: Path
    pictures: Path | None = None
    splits: tuple[Path, ...] = ()
    above: Path | None = None
    files: tuple[Path, ...] = ()


def recognise(path: Path, format: str = "", pulse: Pulse = lambda: None) -> Corpus:
    """Return the corpus in `path`, in the given `format`, or in the one that it looks like.

    In a folder, it is the folder with `Sentences` in it, or else the only file that looks like captions, or
    the files of one format whose names differ in their splits. Raise NotRecognised, which says what the file
    looks like and what to do.
    """
    if not path.exists():
        raise NotRecognised(f"{path.name} cannot be read: there is no such file or folder")
    if not path.is_dir():
        return Corpus(_format(path, format), path)
    root = _Folder(path, pulse)
    pictures = path / root.pictures if root.pictures is not None else None
    above = path / root.above if root.above != root.pictures and root.above is not None else None
    if format == "flickr30k-entities" or (not format and root.sentences):
        if "." in root.sentences:
            root.sentences = ["."]
        if len(root.sentences) != 1:
            count = "no folder" if not root.sentences else f"{len(root.sentences)} folders"
            raise NotRecognised(f"it has {count} called Sentences; there has to be one")
        return Corpus("flickr30k-entities", path / root.sentences[0], pictures, above=above)
    if format in _FOLDERS:
        return Corpus(format, path, pictures, above=above)
    if not format and not root.files and pictures is not None:
        raise NotRecognised(_PHOTOGRAPHS_ALONE)
    if root.texts and _has_sidecars(path, root, format):
        return Corpus(SIDECARS, path, pictures, above=above)
    if len(root.files) == 1 and not (not format and aligned_text.is_aligned(path)):
        file = path / root.files[0]
        pulse()
        return _with_lists(_format(file, format), file, pictures, above)
    looks = {}
    for name in root.files:
        pulse()
        looks[name] = look_at(path / name)
    like = {name: look.format for name, look in looks.items() if look.format is not None}
    if not like and not format and aligned_text.is_aligned(path):
        return Corpus("aligned-text", path, pictures, above=above)
    if not like and (found := by_suffix([path / name for name in root.files])):
        like = {name: found for name in root.files if Path(name).suffix.lower() in spreadsheet.SUFFIXES}
    chosen = sorted(name for name, found in like.items() if format in ("", found))
    chosen = coco_grounding.without_merged(chosen)
    if len(chosen) > 1 and _are_parts(chosen, {like[name] for name in chosen}):
        files = tuple(path / name for name in chosen)
        return replace(_with_lists(like[chosen[0]], path / "-", pictures, above), path=path, files=files)
    if len(chosen) != 1:
        wanted = format or "captions"
        listed = ", ".join(chosen[:5])
        if len({like[name] for name in chosen}) > 1:
            listed = ", ".join(f"{name} like {like[name]}" for name in chosen[:5])
        said = f"several files look like {wanted} ({listed})"
        if not chosen:
            said = f"no file in it looks like {wanted}"
            whys = [f"{name} {look.says}" for name, look in looks.items() if look.says]
            # Other texts and settings often lie beside captions.
            whys.sort(key=lambda why: OTHER_JSON in why or SENTENCES in why)
            said += f" ({whys[0]})" if whys else ""
        raise NotRecognised(f"{said}; there has to be one, or a folder called Sentences")
    return _with_lists(like[chosen[0]], path / chosen[0], pictures, above)


def _has_sidecars(path: Path, root: _Folder, format: str) -> bool:
    """Return whether the captions are in texts beside the photographs, and leave these out of `root.files`.

    Raise NotRecognised if they may also be in another file, or if these texts are no captions and nothing
    else is there.
    """
    beside = [name for name in root.texts[: sidecar_texts.LOOK] if look_at(path / name).format is None]
    if not beside:
        return False
    others = [name for name in root.files if name not in root.of_pairs]
    others += [name for name in root.texts[: sidecar_texts.LOOK] if name not in beside]
    wrong = sidecar_texts.wrong_with([path / name for name in beside])
    if wrong and not others:
        raise NotRecognised(f"{beside[0]} {wrong}")
    root.files = others
    if format or wrong:
        return False
    for name in others:
        root.pulse()
        if found := look_at(path / name).format:
            said = f"its photographs have texts beside them, such as {beside[0]}"
            hint = f"name the format, {SIDECARS} or {found}"
            raise NotRecognised(f"{said}, and {name} looks like {found}: {hint}")
    return True


def _format(path: Path, format: str) -> str:
    """Return the format of a file. Raise NotRecognised if it has none, or clearly another than `format`."""
    look = look_at(path)
    if look.says:
        found = by_suffix([path])
        if found is None or format not in ("", found):
            raise NotRecognised(f"{path.name} {look.says}")
        return found
    found = look.format or by_suffix([path])
    if format and found not in (None, format):
        hint = f"leave the format out, or name {found}"
        raise NotRecognised(f"{path.name} does not look like {format}, but like {found}: {hint}")
    if not format and found is None:
        formats = ", ".join(sorted(READERS))
        said = f"looks like none of the formats ({formats}); name the format, or see docs/importing.md"
        raise NotRecognised(f"{path.name} {said if first_bytes(path).strip() else 'is empty'}")
    # If the format was given and nothing speaks against it, its reader says what is wrong.
    return found or format


def split_in(name: str) -> str:
    """Return the split that the path of a file names last, or ""."""
    found = _SPLIT.findall(name)
    return SPLITS[found[-1].lower()] if found else ""


def _are_parts(names: list[str], formats: set[str | None]) -> bool:
    """Return whether these files are parts of one corpus: their names differ in splits and numbers alone."""
    forms = {re.sub("[0-9]+", "0", _SPLIT.sub("*", name)) for name in names}
    if len(forms) != 1 or len(formats) != 1:
        return False
    return all(map(split_in, names)) or formats == {"parquet-captions"}


def _with_lists(format: str, file: Path, pictures: Path | None, above: Path | None) -> Corpus:
    """Return the corpus of a file of captions, with the split lists beside it."""
    lists = tuple(one for name in SPLIT_LISTS if (one := file.parent / name).is_file())
    return Corpus(format, file, pictures, lists, above)


def pictures_in(folder: Path, pulse: Pulse = lambda: None) -> tuple[Path | None, Path | None]:
    """Return `pictures` and `above` of a corpus whose pictures are in this folder, or in some within it."""
    root = _Folder(folder, pulse)
    if root.pictures is None or root.above is None:
        return None, None
    return folder / root.pictures, folder / root.above


_BESIDE = ("manifest.json", "imported_chains.csv", "provenance.jsonl", "unresolved.jsonl", "pictures.sha256")
"""What an export has beside the data set."""


class _Folder:
    """The content of a folder, as paths within it: files that may have captions, folders with `Sentences`."""

    def __init__(self, root: Path, pulse: Pulse) -> None:
        self.files: list[str] = []
        self.sentences: list[str] = []
        self.texts: list[str] = []
        """Those that lie beside a photograph of the same name, in order."""
        self.of_pairs: set[str] = set()
        """These texts, and what else img2dataset writes about such photographs."""
        self.pulse = pulse
        counts: Counter[str] = Counter()
        for folder, folders, files in os.walk(root):
            pulse()
            within = os.path.relpath(folder, root)
            if "Sentences" in folders:
                self.sentences.append(within)
            deep = within != "." and within.count(os.sep) + 1 >= MAX_DEPTH
            kept = (name for name in folders if name not in ("Sentences", "Annotations") and is_shown(name))
            folders[:] = [] if deep else sorted(kept)
            for name in filter(is_shown, files):
                if Path(name).suffix.lower() in PICTURES:
                    counts[within] += 1
                elif name not in (*SPLIT_LISTS, *_BESIDE):
                    self.files.append(os.path.normpath(os.path.join(within, name)))
            self._add_pairs(within, sidecar_texts.beside(files))
        self.pictures = counts.most_common(1)[0][0] if counts else None
        # The common path of `a` and `b` is empty, and that of `.` and `a`, too.
        self.above = (os.path.commonpath(counts) or ".") if counts else None

    def _add_pairs(self, within: str, content: sidecar_texts.Beside) -> None:
        pairs = content.pairs
        if not pairs:
            return
        texts = [os.path.normpath(os.path.join(within, content.texts[stem])) for stem in pairs]
        self.texts += texts
        self.of_pairs.update(texts)
        self.of_pairs.update(f"{os.path.splitext(text)[0]}.json" for text in texts)
        self.of_pairs.update(f"{within}{rest}" for rest in (".parquet", "_stats.json"))

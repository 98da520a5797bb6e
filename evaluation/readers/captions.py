"""Captions without annotation, as they were published.

- a token file such as Flickr30k's, or a folder with it and lists of splits, as Flickr8k's texts are;
- captions in COCO's format;
- Karpathy's JSON of Flickr8k, Flickr30k and COCO, with splits.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from sys import intern
from typing import Any

from evaluation.dataset import Caption, Image
from evaluation.errors import InputError, Place, entries_of, list_of, load_json, number, within
from evaluation.readers.files import Files, filled, lines_of, opened_file, text_of
from evaluation.readers.records import MAX_CAPTIONS, MAX_ID, MAX_NAME, MAX_SIDE, SPLITS, wrong_name

MAX_LINE = 64 * 1024
MAX_COCO = 1024 * 1024 * 1024
"""Bytes of a file in COCO's format or Karpathy's, which is read into memory."""
_EXPECTED = "expected image.jpg#k<TAB>caption"
_FIELDS = frozenset({"info", "images", "annotations", "categories", "licenses", "type", "dataset"})
"""What an object in COCO's format or Karpathy's has, in any order, and an entry of JSON lines never."""
_ENTRY = re.compile(rb'\{\s*"(name|image)"')
"""How an entry of JSON lines begins, as far as it can be told from a part of it."""
_MAX_ENTRY = 4 * 1024 * 1024
_TOKENS = re.compile(r"\.token(\.txt)?$")
_LIST = re.compile(r"(^|[._-])(train|dev|val|test)(images)?\.txt$", re.IGNORECASE)
MAX_LIST = 64 * 1024 * 1024
"""Bytes of a list of the images of a split."""
_SPLITS = {"dev": "val", "restval": "train"}
"""What others call the splits. `restval` is what Karpathy's COCO adds to the training set."""


def is_token_line(start: bytes) -> bool:
    """Return whether a file that begins so is a token file."""
    return bool(re.match(rb"(\xef\xbb\xbf)?[^\s{\[][^\t\n]*#[0-9]{1,4}\t", start))


def is_one_object(path: Path) -> bool:
    """Return whether a file is one JSON object, in COCO's format or Karpathy's, and not JSON lines.

    The order of its fields does not matter. Raise InputError if the file cannot be read.
    """
    line = b""
    with opened_file(path) as file:
        while not line.strip() and (line := file.readline(_MAX_ENTRY)):
            pass
    line = line.strip()
    if not line.startswith(b"{"):
        return False
    try:
        entry = load_json(line, Place(str(path)))
    except InputError:  # the object goes on in further lines, or is longer
        return not _ENTRY.match(line)
    return isinstance(entry, dict) and not _FIELDS.isdisjoint(entry)


def token_files(names: Collection[str]) -> list[str]:
    """Return the names of token files of a folder. Lemmatized ones, as Flickr8k has, are none."""
    return sorted(
        name for name in names if _TOKENS.search(name) and "/" not in name and "lemma" not in name.lower()
    )


def token_line(text: str, place: Place) -> tuple[str, int, str]:
    """Return the image, the number and the text of a caption from a line `image.jpg#k<TAB>caption`.

    Raise InputError if the line is none.
    """
    label, tab, said = text.partition("\t")
    name, _, index = label.rpartition("#")
    if not tab:
        raise place.error("", f"there is no tab: {_EXPECTED}")
    if "#" not in label or not (index.isascii() and index.isdigit()) or int(index[:9]) >= MAX_CAPTIONS:
        raise place.error("", f"{label[:80]!r} does not end in #k with k below {MAX_CAPTIONS}: {_EXPECTED}")
    return name, int(index), said


def read_token_file(lines: Iterable[tuple[int, bytes]], file: str) -> Iterator[Image]:
    """Yield the images of lines such as `image.jpg#0<TAB>A puppy chases a kite .`

    `lines` are numbered, and errors name their `file`. Images are in the order of their first lines.
    Raise InputError for the first mistake.
    """
    found: dict[str, dict[int, Caption]] = {}
    for line, content in lines:
        place = Place(file, line)
        name, index, text = token_line(text_of(content, place), place)
        if wrong := wrong_name(name):
            raise place.error("", wrong)
        captions = found.setdefault(intern(name), {})
        if index in captions:
            raise place.error("", f"{name} has a caption {index} already")
        captions[index] = _caption(index, text)
    for image, given in found.items():
        yield _image(image, 0, 0, list(given.values()))


def read_token_folder(files: Files) -> Iterator[Image]:
    """Yield the images of a folder with a token file, with the splits of its lists.

    Lists are such as `Flickr_8k.trainImages.txt`, or `train.txt`, with a name a line, with suffix or without.
    An image of no list has no split. Raise InputError for the first mistake, if there are several token files
    or two lists of a split, and if an image is in two lists.
    """
    tokens = token_files(files.names)
    if len(tokens) > 1:
        raise InputError(f"{files.path} has several token files: {', '.join(tokens)}; leave one")
    splits = _listed_splits(files)
    with files.opened(tokens[0]) as file:
        place = files.place(tokens[0])
        for image in read_token_file(filled(lines_of(file, MAX_LINE, place)), str(place)):
            split = splits.get(image.name) or splits.get(image.name.rpartition(".")[0], "")
            yield replace(image, split=split)


def _listed_splits(files: Files) -> dict[str, str]:
    lists: dict[str, str] = {}
    found: dict[str, str] = {}
    for name in sorted(files.names):
        match = _LIST.search(name)
        if "/" in name or not match:
            continue
        split = _SPLITS.get(match[2].lower(), match[2].lower())
        if split in lists:
            raise InputError(f"{files.path} has two lists of the split {split}: {lists[split]} and {name}")
        lists[split] = name
        for line, content in enumerate(files.read(name, MAX_LIST).splitlines(), 1):
            place = files.place(name, line)
            image = text_of(content.removeprefix(BOM_UTF8), place).strip()
            if found.setdefault(image, split) != split:
                raise place.error("", f"{image[:MAX_NAME]} is in {lists[found[image]]}, too")
    found.pop("", None)
    return found


def coco_image(
    entry: Mapping[str, object], place: Place, field: str, *, strict: bool
) -> tuple[str, str, int, int]:
    """Return the id, the file name, and the width and height (0 if unknown) of an entry of `images`.

    With `strict`, as an import reads it, a size of 0 is a mistake. Raise InputError, which names the field.
    """
    key, name = coco_key(entry.get("id"), place, f"{field}.id"), entry.get("file_name")
    if not isinstance(name, str):
        raise place.error(f"{field}.file_name", "is missing, or is not a text")
    width, height = (
        0 if entry.get(side) is None else number(entry[side], place, f"{field}.{side}", int(strict), MAX_SIDE)
        for side in ("width", "height")
    )
    return key, name, width, height


def coco_caption(entry: Mapping[str, object], place: Place, field: str) -> tuple[str, str]:
    """Return the id of the image and the text of an entry of `annotations`.

    Raise InputError, which names the field.
    """
    key, text = coco_key(entry.get("image_id"), place, f"{field}.image_id"), entry.get("caption")
    if not isinstance(text, str):
        raise place.error(f"{field}.caption", "is missing, or is not a text: only captions are read")
    return key, text


def coco_key(value: object, place: Place, field: str) -> str:
    """Return an id, a number or a text, as a key for which 1 and "1" differ. Raise InputError."""
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_ID
    if not whole and not (isinstance(value, str) and len(value) <= MAX_NAME):
        raise place.error(field, "is missing, or is not a number or text")
    return repr(value)


def read_json_captions(content: bytes, place: Place) -> Iterator[Image]:
    """Yield the images of captions in COCO's format or Karpathy's, in the order of the file.

    Captions of an image are numbered in the order of the file. Boxes, which COCO keeps in other files, are
    not read. Raise InputError.
    """
    whole = within(load_json(content, place), dict, place, "")
    return _karpathy(whole, place) if "annotations" not in whole else _coco(whole, place)


def _karpathy(whole: dict[str, Any], place: Place) -> Iterator[Image]:
    for entry, field in entries_of(whole.get("images"), place, "images", None):
        image = within(entry, dict, place, field)
        name, split = (within(image.get(key), str, place, f"{field}.{key}") for key in ("filename", "split"))
        if wrong := wrong_name(name):
            raise place.error(f"{field}.filename", wrong)
        split = _SPLITS.get(split, split)
        if split not in SPLITS:
            raise place.error(f"{field}.split", f"{split[:40]!r} is none of {', '.join(SPLITS)} and restval")
        sentences = list_of(image.get("sentences"), place, f"{field}.sentences", MAX_CAPTIONS)
        captions = [
            Caption(at, _tokens(one, place, f"{field}.sentences[{at}]"), ())
            for at, one in enumerate(sentences)
        ]
        yield Image(name, 0, 0, split, tuple(captions), {})


def _tokens(sentence: object, place: Place, field: str) -> tuple[str, ...]:
    """Return the words of a sentence as it was written (`raw`) or, without that, its `tokens`.

    The tokens have neither capitals nor marks.
    """
    found = within(sentence, dict, place, field)
    if "raw" in found:
        return tuple(map(intern, within(found["raw"], str, place, f"{field}.raw").split()))
    return tuple(
        intern(within(one, str, place, name))
        for one, name in entries_of(found.get("tokens"), place, f"{field}.tokens")
    )


def _coco(whole: dict[str, Any], place: Place) -> Iterator[Image]:
    known: dict[str, tuple[str, int, int]] = {}
    for entry, field in entries_of(whole.get("images"), place, "images", None):
        key, name, width, height = coco_image(within(entry, dict, place, field), place, field, strict=False)
        if wrong := wrong_name(name):
            raise place.error(f"{field}.file_name", wrong)
        if key in known:
            raise place.error(f"{field}.id", f"{key} is another image, too")
        known[key] = (name, width, height)
    captions: dict[str, list[Caption]] = {key: [] for key in known}
    for entry, field in entries_of(whole.get("annotations"), place, "annotations", None):
        key, text = coco_caption(within(entry, dict, place, field), place, field)
        if key not in known:
            raise place.error(f"{field}.image_id", f"{key} is no image of the file")
        if len(captions[key]) >= MAX_CAPTIONS:
            raise place.error(field, f"{known[key][0]} has more than {MAX_CAPTIONS:,} captions")
        captions[key].append(_caption(len(captions[key]), text))
    for key, (name, width, height) in known.items():
        yield _image(name, width, height, captions[key])


def _caption(index: int, text: str) -> Caption:
    return Caption(index, tuple(map(intern, text.split())), ())


def _image(name: str, width: int, height: int, captions: list[Caption]) -> Image:
    return Image(name, width, height, "", tuple(sorted(captions, key=lambda one: one.index)), {})

"""Captions without annotation: a token file such as Flickr30k's, or captions in COCO's format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from sys import intern

from evaluation.dataset import Caption, Image
from evaluation.errors import Place, load_json, number, within
from evaluation.readers.records import MAX_CAPTIONS, MAX_SIDE

MAX_LINE = 64 * 1024
MAX_COCO = 1024 * 1024 * 1024
"""Bytes of a file in COCO's format, which is read into memory."""
_TOKEN = re.compile(r"(\S.{0,198}?)#([0-9]{1,4})\t(.*)", re.DOTALL)
_COCO = re.compile(rb'\s*\{\s*"(info|images|annotations|licenses|type)"')


def is_token_line(start: bytes) -> bool:
    """Return whether a file that begins so is a token file."""
    return bool(re.match(rb"(\xef\xbb\xbf)?[^\s{\[][^\t\n]*#[0-9]{1,4}\t", start))


def is_coco(start: bytes) -> bool:
    """Return whether a file that begins so is in COCO's format."""
    return bool(_COCO.match(start))


def read_token_file(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Image]:
    """Yield the images of lines such as `image.jpg#0<TAB>A puppy chases a kite .`

    `lines` are numbered, and errors call their file `name`. Images are in the order of their first lines.
    Raise InputError for the first mistake.
    """
    found: dict[str, dict[int, Caption]] = {}
    for line, content in lines:
        place = Place(name, line)
        try:
            match = _TOKEN.fullmatch(content.decode())
        except UnicodeDecodeError as error:
            raise place.error("", f"is not UTF-8: {error}") from error
        if not match:
            raise place.error("", "is not image#number, a tab and a caption")
        captions = found.setdefault(intern(match[1]), {})
        index = number(int(match[2]), place, "number", 0, MAX_CAPTIONS - 1)
        if index in captions:
            raise place.error("", f"{match[1]} has a caption {index} already")
        captions[index] = _caption(index, match[3])
    for image, given in found.items():
        yield _image(image, 0, 0, list(given.values()))


def read_coco_captions(content: bytes, place: Place) -> Iterator[Image]:
    """Yield the images of captions in COCO's format, in the order of the file. Raise InputError.

    Captions of an image are numbered in the order of the file. Boxes, which COCO keeps in other files, are
    not read.
    """
    whole = within(load_json(content, place), dict, place, "")
    known: dict[int, tuple[str, int, int]] = {}
    for at, entry in enumerate(within(whole.get("images"), list, place, "images")):
        field = f"images[{at}]"
        image = within(entry, dict, place, field)
        name = within(image.get("file_name"), str, place, f"{field}.file_name")
        if not 0 < len(name) <= 200:
            raise place.error(f"{field}.file_name", "has 1 to 200 characters")
        width, height = (
            number(image.get(side) or 0, place, f"{field}.{side}", 0, MAX_SIDE)
            for side in ("width", "height")
        )
        key = within(image.get("id"), int, place, f"{field}.id")
        if key in known:
            raise place.error(f"{field}.id", f"{key} is another image, too")
        known[key] = (name, width, height)
    captions: dict[int, list[Caption]] = {key: [] for key in known}
    for at, entry in enumerate(within(whole.get("annotations"), list, place, "annotations")):
        field = f"annotations[{at}]"
        given = within(entry, dict, place, field)
        if "caption" not in given:
            raise place.error(f"{field}.caption", "is missing: only captions are read in COCO's format")
        key = within(given.get("image_id"), int, place, f"{field}.image_id")
        if key not in known:
            raise place.error(f"{field}.image_id", f"{key} is no image of the file")
        if len(captions[key]) >= MAX_CAPTIONS:
            raise place.error(field, f"{known[key][0]} has more than {MAX_CAPTIONS:,} captions")
        text = within(given["caption"], str, place, f"{field}.caption")
        captions[key].append(_caption(len(captions[key]), text))
    for key, (name, width, height) in known.items():
        yield _image(name, width, height, captions[key])


def _caption(index: int, text: str) -> Caption:
    return Caption(index, tuple(map(intern, text.split())), ())


def _image(name: str, width: int, height: int, captions: list[Caption]) -> Image:
    return Image(name, width, height, "", tuple(sorted(captions, key=lambda one: one.index)), {})

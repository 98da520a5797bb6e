"""Data sets in the published format of Flickr30k Entities. docs/formats.md has its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from sys import intern
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from evaluation.dataset import TYPES, Boxes, Caption, Chain, Image, Mention, MentionKey
from evaluation.errors import InputError, Place
from evaluation.readers.files import Files
from evaluation.readers.records import MAX_CAPTIONS, MAX_SIDE, types_of_chains

MAX_BYTES = 4 * 1024 * 1024
"""Of a file of sentences or of annotations."""
_OPENING = re.compile(r"\[/EN#([0-9]{1,19})((?:/[a-z]+)+)$")
_SPLITS = ("train", "val", "test")


def read_entities(files: Files) -> Iterator[Image]:
    """Yield the images in the order of their names.

    Corners in `Annotations` are 1-based and inclusive, so a box's left and top edges are one less than
    `xmin` and `ymin`. A box that is partly outside its image is kept as it is. An object whose chain no
    sentence mentions is left out. Raise InputError for the first mistake.
    """
    splits = {stem: split for split in _SPLITS for stem in _split_list(files, f"{split}.txt")}
    annotated = set(files.within("Annotations", ".xml"))
    stems = files.within("Sentences", ".txt")
    if alone := sorted(annotated.difference(stems)):
        raise files.place(f"Annotations/{alone[0]}.xml").error("", f"there is no Sentences/{alone[0]}.txt")
    found = []
    for stem in stems:
        name, width, height, objects = (
            _annotations(files, f"Annotations/{stem}.xml") if stem in annotated else ("", 0, 0, [])
        )
        found.append((name or f"{stem}.jpg", stem, width, height, objects))
    for name, stem, width, height, objects in sorted(found, key=lambda entry: entry[0]):
        captions = tuple(_captions(files, f"Sentences/{stem}.txt", name))
        yield Image(name, width, height, splits.get(stem, ""), captions, _chains(captions, objects))


class _Object:
    """An object of an annotation file."""

    __slots__ = ("box", "chains", "nobndbox", "scene")

    def __init__(
        self, chains: list[str], box: tuple[int, int, int, int] | None, scene: bool, nobndbox: bool
    ) -> None:
        self.chains, self.box, self.scene, self.nobndbox = chains, box, scene, nobndbox


def parse_sentence(line: str, image: str, index: int, place: Place) -> Caption:
    """Return a caption from its line with brackets around its mentions, or raise InputError."""
    tokens: list[str] = []
    mentions: list[Mention] = []
    opened: tuple[str, tuple[str, ...], int] | None = None
    for word in line.split():
        if opened is None and word.startswith("["):
            match = _OPENING.match(word)
            if not match:
                raise place.error("", f"{word[:60]!r} is not [/EN#<chain>/<type> followed by words")
            types = tuple(match[2][1:].split("/"))
            if unknown := [one for one in types if one not in TYPES and one != "notvisual"]:
                raise place.error("", f"unknown type {unknown[0][:40]!r}; the types are {', '.join(TYPES)}")
            opened = (match[1].lstrip("0"), tuple(one for one in types if one != "notvisual"), len(tokens))
            continue
        closes = opened is not None and word.endswith("]")
        plain = word[:-1] if closes else word
        if "[" in plain or "]" in plain:
            raise place.error("", f"the bracket in {word[:60]!r} belongs to no mention, or opens in another")
        if plain:
            tokens.append(intern(plain))
        if opened and closes:
            chain, types, start = opened
            if start == len(tokens):
                raise place.error("", "the brackets of a mention have no words between them")
            key = MentionKey(image, index, start, len(tokens))
            mentions.append(Mention(key, tuple(tokens[start:]), types, chain))
            opened = None
    if opened:
        raise place.error("", "a mention's bracket is never closed")
    return Caption(index, tuple(tokens), tuple(mentions))


def _captions(files: Files, name: str, image: str) -> Iterator[Caption]:
    try:
        lines = files.read(name, MAX_BYTES).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise files.place(name).error("", f"is not UTF-8: {error}") from error
    if len(lines) > MAX_CAPTIONS:
        raise files.place(name).error("", f"has more than {MAX_CAPTIONS:,} lines")
    for index, line in enumerate(lines):
        if line.strip():
            yield parse_sentence(line, image, index, files.place(name, index + 1))


def _split_list(files: Files, name: str) -> list[str]:
    if name not in files.names:
        return []
    return files.read(name, 64 * 1024 * 1024).decode("utf-8", "replace").split()


def _annotations(files: Files, name: str) -> tuple[str, int, int, list[_Object]]:
    place = files.place(name)
    try:
        root = fromstring(files.read(name, MAX_BYTES), forbid_dtd=True)
    except ParseError as error:
        raise files.place(name, error.position[0]).error("", f"is not well-formed XML: {error}") from error
    except DefusedXmlException as error:
        raise place.error("", f"declares a document type or entity, which is not allowed: {error}") from error
    except (LookupError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise place.error("", f"has an encoding that cannot be read: {error}; use UTF-8") from error
    if root.tag != "annotation":
        raise place.error("", f"begins with <{root.tag[:40]}>, not with <annotation>")
    size = root.find("size")
    width, height = (
        0 if size is None else _whole(size, side, place, f"size, {side}") for side in ("width", "height")
    )
    if width < 0 or height < 0:
        raise place.error("size", f"is {width} x {height} pixels")
    objects = [_object(node, place, at) for at, node in enumerate(root.findall("object"), start=1)]
    return (root.findtext("filename") or "").strip(), width, height, objects


def _object(node: Element, place: Place, at: int) -> _Object:
    chains = [(name.text or "").strip() for name in node.findall("name")]
    if not chains or not all(chain.isascii() and chain.isdigit() for chain in chains):
        raise place.error(f"object {at}, name", "is missing, or is not a chain's number")
    chains = [chain.lstrip("0") for chain in chains]
    corners = node.find("bndbox")
    if corners is None:
        flags = (node.findtext(flag, "0").strip() == "1" for flag in ("scene", "nobndbox"))
        return _Object(chains, None, *flags)
    xmin, ymin, xmax, ymax = (
        _whole(corners, side, place, f"object {at}, {side}") for side in ("xmin", "ymin", "xmax", "ymax")
    )
    if xmax < xmin or ymax < ymin:
        raise place.error(f"object {at}, bndbox", f"has corners {xmin}, {ymin} and {xmax}, {ymax} in reverse")
    return _Object(chains, (xmin - 1, ymin - 1, xmax, ymax), False, False)


def _whole(node: Element, name: str, place: Place, field: str) -> int:
    text = node.findtext(name, "").strip()
    if not text.isascii() or not text.removeprefix("-").isdecimal() or len(text) > 9:
        raise place.error(field, f"is {text[:40]!r}, not a whole number of pixels")
    if abs(int(text)) > MAX_SIDE:
        raise place.error(field, f"is {text}, more than {MAX_SIDE:,} pixels")
    return int(text)


def _chains(captions: tuple[Caption, ...], objects: list[_Object]) -> dict[str, Chain]:
    types = types_of_chains(captions)
    boxes: dict[str, list[tuple[int, int, int, int]]] = {}
    scenes, unboxed = set(), set()
    for one in objects:
        for chain in dict.fromkeys(one.chains):
            if one.box:
                boxes.setdefault(chain, []).append(one.box)
            if one.scene:
                scenes.add(chain)
            if one.nobndbox:
                unboxed.add(chain)
    return {
        chain: Chain(chain, kinds, _array(boxes.get(chain, [])), chain in scenes, chain in unboxed)
        for chain, kinds in types.items()
    }


def _array(boxes: list[tuple[int, int, int, int]]) -> Boxes:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)

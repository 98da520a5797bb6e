"""Annotation files as in Flickr30k Entities, much like PASCAL VOC (docs/protocol.md, "Export format")."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from evaluation.errors import InputError, Place
from evaluation.readers.records import MAX_ID, MAX_SIDE

_MAX_DEPTH = 8
_MAX_TEXT = 1_000


@dataclass
class XmlObject:
    """One `object`: the chains it names and their box (VOC corners) or flags."""

    place: Place
    names: list[str] = field(default_factory=list)
    corners: dict[str, str] = field(default_factory=dict)
    scene: str = "0"
    nobndbox: str = "0"
    boxed: bool = False

    def chains(self, *, strict: bool) -> list[int]:
        """Return the chain ids, each once. Raise InputError if there is none, or one is malformed.

        The id 0 means that a mention is not visual. With `strict`, as an import reads it, an object has none.
        """
        if not self.names:
            raise self.place.error("", "an object has no name")
        for name in self.names:
            if not (name.isascii() and name.isdigit()) or not strict <= int(name[:20]) <= MAX_ID:
                raise self.place.error("name", f"{name[:40]!r} is not a chain id")
        return sorted({int(name) for name in self.names})

    def edges(self) -> tuple[int, int, int, int]:
        """Return the pixel edges, not yet compared with the image. Raise InputError if one is malformed."""
        values = []
        for corner in ("xmin", "ymin", "xmax", "ymax"):
            text = self.corners.get(corner, "")
            if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
                raise self.place.error(corner, f"is {text[:40]!r}, not a whole number of pixels")
            values.append(int(text))
        return values[0] - 1, values[1] - 1, values[2], values[3]

    def flags(self) -> tuple[bool, bool]:
        """Return (scene, nobndbox). Raise InputError if one is malformed."""
        for name, text in (("scene", self.scene), ("nobndbox", self.nobndbox)):
            if text not in ("0", "1"):
                raise self.place.error(name, f"is {text[:40]!r}, not 0 or 1")
        return self.scene == "1", self.nobndbox == "1"


@dataclass
class XmlFile:
    """The content of a file. A size is None if the file has 0 or nothing there."""

    filename: str = ""
    width: int | None = None
    height: int | None = None
    depth: int = 3
    objects: list[XmlObject] = field(default_factory=list)


class _Target:
    """Receives the parser's events. The path of open tags says where it is."""

    def __init__(self, file: str) -> None:
        self.file = XmlFile()
        self.place = Place(file)
        self._path: list[str] = []
        self._text: list[str] = []
        self._length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        if len(self._path) > _MAX_DEPTH:
            raise self.place.error("", f"elements are nested deeper than {_MAX_DEPTH}")
        if len(self._path) == 1 and tag != "annotation":
            raise self.place.error("", f"the root is {tag[:40]!r}, not 'annotation'")
        if self._path == ["annotation", "object"]:
            self.file.objects.append(XmlObject(self.place))
        elif self._path == ["annotation", "object", "bndbox"]:
            self.file.objects[-1].boxed = True
        self._text, self._length = [], 0

    def data(self, text: str) -> None:
        self._length += len(text)
        if self._length > _MAX_TEXT:
            raise self.place.error("", f"a text is longer than {_MAX_TEXT} characters")
        self._text.append(text)

    def end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        match self._path[1:]:
            case ["filename"]:
                self.file.filename = text
            case ["size", ("width" | "height" | "depth") as side]:
                self._size(side, text)
            case ["object", "name"]:
                self.file.objects[-1].names.append(text)
            case ["object", "bndbox", corner]:
                self.file.objects[-1].corners[corner] = text
            case ["object", "scene"]:
                self.file.objects[-1].scene = text
            case ["object", "nobndbox"]:
                self.file.objects[-1].nobndbox = text
        self._path.pop()
        self._text, self._length = [], 0

    def _size(self, side: str, text: str) -> None:
        most = 255 if side == "depth" else MAX_SIDE
        if not (text.isascii() and text.isdigit()) or int(text[:9]) > most:
            raise self.place.error(side, f"is {text[:40]!r}, not a whole number up to {most}")
        if side == "depth":
            self.file.depth = int(text) or 3
        else:
            setattr(self.file, side, int(text) or None)


def parse(content: bytes, file: str) -> XmlFile:
    """Return what a file says. Raise InputError, which names the line, if it is malformed or of another kind.

    Nobody needs the whole file as a tree, so that a small one with deep nesting cannot fill the memory.
    """
    target = _Target(file)
    parser = XMLParser(target=target, forbid_dtd=True)
    try:
        for number, line in enumerate(content.splitlines(keepends=True), start=1):
            target.place = Place(file, number)
            parser.feed(line)
        parser.close()
    except ParseError as error:
        raise Place(file, error.position[0]).error("", f"is not well-formed XML: {error}") from error
    except DefusedXmlException as error:
        message = "declares a document type or entity, which is not allowed"
        raise target.place.error("", message) from error
    except (LookupError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        message = f"has an encoding that cannot be read: {error}; use UTF-8"
        raise target.place.error("", message) from error
    return target.file

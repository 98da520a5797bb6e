"""Annotation files as in Flickr30k Entities, much like PASCAL VOC (docs/protocol.md, "Export format")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from annotation.domain.records import ImageRecord
from annotation.formats.base import MAX_ID, MAX_SIDE

MAX_BYTES = 4 * 1024 * 1024
_MAX_DEPTH = 8
_MAX_TEXT = 1_000


class XmlError(ValueError):
    """A file cannot be used. `line` says where."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass
class XmlObject:
    """One `object`: the chains it names and their box (VOC corners) or flags."""

    line: int
    names: list[str] = field(default_factory=list)
    corners: dict[str, str] = field(default_factory=dict)
    scene: str = "0"
    nobndbox: str = "0"
    boxed: bool = False

    def chains(self) -> list[int]:
        """Return the chain ids, each once. Raise XmlError if there is none, or one is malformed."""
        if not self.names:
            raise XmlError(self.line, "an object has no name")
        for name in self.names:
            if not (name.isascii() and name.isdigit()) or not 0 < int(name[:20]) <= MAX_ID:
                raise XmlError(self.line, f"{name[:40]!r} is not a chain id")
        return sorted({int(name) for name in self.names})

    def edges(self) -> tuple[int, int, int, int]:
        """Return the pixel edges, not yet compared with the image. Raise XmlError if one is malformed."""
        values = []
        for corner in ("xmin", "ymin", "xmax", "ymax"):
            text = self.corners.get(corner, "")
            if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
                raise XmlError(self.line, f"{corner} is {text[:40]!r}, not a whole number of pixels")
            values.append(int(text))
        return values[0] - 1, values[1] - 1, values[2], values[3]

    def flags(self) -> tuple[bool, bool]:
        """Return (scene, nobndbox). Raise XmlError if one is malformed."""
        for name, text in (("scene", self.scene), ("nobndbox", self.nobndbox)):
            if text not in ("0", "1"):
                raise XmlError(self.line, f"{name} is {text[:40]!r}, not 0 or 1")
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

    def __init__(self) -> None:
        self.file = XmlFile()
        self.line = 0
        self._path: list[str] = []
        self._text: list[str] = []
        self._length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        if len(self._path) > _MAX_DEPTH:
            raise XmlError(self.line, f"elements are nested deeper than {_MAX_DEPTH}")
        if len(self._path) == 1 and tag != "annotation":
            raise XmlError(self.line, f"the root is {tag[:40]!r}, not 'annotation'")
        if self._path == ["annotation", "object"]:
            self.file.objects.append(XmlObject(self.line))
        elif self._path == ["annotation", "object", "bndbox"]:
            self.file.objects[-1].boxed = True
        self._text, self._length = [], 0

    def data(self, text: str) -> None:
        self._length += len(text)
        if self._length > _MAX_TEXT:
            raise XmlError(self.line, f"a text is longer than {_MAX_TEXT} characters")
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
            raise XmlError(self.line, f"{side} is {text[:40]!r}, not a whole number up to {most}")
        if side == "depth":
            self.file.depth = int(text) or 3
        else:
            setattr(self.file, side, int(text) or None)


def parse(path: Path) -> XmlFile:
    """Read one file. Raise XmlError when it is too large, malformed or of another kind."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise XmlError(None, f"the file is larger than {MAX_BYTES} bytes")
    target = _Target()
    parser = XMLParser(target=target, forbid_dtd=True)
    try:
        for number, line in enumerate(content.splitlines(keepends=True), start=1):
            target.line = number
            parser.feed(line)
        parser.close()
    except ParseError as error:
        raise XmlError(error.position[0], f"not well-formed XML: {error}") from error
    except DefusedXmlException as error:
        raise XmlError(target.line, "a document type or entity is declared, which is not allowed") from error
    return target.file


def render(record: ImageRecord) -> str:
    """Return the file of one image: an object for each box, with all its chains, then the chains' flags."""
    names: dict[int, list[int]] = {}
    for chain in record.chains:
        for index in chain.boxes:
            names.setdefault(index, []).append(chain.id)
    lines = [
        f"<annotation>\n  <filename>{escape(record.name)}</filename>\n"
        f"  <size><width>{record.width or 0}</width><height>{record.height or 0}</height>"
        f"<depth>{record.depth}</depth></size>\n"
    ]
    for index, box in enumerate(record.boxes):
        if index in names:
            left, top, right, bottom = box.box.to_voc()
            lines.append(
                f"  <object>{_names(sorted(names[index]))}<bndbox><xmin>{left}</xmin><ymin>{top}</ymin>"
                f"<xmax>{right}</xmax><ymax>{bottom}</ymax></bndbox></object>\n"
            )
    lines += [
        f"  <object><name>{chain.id}</name><scene>{chain.scene:d}</scene>"
        f"<nobndbox>{chain.nobndbox:d}</nobndbox></object>\n"
        for chain in record.chains
        if chain.scene or chain.nobndbox
    ]
    lines.append("</annotation>\n")
    return "".join(lines)


def _names(chains: Iterable[int]) -> str:
    return "".join(f"<name>{chain}</name>" for chain in chains)

"""Photographs with boxes over them, as the templates draw them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.conf import settings
from django.core.files.storage import default_storage
from django.urls import reverse

from annotation.domain.tokens import align
from annotation.models import Box, Image
from workflows.core.photographs import renditions_for

KINDS = ("accepted", "proposed", "rejected", "withdrawn", "right", "new", "suggested")


@dataclass(frozen=True, slots=True)
class Shape:
    """A box over a photograph; `kind` is one of KINDS and the way its line is drawn."""

    kind: str
    label: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels of the image."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels of the image."""
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Picture:
    """A photograph; `unit` is a length in its pixels that looks alike on all of them."""

    id: int
    name: str
    url: str | None
    width: int
    height: int
    shapes: tuple[Shape, ...]
    renditions: Sequence[Mapping[str, Any]] = ()

    @property
    def thumbnail(self) -> str | None:
        """The address of the smallest rendition, or of the photograph if it has none."""
        return str(self.renditions[0]["url"]) if self.renditions else self.url

    @property
    def srcset(self) -> str:
        """The addresses from which a browser chooses, with their widths."""
        if not self.renditions or self.url is None:
            return ""
        addresses = [*((one["url"], one["width"]) for one in self.renditions), (self.url, self.width)]
        return ", ".join(f"{url} {width}w" for url, width in addresses)

    @property
    def info(self) -> dict[str, Any]:
        """Return it as scripts read it; see ImageInfo in frontend/src/api/types.ts."""
        return {
            "id": str(self.id),
            "url": self.url,
            "width": self.width,
            "height": self.height,
            "renditions": list(self.renditions),
        }

    @property
    def unit(self) -> float:
        """About a fortieth of its longer side."""
        return round(max(self.width, self.height) / 40, 1)

    @property
    def tag(self) -> float:
        """Height of a box's number tag."""
        return round(self.unit * 1.3, 1)

    @property
    def thumbnail_tag(self) -> float:
        """Height of a box's letter where the picture is small."""
        return round(max(self.width, self.height) / 12, 1)


def picture(image: Image, shapes: Iterable[Shape] = ()) -> Picture:
    """Return the image with these boxes. Those that matter less are drawn first, under the others."""
    drawn = sorted(shapes, key=lambda shape: -KINDS.index(shape.kind))
    address = _address(image)
    renditions = _renditions(image, address)
    return Picture(
        image.pk, image.name, address, image.width or 1, image.height or 1, tuple(drawn), renditions
    )


def _address(image: Image) -> str | None:
    if not image.file:
        return None
    if settings.IMAGES_ARE_LOCAL:
        # Browsers keep a photograph, and a replaced one has another file.
        return f"{reverse('inspector:photograph', args=[image.pk])}?{crc32(str(image.file).encode()):08x}"
    return str(default_storage.url(image.file.name))


def _renditions(image: Image, address: str | None) -> list[dict[str, Any]]:
    if address is None or not settings.IMAGES_ARE_LOCAL:
        return renditions_for(str(image.file), address, image.renditions)
    version = address.partition("?")[2]
    return [
        {"width": width, "url": f"{reverse('inspector:rendition', args=[image.pk, width])}?{version}"}
        for width in image.renditions or ()
    ]


def shape_of(box: Box, label: str) -> Shape:
    return Shape(box.state, label, box.left, box.top, box.right, box.bottom)


def shapes_of(edges: Iterable[Sequence[int]], kind: str) -> list[Shape]:
    """Return numbered shapes for boxes given as [left, top, right, bottom]."""
    return [Shape(kind, str(place), *box) for place, box in enumerate(edges, start=1)]


def editor_setup(
    image: Picture, layers: Iterable[tuple[str, str, int]], *, minimum_side: int
) -> dict[str, Any]:
    """Return the setup of the drawing editor; see frontend/src/console/setup.ts.

    `layers` are the fields with boxes: the id of the field, what its boxes are, and how many there may be.
    """
    return {
        "image": image.info,
        "minimum_side": minimum_side,
        "label": image.name,
        "layers": [{"field": field, "name": name, "most": most} for field, name, most in layers],
    }


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a caption; `kind` is own, other, or empty for what is no mention of interest."""

    text: str
    kind: str = ""
    mention: int | None = None
    title: str = ""


def cut(text: str, tokens: str, marks: Iterable[tuple[int, int, Piece]]) -> list[Piece]:
    """The caption in pieces; `marks` are (first token, token after the last, what the piece is), disjoint."""
    spans = align(text, tokens.split(" "))
    pieces, position = [], 0
    for start, end, mark in sorted(marks, key=lambda mark: mark[:2]):
        left, right = spans[start][0], spans[end - 1][1]
        if left > position:
            pieces.append(Piece(text[position:left]))
        pieces.append(Piece(text[left:right], mark.kind, mark.mention, mark.title))
        position = right
    if position < len(text):
        pieces.append(Piece(text[position:]))
    return pieces

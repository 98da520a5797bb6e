"""The parts of JPEG, PNG and WebP files: which of them show the picture, and how EXIF data turns it.

Nothing is decoded here. A file without its metadata shows the same pixels in the same colours.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator

UPRIGHT = 1
_ORIENTATION, _SHORT = 0x0112, 3  # EXIF tag, and the type of its value
JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_SOI, END_OF_JPEG = b"\xff\xd8", b"\xff\xd9"
_SOS, _EOI, _APP0, _APP1, _APP2, _APP14 = 0xDA, 0xD9, 0xE0, 0xE1, 0xE2, 0xEE
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
_SHOWING = frozenset((_WITHOUT_LENGTH | {*range(0xC0, 0xD0), _SOS, _EOI, 0xDB, 0xDD}) - {0xC8})
"""Markers of frames, tables and scans."""
_MARKER = re.compile(rb"\xff[^\x00\xff]")
_AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""In the data of a scan, a byte FF is followed by 00, or is part of a restart marker."""
_EXIF, _ICC = b"Exif\0\0", b"ICC_PROFILE\0"
_PROFILE_HEAD = 40  # bytes, the last four of which every profile has
_JFIF_BYTES, _ADOBE_BYTES = 14, 12  # without a thumbnail after them
_PNG_KEPT = {
    **{b"IHDR": (13,), b"PLTE": range(769), b"IDAT": None, b"IEND": (0,)},
    **{b"tRNS": range(257), b"cHRM": (32,), b"gAMA": (4,), b"iCCP": None, b"sBIT": range(1, 5)},
    **{b"sRGB": (1,), b"cICP": (4,), b"mDCV": (24,), b"cLLI": (8,), b"pHYs": (9,), b"bKGD": (1, 2, 6)},
    **{b"acTL": (8,), b"fcTL": (26,), b"fdAT": None},
}
"""The chunks that browsers show, with the lengths that they may have (None: any): pixels, transparency,
colours, the shape of pixels, and frames."""
_WEBP_KEPT = frozenset((b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"))
_FRAME_BYTES = 16  # of ANMF, before its own chunks
_WEBP_METADATA = 0x0C  # flags of VP8X: EXIF and XMP

Segment = tuple[int, bytes]
Chunk = tuple[bytes, bytes]


def without_metadata(content: bytes) -> bytes:
    """Return the file of a picture with nothing but what shows it. Another file is returned as it is.

    Left out are EXIF data (place, time, camera, owner, thumbnail), XMP, IPTC, comments, texts, and all that
    comes after the picture's end. The colour profile stays. Of EXIF data that turns a picture in browsers,
    the orientation alone stays. Raise ValueError if the file is damaged.
    """
    plain = _plain_of(content)
    return plain(content) if plain else content


def orientation_of(content: bytes) -> int:
    """Return from 1 (upright) to 8 how EXIF data turns the file of a picture, as browsers see it.

    They turn a JPEG, and a PNG whose EXIF data comes before its pixels. They never turn a WebP, nor do they
    read an orientation in XMP.
    """
    try:
        if content.startswith(JPEG):
            for marker, segment in _segments(content):
                if marker == _SOS:
                    break
                if marker == _APP1 and segment[4:].startswith(_EXIF):
                    return _orientation(segment[4 + len(_EXIF) :])
        elif content.startswith(_PNG):
            for name, data in _png_chunks(content):
                if name == b"IDAT":
                    break
                if name == b"eXIf":
                    return _orientation(data.removeprefix(_EXIF))
    except ValueError:
        pass  # reading it says what is wrong
    return UPRIGHT


def png_colours(content: bytes) -> list[Chunk]:
    """Return what a PNG says of its colours beside the profile, as chunks that come before its pixels."""
    said = (b"cHRM", b"gAMA", b"sRGB", b"cICP", b"mDCV", b"cLLI")
    return [(name, data) for name, data in _png_chunks(content) if name in said]


def with_png_chunks(content: bytes, chunks: list[Chunk]) -> bytes:
    """Return a PNG with these chunks after its header."""
    header = len(_PNG) + 25
    return content[:header] + b"".join(_png_chunk(*chunk) for chunk in chunks) + content[header:]


def png_depth(content: bytes) -> tuple[int, bool]:
    """Return how many bits a colour of a PNG has, and whether it is only grey."""
    return content[24], content[25] == 0


def _plain_of(content: bytes) -> Callable[[bytes], bytes] | None:
    if content.startswith(JPEG):
        return _plain_jpeg
    if content.startswith(_PNG):
        return _plain_png
    return _plain_webp if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else None


def _is_profile(data: bytes) -> bool:
    """Return whether data is a colour profile."""
    return data[36:_PROFILE_HEAD] == b"acsp"


# JPEG -------------------------------------------------------------------------------------------------------
def _plain_jpeg(content: bytes) -> bytes:
    turned = orientation_of(content)
    parts, said = [_SOI], turned == UPRIGHT
    segments = list(_segments(content))
    has_profile = _is_profile(_jpeg_profile(segments))
    for marker, segment in segments:
        kept = _plain_segment(marker, segment, has_profile)
        if not said and marker != _APP0:
            parts.append(_segment(_APP1, _EXIF + _exif(turned)))
            said = True
        parts.append(kept)
    return b"".join(parts)


def _jpeg_profile(segments: list[Segment]) -> bytes:
    """Return the colour profile, which may be in several segments with numbers, or b"" without any."""
    head = 4 + len(_ICC)
    parts = [
        segment[head:]
        for marker, segment in segments
        if marker == _APP2 and segment[4:].startswith(_ICC) and len(segment) > head
    ]
    return b"".join(part[2:] for part in sorted(parts, key=lambda part: part[0]))


def _plain_segment(marker: int, segment: bytes, has_profile: bool) -> bytes:
    """Return what stays of a segment."""
    if marker in _SHOWING:
        return segment
    said = segment[4:]
    if marker == _APP0 and said.startswith(b"JFIF\0"):
        if len(said) <= _JFIF_BYTES:
            return segment
        return _segment(marker, said[: _JFIF_BYTES - 2] + b"\0\0")
    if marker == _APP14 and said.startswith(b"Adobe"):
        return segment if len(said) == _ADOBE_BYTES else _segment(marker, said[:_ADOBE_BYTES])
    return segment if has_profile and marker == _APP2 and said.startswith(_ICC) else b""


def _segments(content: bytes) -> Iterator[Segment]:
    """Yield each segment of a JPEG after SOI with its marker, up to EOI. A scan has its data with it.

    Like a browser, pass over bytes that belong to no segment. Raise ValueError.
    """
    at = 2
    while found := _MARKER.search(content, at):
        start, marker = found.end() - 2, content[found.end() - 1]
        if marker in _WITHOUT_LENGTH or marker == _EOI:
            end = start + 2
        else:
            end = start + 2 + int.from_bytes(content[start + 2 : start + 4], "big")
            if end < start + 4:
                raise ValueError("a segment has no length")
        if marker == _SOS:
            after = _AFTER_SCAN.search(content, end)
            end = after.start() if after else len(content)
        yield marker, content[start:end]
        if marker == _EOI:
            return
        at = end


def _segment(marker: int, said: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(said) + 2) + said


# PNG --------------------------------------------------------------------------------------------------------
def _plain_png(content: bytes) -> bytes:
    turned = orientation_of(content)
    parts, end = [_PNG], 0
    for at, name, length in _png_places(content):
        end = at + 12 + length
        chunk = content[at:end]
        if name == b"IEND":
            chunk = chunk if len(chunk) < 12 else _png_chunk(name, b"")
        elif not _is_kept(name, chunk, length):
            continue
        parts.append(chunk)
        if name == b"IHDR" and turned != UPRIGHT:
            parts.append(_png_chunk(b"eXIf", _exif(turned)))
    return b"".join(parts)


def _is_kept(name: bytes, chunk: bytes, length: int) -> bool:
    lengths = _PNG_KEPT.get(name, ())
    if lengths is not None and length not in lengths:
        return False
    if name == b"iCCP" and not _is_profile(_unpacked(chunk[8:-4].partition(b"\0")[2][1:])):
        return False
    ancillary = name[0] & 0x20
    return not ancillary or zlib.crc32(chunk[4:-4]) == int.from_bytes(chunk[-4:], "big")


def _unpacked(packed: bytes) -> bytes:
    """Return the beginning of packed data, or b"" if it is damaged."""
    try:
        return zlib.decompressobj().decompress(packed, _PROFILE_HEAD)
    except zlib.error:
        return b""


def _png_chunks(content: bytes) -> Iterator[Chunk]:
    for at, name, length in _png_places(content):
        yield name, content[at + 8 : at + 8 + length]


def _png_places(content: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield where each chunk of a PNG begins, its name, and the length of its data, up to IEND."""
    at = len(_PNG)
    while at + 8 <= len(content):
        length, name = struct.unpack_from(">I4s", content, at)
        if not name.isalpha():
            raise ValueError("a chunk has no name")
        yield at, name, length
        if name == b"IEND":
            return
        at += 12 + length


def _png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


# WebP -------------------------------------------------------------------------------------------------------
def _plain_webp(content: bytes) -> bytes:
    end = 8 + int.from_bytes(content[4:8], "little")
    if end > len(content) + 1:  # the last byte may only fill up
        raise ValueError("it ends too early")
    chunks = b"".join(_plain_chunk(*chunk) for chunk in _webp_chunks(content[12:end]))
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks


def _plain_chunk(name: bytes, data: bytes) -> bytes:
    """Return what stays of a chunk."""
    if name not in _WEBP_KEPT or (name == b"ICCP" and not _is_profile(data)):
        return b""
    if name == b"VP8X" and data:
        data = bytes([data[0] & ~_WEBP_METADATA]) + data[1:]
    if name == b"ANMF":
        # No frame is in a frame. If it were, each would be copied as often as it lies deep.
        inner = (chunk for chunk in _webp_chunks(data[_FRAME_BYTES:]) if chunk[0] != name)
        data = data[:_FRAME_BYTES] + b"".join(_plain_chunk(*chunk) for chunk in inner)
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _webp_chunks(content: bytes) -> Iterator[Chunk]:
    at = 0
    while at + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, at)
        if at + 8 + length > len(content):
            raise ValueError("it ends too early")
        yield name, content[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


# EXIF -------------------------------------------------------------------------------------------------------
def _orientation(exif: bytes) -> int:
    """Return the orientation in EXIF data, or 1."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return UPRIGHT
    try:
        (at,) = struct.unpack_from(order + "I", exif, 4)
        (count,) = struct.unpack_from(order + "H", exif, at)
        for entry in range(count):
            tag, kind, values, value = struct.unpack_from(order + "HHIH", exif, at + 2 + 12 * entry)
            if (tag, kind, values) == (_ORIENTATION, _SHORT, 1):
                return value if value in range(1, 9) else UPRIGHT
    except struct.error:  # it is cut off
        pass
    return UPRIGHT


def _exif(orientation: int) -> bytes:
    """Return EXIF data of this orientation alone."""
    return b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, _ORIENTATION, _SHORT, 1, orientation, 0, 0)

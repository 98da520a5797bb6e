"""Files of pictures with all that cameras and programs write into them, made piece by piece."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image as Pillow
from PIL import ImageCms

OWNER = b"Jane Doe of 12 Hill Road"
"""It is in every kind of metadata that is made here."""
SIZE = (64, 48)
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">' + OWNER + b"</x:xmpmeta>"


def drawn(size: tuple[int, int] = SIZE, mode: str = "RGB") -> Pillow.Image:
    """Return a picture whose upper left quarter is lighter than the rest."""
    image = Pillow.new("L", size, 40)
    image.paste(220, (0, 0, size[0] // 2, size[1] // 2))
    return image.convert(mode)


def encoded(kind: str = "JPEG", image: Pillow.Image | None = None, **options: Any) -> bytes:
    """Return a picture's file as Pillow writes it."""
    if kind in ("JPEG", "MPO") and "exif" in options:
        options["exif"] = b"Exif\0\0" + options["exif"]
    buffer = BytesIO()
    (image or drawn()).save(buffer, kind, **options)
    return buffer.getvalue()


def entry(tag: int, kind: int, count: int, value: bytes) -> bytes:
    """Return an entry of EXIF data, whose value has at most four bytes or says where it is."""
    return struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")


def exif(*entries: bytes, orientation: int | None = None, values: bytes = b"") -> bytes:
    """Return EXIF data of these entries, without a head. `values` lie behind them, where `place` says."""
    turned = [entry(0x0112, 3, 1, struct.pack("<H", orientation))] if orientation else []
    listed = [*turned, *entries]
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(listed)) + b"".join(listed) + b"\0\0\0\0" + values


def place(entries: int) -> int:
    """Return where the values of EXIF data with so many entries begin."""
    return 8 + 2 + 12 * entries + 4


def owned(orientation: int | None = None) -> bytes:
    """Return EXIF data with an owner and a position."""
    count = 3 if orientation else 2
    owner = entry(0x8298, 2, len(OWNER), struct.pack("<I", place(count)))
    position = entry(0x8825, 4, 1, struct.pack("<I", place(count) + len(OWNER)))
    north = struct.pack("<H", 1) + entry(0x0001, 2, 2, b"N\0") + b"\0\0\0\0"
    return exif(owner, position, orientation=orientation, values=OWNER + north)


def segment(marker: int, said: bytes) -> bytes:
    """Return a segment of a JPEG."""
    return struct.pack(">BBH", 0xFF, marker, len(said) + 2) + said


def jpeg_with(*segments: bytes, jpeg: bytes | None = None) -> bytes:
    """Return a JPEG with these segments after its first one (JFIF)."""
    jpeg = jpeg or encoded()
    first = 4 + int.from_bytes(jpeg[4:6], "big")
    return jpeg[:first] + b"".join(segments) + jpeg[first:]


def exif_segment(data: bytes) -> bytes:
    """Return the segment of a JPEG with EXIF data."""
    return segment(0xE1, b"Exif\0\0" + data)


def png_chunk(name: bytes, data: bytes, *, wrong: bool = False) -> bytes:
    """Return a chunk of a PNG, with a wrong checksum if asked."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data) ^ wrong)


def png_with(*chunks: bytes, png: bytes | None = None) -> bytes:
    """Return a PNG with these chunks after its header."""
    png = png or encoded("PNG")
    return png[:33] + b"".join(chunks) + png[33:]


def png_ending_with(*chunks: bytes) -> bytes:
    """Return a PNG with these chunks after its pixels."""
    png = encoded("PNG")
    return png[:-12] + b"".join(chunks) + png[-12:]


def webp_chunk(name: bytes, data: bytes) -> bytes:
    """Return a chunk of a WebP."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def webp_with(*chunks: bytes, webp: bytes | None = None) -> bytes:
    """Return a WebP with these chunks at its end."""
    webp = (webp or encoded("WEBP", lossless=True)) + b"".join(chunks)
    return webp[:4] + struct.pack("<I", len(webp) - 8) + webp[8:]


def grey_16(orientation: int = 1, *, colour: bool = False) -> bytes:
    """Return a PNG of 16 bits a colour, grey unless `colour`."""
    width, height = SIZE
    channels = 3 if colour else 1
    rows = b"".join(
        b"\0" + b"".join(struct.pack(">H", 257 * x + y) * channels for x in range(width))
        for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 16, 2 if colour else 0, 0, 0, 0)
    parts = [png_chunk(b"IHDR", header)]
    if orientation != 1:
        parts.append(png_chunk(b"eXIf", exif(orientation=orientation)))
    parts += [png_chunk(b"IDAT", zlib.compress(rows)), png_chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def moving(kind: str, orientation: int | None = None) -> bytes:
    """Return a moving picture of two frames."""
    first, second = drawn(), drawn().transpose(Pillow.Transpose.FLIP_LEFT_RIGHT)
    options: dict[str, Any] = {"exif": exif(orientation=orientation)} if orientation else {}
    return encoded(kind, first, save_all=True, append_images=[second], duration=100, **options)

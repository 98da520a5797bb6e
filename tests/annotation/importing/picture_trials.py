"""Files of pictures as programs write and damage them, and what an import does with each."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from PIL import Image as Pillow

from annotation.importing.picture_files import PictureError
from annotation.importing.pictures import check_picture
from tests.annotation.picture_files_made import (
    OWNER,
    PROFILE,
    XMP,
    drawn,
    encoded,
    entry,
    exif,
    exif_segment,
    grey_16,
    jpeg_with,
    moving,
    owned,
    png_chunk,
    png_ending_with,
    png_with,
    segment,
    webp_chunk,
    webp_with,
)

ACCEPTED, STRIPPED, ENDED, TURNED = (
    "accepted as it is",
    "accepted without its metadata",
    "accepted, with the end marker that it lacks",
    "turned upright",
)
RESULTS = (ACCEPTED, STRIPPED, ENDED, TURNED)
"""The results of files that are used."""


@dataclass(frozen=True)
class Trial:
    """A file, and what becomes of it: one of the results above, or the text of the problem."""

    kind: str
    content: bytes
    result: str


JPEG, PNG, WEBP = encoded(), encoded("PNG"), encoded("WEBP", lossless=True)
LARGE = encoded(image=Pillow.effect_noise((400, 300), 60))
PROGRESSIVE = encoded(image=Pillow.effect_noise((400, 300), 60), progressive=True)
TURNING = png_chunk(b"eXIf", exif(orientation=6))
XMP_TURNING = XMP.replace(OWNER, b"tiff:Orientation='6'")
MODES = ("1", "L", "LA", "P", "RGBA")


def packed(text: bytes) -> bytes:
    """Return the data of a packed text of a PNG."""
    return b"Author\0\0" + zlib.compress(text)


def odd_exif(tag: int, kind: int, count: int, value: bytes) -> bytes:
    """Return a JPEG that EXIF data turns, with one more entry in it."""
    return jpeg_with(exif_segment(exif(entry(tag, kind, count, value), orientation=6)))


def fraction(tag: int, kind: int, above: int, below: int) -> bytes:
    """Return a JPEG that EXIF data turns, with a fraction in it."""
    at = struct.pack("<I", 8 + 2 + 2 * 12 + 4)
    value = struct.pack("<ii", above, below)
    return jpeg_with(exif_segment(exif(entry(tag, kind, 1, at), orientation=6, values=value)))


TRIALS = [
    Trial("JPEG", JPEG, ACCEPTED),
    Trial("JPEG, progressive", PROGRESSIVE, ACCEPTED),
    Trial("JPEG, grey", encoded(image=drawn(mode="L")), ACCEPTED),
    Trial("JPEG, CMYK", encoded(image=drawn(mode="CMYK")), ACCEPTED),
    Trial("JPEG with a colour profile", encoded(icc_profile=PROFILE), ACCEPTED),
    Trial("JPEG with position and owner", jpeg_with(exif_segment(owned())), STRIPPED),
    Trial("JPEG with XMP", jpeg_with(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP)), STRIPPED),
    Trial("JPEG with IPTC", jpeg_with(segment(0xED, b"Photoshop 3.0\0" + OWNER)), STRIPPED),
    Trial("JPEG with a comment", jpeg_with(segment(0xFE, OWNER)), STRIPPED),
    Trial("JPEG with a preview after it", JPEG + JPEG, STRIPPED),
    Trial("JPEG with a film after it", JPEG + b"\0\0\0\x18ftypmp42" + OWNER, STRIPPED),
    Trial("JPEG with zeros after it", JPEG + bytes(512), STRIPPED),
    Trial("JPEG with bytes between segments", JPEG[:20] + b"\0\0" + JPEG[20:], STRIPPED),
    Trial("JPEG of a camera (MPO)", encoded("MPO", save_all=True, append_images=[drawn()]), STRIPPED),
    *(Trial(f"JPEG, EXIF orientation {n}", encoded(exif=exif(orientation=n)), TURNED) for n in range(2, 9)),
    Trial("JPEG, EXIF orientation 9", encoded(exif=exif(orientation=9)), STRIPPED),
    Trial("JPEG, orientation in XMP alone",
          jpeg_with(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP_TURNING)), STRIPPED),
    Trial("JPEG turned, XResolution as text", odd_exif(0x011A, 2, 3, b"72\0"), TURNED),
    Trial("JPEG turned, XResolution as a byte", odd_exif(0x011A, 1, 1, b"\x48"), TURNED),
    Trial("JPEG turned, XResolution undefined", odd_exif(0x011A, 7, 4, b"72  "), TURNED),
    Trial("JPEG turned, Make as a fraction", fraction(0x010F, 5, 1, 1), TURNED),
    Trial("JPEG turned, a fraction by zero", fraction(0x829A, 5, 1, 0), TURNED),
    Trial("JPEG turned, a signed fraction by zero", fraction(0x9204, 10, -2, 0), TURNED),
    Trial("JPEG turned, an unknown kind of value", odd_exif(0x010F, 99, 1, b"\1"), TURNED),
    Trial("JPEG turned, a value outside of the data", odd_exif(0x010F, 2, 99, b"\xff\xff\xff\x7f"), TURNED),
    Trial("JPEG, EXIF cut off", jpeg_with(exif_segment(exif(orientation=6)[:12])), STRIPPED),
    Trial("JPEG, EXIF is nonsense", jpeg_with(exif_segment(b"nonsense")), STRIPPED),
    Trial("JPEG without an end marker", JPEG[:-2], ENDED),
    Trial("JPEG with half an end marker", JPEG[:-1], ENDED),
    Trial("JPEG, progressive, without an end marker", PROGRESSIVE[:-2], ENDED),
    Trial("JPEG, zeros for its end marker", JPEG[:-2] + bytes(64), ENDED),
    Trial("JPEG, half of it", LARGE[: len(LARGE) // 2], "is damaged: it ends too early (get it again)"),
    Trial("JPEG, half of it, progressive", PROGRESSIVE[: len(PROGRESSIVE) // 2],
          "is damaged: it ends too early (get it again)"),
    Trial("JPEG, its beginning alone", JPEG[:3], "is not a JPEG, PNG or WebP (convert it)"),
    Trial("JPEG without pixels", JPEG[:20] + b"\xff\xd9", "is not a JPEG, PNG or WebP (convert it)"),
    Trial("JPEG, a segment without a length", b"\xff\xd8\xff\xe1\0\0" + JPEG[2:],
          "is damaged: a segment has no length (get it again)"),
    Trial("PNG", PNG, ACCEPTED),
    *(Trial(f"PNG, mode {mode}", encoded("PNG", drawn(mode=mode)), ACCEPTED) for mode in MODES),
    Trial("PNG, 16 bits grey", grey_16(), ACCEPTED),
    Trial("PNG, 16 bits a colour", grey_16(colour=True), ACCEPTED),
    Trial("PNG, moving", moving("PNG"), ACCEPTED),
    Trial("PNG with texts", png_with(png_chunk(b"tEXt", b"Author\0" + OWNER)), STRIPPED),
    Trial("PNG with packed texts", png_with(png_chunk(b"zTXt", packed(OWNER))), STRIPPED),
    Trial("PNG, a text swells", png_with(png_chunk(b"zTXt", packed(bytes(80_000_000)))), STRIPPED),
    Trial("PNG, wrong checksum of a text", png_with(png_chunk(b"tEXt", b"a\0b", wrong=True)), STRIPPED),
    Trial("PNG, wrong checksum of its gamma", png_with(png_chunk(b"gAMA", b"\0\0\0\1", wrong=True)),
          STRIPPED),
    Trial("PNG, wrong checksum of its header", PNG[:29] + bytes(4) + PNG[33:],
          "is not a JPEG, PNG or WebP (convert it)"),
    Trial("PNG with bytes after it", PNG + OWNER, STRIPPED),
    Trial("PNG turned", png_with(TURNING), TURNED),
    Trial("PNG turned, with gamma", png_with(png_chunk(b"gAMA", b"\0\1\x86\xa0"), TURNING), TURNED),
    Trial("PNG turned, 16 bits grey", grey_16(6), TURNED),
    Trial("PNG turned, 16 bits a colour", grey_16(6, colour=True),
          "has 16 bits a colour, which would be lost when it is turned as its EXIF data says "
          "(turn it in a program for pictures)"),
    Trial("PNG turned, moving", moving("PNG", 6),
          "has several frames, which would be lost when it is turned as its EXIF data says "
          "(turn it in a program for pictures)"),
    Trial("PNG, EXIF after its pixels", png_ending_with(TURNING), STRIPPED),
    Trial("PNG, half of it", encoded("PNG", Pillow.effect_noise((100, 100), 60))[:4000],
          "is damaged: image file is truncated (get it again)"),
    Trial("WebP", encoded("WEBP"), ACCEPTED),
    Trial("WebP without loss", WEBP, ACCEPTED),
    Trial("WebP with transparency", encoded("WEBP", drawn(mode="RGBA")), ACCEPTED),
    Trial("WebP with a colour profile", encoded("WEBP", icc_profile=PROFILE), ACCEPTED),
    Trial("WebP, moving", moving("WEBP"), ACCEPTED),
    Trial("WebP with position and owner", encoded("WEBP", exif=owned()), STRIPPED),
    Trial("WebP with XMP", encoded("WEBP", xmp=XMP), STRIPPED),
    Trial("WebP with chunks of a program", webp_with(webp_chunk(b"OWNR", OWNER)), STRIPPED),
    Trial("WebP with bytes after it", WEBP + OWNER, STRIPPED),
    Trial("WebP, EXIF orientation 6, which browsers pass over",
          encoded("WEBP", exif=exif(orientation=6)), STRIPPED),
    Trial("WebP, moving, EXIF orientation 6", moving("WEBP", 6), STRIPPED),
    Trial("WebP, half of it", WEBP[: len(WEBP) // 2], "is damaged: it ends too early (get it again)"),
    Trial("an empty file", b"", "is empty (get it again)"),
    Trial("GIF", encoded("GIF"), "is not a JPEG, PNG or WebP (convert it)"),
    Trial("TIFF", encoded("TIFF"), "is not a JPEG, PNG or WebP (convert it)"),
    Trial("BMP", encoded("BMP"), "is not a JPEG, PNG or WebP (convert it)"),
    Trial("HEIC", b"\0\0\0\x18ftypheic" + bytes(100), "is not a JPEG, PNG or WebP (convert it)"),
    Trial("SVG", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a JPEG, PNG or WebP (convert it)"),
    Trial("a web page", b"<!doctype html><p>Sign in", "is not a JPEG, PNG or WebP (convert it)"),
    Trial("zeros", bytes(1000), "is not a JPEG, PNG or WebP (convert it)"),
]  # fmt: skip


def result_of(trial: Trial) -> str:
    """Return what an import does with the file."""
    try:
        content = check_picture(Path("a.jpg"), trial.content)[0]
    except PictureError as error:
        return f"{error} ({error.hint})"
    if content == trial.content:
        return ACCEPTED
    if content.endswith(b"\xff\xd9") and b"\xff\xd9" not in trial.content:
        return ENDED
    # The end of the pixels, before the last chunk of a PNG.
    return STRIPPED if content[-40:-14] in trial.content else TURNED

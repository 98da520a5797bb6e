"""Nothing that a file says of itself is left, its pixels and colours stay, and nothing is encoded anew."""

from __future__ import annotations

import struct
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from annotation.picture_parts import orientation_of, without_metadata
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

JPEG, PNG, WEBP = encoded(), encoded("PNG"), encoded("WEBP", lossless=True)
PREVIEW = jpeg_with(segment(0xFE, OWNER))
SAYING = {
    "jpeg exif": jpeg_with(exif_segment(owned())),
    "jpeg exif twice": jpeg_with(exif_segment(owned()), exif_segment(owned())),
    "jpeg xmp": jpeg_with(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP)),
    "jpeg iptc": jpeg_with(segment(0xED, b"Photoshop 3.0\x008BIM\x04\x04" + OWNER)),
    "jpeg comment": jpeg_with(segment(0xFE, OWNER)),
    "jpeg of a maker": jpeg_with(segment(0xE5, OWNER), segment(0xEC, b"Ducky" + OWNER)),
    "jpeg jfif preview": jpeg_with(segment(0xE0, b"JFXX\0\x13\x01\x01" + OWNER)),
    "jpeg thumbnail in jfif": JPEG[:2] + segment(0xE0, JPEG[6:18] + b"\x02\x04" + OWNER) + JPEG[20:],
    "jpeg flashpix": jpeg_with(segment(0xE2, b"FPXR\0" + OWNER)),
    "jpeg more after adobe": jpeg_with(segment(0xEE, b"Adobe\0\x64\0\0\0\0\x01" + OWNER)),
    "jpeg second picture": JPEG + PREVIEW,
    "jpeg motion photo": JPEG + b"\0\0\0\x18ftypmp42" + OWNER,
    "jpeg bytes between": JPEG[:20] + b"\0\0" + OWNER + JPEG[20:],
    "jpeg progressive": jpeg_with(exif_segment(owned()), jpeg=encoded(progressive=True)),
    "jpeg comment between scans": encoded(progressive=True).replace(
        b"\xff\xda", segment(0xFE, OWNER) + b"\xff\xda"
    ),
    "jpeg number of lines": JPEG[:-2] + segment(0xDC, b"\0\x30" + OWNER) + JPEG[-2:],
    "jpeg reserved markers": jpeg_with(segment(0xF3, OWNER), segment(0xDE, OWNER), segment(0xC8, OWNER)),
    "jpeg no profile": jpeg_with(segment(0xE2, b"ICC_PROFILE\0\1\1" + OWNER)),
    "jpeg no profile in two parts": jpeg_with(
        segment(0xE2, b"ICC_PROFILE\0\2\2" + OWNER), segment(0xE2, b"ICC_PROFILE\0\1\2" + bytes(36))
    ),
    "jpeg profile without a number": jpeg_with(segment(0xE2, b"ICC_PROFILE\0"), segment(0xFE, OWNER)),
    **{
        f"png {name.decode()} of another length": png_with(png_chunk(name, OWNER + b"."))
        for name in (b"pHYs", b"bKGD", b"sBIT", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"mDCV", b"cLLI", b"acTL")
    },
    "png no profile": png_with(png_chunk(b"iCCP", OWNER)),
    "png critical chunk": png_with(png_chunk(b"OWNR", OWNER)),
    "png end with data": PNG[:-12] + png_chunk(b"IEND", OWNER),
    "webp no profile": webp_with(webp_chunk(b"ICCP", OWNER)),
    "png text": png_with(png_chunk(b"tEXt", b"Author\0" + OWNER)),
    "png packed text": png_with(
        png_chunk(b"zTXt", b"Author\0\0" + zlib.compress(OWNER)), png_chunk(b"iTXt", OWNER)
    ),
    "png xmp": png_with(png_chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP)),
    "png exif": png_with(png_chunk(b"eXIf", owned())),
    "png exif at the end": png_ending_with(png_chunk(b"eXIf", owned())),
    "png time": png_with(png_chunk(b"tIME", b"\x07\xe9\1\2\3\4\5"), png_chunk(b"tEXt", OWNER)),
    "png of a program": png_with(png_chunk(b"prVW", OWNER), png_chunk(b"caBX", OWNER)),
    "png wrong checksum": png_with(png_chunk(b"tEXt", b"Author\0" + OWNER, wrong=True)),
    "png more after it": PNG + OWNER,
    "webp exif": encoded("WEBP", lossless=True, exif=owned()),
    "webp xmp": encoded("WEBP", lossless=True, xmp=XMP),
    "webp of a program": webp_with(webp_chunk(b"OWNR", OWNER)),
    "webp more after it": WEBP + OWNER,
    "webp moving": encoded("WEBP", save_all=True, append_images=[drawn()], exif=owned(), lossless=True),
}  # fmt: skip


def frames(content: bytes) -> list[bytes]:
    """Return the pixels of each frame."""
    found = []
    with Pillow.open(BytesIO(content)) as image:
        for number in range(1 if image.format == "MPO" else getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append(image.mode.encode() + image.tobytes())
    return found


@pytest.mark.parametrize("name", SAYING)
def test_nothing_that_a_file_says_is_left_and_the_pixels_are_the_same(name: str) -> None:
    content = SAYING[name]
    assert OWNER in content or b"zTXt" in content
    plain = without_metadata(content)
    assert OWNER not in plain and b"Exif" not in plain and b"tIME" not in plain and b"zTXt" not in plain
    # Pillow reads these only without what they say.
    unread = {
        "jpeg reserved markers": JPEG,
        "jpeg profile without a number": JPEG,
        **dict.fromkeys((f"png {name} of another length" for name in ("cHRM", "acTL")), PNG),
        "png no profile": PNG,
        "png wrong checksum": PNG,
        "jpeg bytes between": JPEG,
        "jpeg comment between scans": encoded(progressive=True),
    }
    assert frames(plain) == frames(unread.get(name, content))
    assert without_metadata(plain) == plain, "a second time changes nothing"


@pytest.mark.parametrize(
    "content",
    [
        *(JPEG, PNG, WEBP, encoded(progressive=True), encoded(icc_profile=PROFILE)),
        *(encoded("JPEG", drawn(mode="CMYK")), encoded("JPEG", drawn(mode="L")), encoded("WEBP")),
        *(encoded("PNG", icc_profile=PROFILE), encoded("WEBP", icc_profile=PROFILE)),
        *(grey_16(), grey_16(colour=True), encoded("PNG", drawn(mode="P"))),
        *(moving("PNG"), moving("WEBP"), encoded("PNG", drawn(mode="L"), transparency=40), b"GIF89a", b""),
        png_with(png_chunk(b"gAMA", b"\0\0\xb1\x8f"), png_chunk(b"pHYs", struct.pack(">IIB", 1, 1, 1))),
    ],
)  # fmt: skip
def test_a_file_that_says_nothing_stays_byte_for_byte(content: bytes) -> None:
    assert without_metadata(content) == content


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_colour_profile_stays(kind: str) -> None:
    plain = without_metadata(encoded(kind, exif=owned(), icc_profile=PROFILE))
    with Pillow.open(BytesIO(plain)) as image:
        assert image.info["icc_profile"] == PROFILE and OWNER not in plain


def test_a_profile_in_parts_stays() -> None:
    """The parts have numbers, and may come in any order."""
    parts = [(2, PROFILE[20:]), (1, PROFILE[:20])]
    content = jpeg_with(*(segment(0xE2, b"ICC_PROFILE\0" + bytes([n, 2]) + part) for n, part in parts))
    assert without_metadata(content) == content


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_the_orientation_alone_stays_of_exif_data(kind: str, orientation: int) -> None:
    content = encoded(kind, exif=owned(orientation))
    plain = without_metadata(content)
    assert orientation_of(content) == orientation_of(plain) == orientation and OWNER not in plain
    with Pillow.open(BytesIO(plain)) as image:
        assert dict(image.getexif()) == ({} if orientation == 1 else {0x0112: orientation})


SIX = exif(orientation=6)
XMP_SIX = XMP.replace(OWNER, b'<rdf:Description tiff:Orientation="6"/>')
PROFILE_TEXT = b"Raw profile type exif\0\0" + zlib.compress(b"\nexif\n%8d\n" % len(SIX) + SIX.hex().encode())


@pytest.mark.parametrize(
    ("content", "orientation"),
    [
        (jpeg_with(exif_segment(SIX)), 6),
        (jpeg_with(exif_segment(b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0")), 6),
        (jpeg_with(exif_segment(exif(orientation=9))), 1),
        (jpeg_with(exif_segment(exif(entry(0x0112, 4, 1, b"\x06")))), 1),
        (jpeg_with(exif_segment(SIX[:16])), 1),
        (jpeg_with(exif_segment(b"nonsense")), 1),
        (jpeg_with(exif_segment(b"")), 1),
        (jpeg_with(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP_SIX)), 1),
        (png_with(png_chunk(b"eXIf", SIX)), 6),
        (png_ending_with(png_chunk(b"eXIf", SIX)), 1),
        (png_with(png_chunk(b"zTXt", PROFILE_TEXT)), 1),
        (encoded("WEBP", exif=SIX), 1),
        (b"GIF89a", 1),
        (b"\xff\xd8\xff\xe1\0\0", 1),
        (b"\x89PNG\r\n\x1a\n\0\0\0\0????", 1),
    ],
)
def test_pictures_are_turned_as_chromium_turns_them(content: bytes, orientation: int) -> None:
    """Tried in Chromium 156: it turns a JPEG, and a PNG whose eXIf comes before its pixels."""
    assert orientation_of(content) == orientation


@pytest.mark.parametrize(
    "content",
    [
        *(b"\xff\xd8\xff\xe1\0\0abc", b"\x89PNG\r\n\x1a\n\0\0\0\1????"),
        *(WEBP[:-4], WEBP[:12] + b"VP8L\xff\xff\xff\xff"),
    ],
)
def test_a_damaged_file_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"segment|chunk|too early"):
        without_metadata(content)


def nested(depth: int) -> bytes:
    """Return a WebP with frames in frames."""
    frame = b""
    for _ in range(depth):
        frame = webp_chunk(b"ANMF", bytes(16) + frame)
    return webp_with(frame)


@pytest.mark.parametrize(
    "made",
    [
        lambda size: JPEG[:20] + b"\xff" * size + b"\0" + JPEG[20:],
        lambda size: JPEG[:-2] + b"\xff" * size,
        lambda size: JPEG[:-2] + b"\xff\0" * (size // 2),
        lambda size: PNG[:33] + bytes(size),
        lambda size: nested(size // 24),
    ],
    ids=["run before 00", "run at the end", "scan", "zeros in a png", "frames in frames"],
)
def test_time_grows_with_the_size_of_a_file_alone(made: Callable[[int], bytes]) -> None:
    """Eight times the bytes take 64 times as long, some minutes here, if each byte is read from each."""

    def seconds(content: bytes) -> float:
        begun = time.process_time()
        with suppress(ValueError):
            without_metadata(content)
        return time.process_time() - begun

    short, long = made(10_000), made(80_000)
    assert min(seconds(long) for _ in range(3)) < 20 * min(seconds(short) for _ in range(3)) + 0.1


@given(st.sampled_from([JPEG, PNG, WEBP]), st.integers(0, 300), st.binary(max_size=20))
def test_whatever_is_wrong_with_a_file_is_a_value_error(content: bytes, at: int, noise: bytes) -> None:
    broken = content[:at] + noise + content[at + len(noise) :]
    try:
        plain = without_metadata(broken)
    except ValueError:
        return
    assert without_metadata(plain) == plain and len(plain) <= len(broken) + 40

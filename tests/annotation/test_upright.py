"""Pictures that EXIF data turns are encoded anew as browsers show them, and lose as little as possible."""

from __future__ import annotations

import struct
from io import BytesIO

import pytest
from PIL import Image as Pillow

from annotation.upright import CannotTurn, is_turned, turned_upright
from tests.annotation.picture_files_made import (
    OWNER,
    PROFILE,
    drawn,
    encoded,
    exif,
    grey_16,
    moving,
    owned,
    png_chunk,
    png_with,
)

GAMMA = png_chunk(b"gAMA", struct.pack(">I", 100_000))
TURNING = png_chunk(b"eXIf", exif(orientation=6))


def turn(content: bytes) -> Pillow.Image:
    """Return the picture as it is stored."""
    with Pillow.open(BytesIO(content)) as image:
        made, *size = turned_upright(image, content)
    turned = Pillow.open(BytesIO(made))
    assert list(turned.size) == size
    return turned


@pytest.mark.parametrize(
    ("orientation", "turned"),
    [(None, False), (0, False), (1, False), (9, False), (2, True), (6, True), (8, True)],
)
def test_only_what_exif_turns_is_turned(orientation: int | None, turned: bool) -> None:
    content = encoded(exif=exif(orientation=orientation))
    assert is_turned(content) == turned


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_turned_picture_has_no_metadata_and_its_upright_size(kind: str) -> None:
    content = encoded(kind, exif=owned(6), comment=OWNER)
    with Pillow.open(BytesIO(content)) as image:
        made, width, height = turned_upright(image, content)
    assert (width, height) == (48, 64) and OWNER not in made
    with Pillow.open(BytesIO(made)) as picture:
        assert (picture.format, picture.size, dict(picture.getexif())) == (kind, (48, 64), {})
        right, left = (picture.convert("L").getpixel((x, 5)) for x in (40, 5))
    assert isinstance(right, int) and isinstance(left, int) and right > 200 > 60 > left


def test_the_first_picture_of_a_camera_with_previews_is_turned() -> None:
    preview = drawn((16, 12))
    content = encoded("MPO", exif=exif(orientation=6), save_all=True, append_images=[preview])
    turned = turn(content)
    assert (turned.format, turned.size, getattr(turned, "n_frames", 1)) == ("JPEG", (48, 64), 1)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_turned_picture_keeps_its_colour_profile(kind: str) -> None:
    assert turn(encoded(kind, exif=exif(orientation=6), icc_profile=PROFILE)).info["icc_profile"] == PROFILE


def test_a_turned_png_keeps_its_gamma() -> None:
    assert turn(png_with(GAMMA, TURNING)).info["gamma"] == 1.0


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "1", "L"])
def test_a_turned_png_keeps_its_kind_of_pixels(mode: str) -> None:
    image = drawn(mode=mode)
    turned = turn(encoded("PNG", image, exif=exif(orientation=6)))
    assert turned.mode == mode
    assert turned.convert("RGBA").tobytes() == image.convert("RGBA").transpose(
        Pillow.Transpose.ROTATE_270
    ).tobytes()  # fmt: skip


def test_a_turned_grey_png_keeps_its_16_bits() -> None:
    turned = turn(grey_16(6))
    assert turned.mode == "I;16" and turned.getpixel((47, 5)) == 257 * 5


@pytest.mark.parametrize(
    ("content", "says"),
    [(grey_16(6, colour=True), "has 16 bits a colour"), (moving("PNG", 6), "has several frames")],
)
def test_what_would_be_lost_is_said(content: bytes, says: str) -> None:
    with Pillow.open(BytesIO(content)) as image, pytest.raises(CannotTurn, match=says):
        turned_upright(image, content)

"""Pictures that EXIF data turns are encoded anew as they are shown."""

from __future__ import annotations

from io import BytesIO

import PIL.Image
import pytest

from annotation.upright import is_turned, turned_upright


def opened(kind: str, orientation: int | None) -> PIL.Image.Image:
    """Return a picture of 40 × 30 pixels, whose upper left quarter is red as it lies in its file."""
    picture = PIL.Image.new("RGB", (40, 30), "blue")
    picture.paste("red", (0, 0, 20, 15))
    exif = PIL.Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    buffer = BytesIO()
    picture.save(
        buffer, kind, exif=exif, **({"save_all": True, "append_images": [picture]} if kind == "MPO" else {})
    )
    return PIL.Image.open(BytesIO(buffer.getvalue()))


@pytest.mark.parametrize(
    ("orientation", "turned"),
    [(None, False), (0, False), (1, False), (9, False), (2, True), (6, True), (8, True)],
)
def test_only_what_exif_turns_is_turned(orientation: int | None, turned: bool) -> None:
    assert is_turned(opened("JPEG", orientation)) == turned


@pytest.mark.parametrize(
    ("kind", "becomes"), [("JPEG", "JPEG"), ("MPO", "JPEG"), ("PNG", "PNG"), ("WEBP", "WEBP")]
)
def test_a_turned_picture_has_no_exif_and_its_upright_size(kind: str, becomes: str) -> None:
    content, width, height = turned_upright(opened(kind, 6))
    assert (width, height) == (30, 40)
    with PIL.Image.open(BytesIO(content)) as picture:
        assert (picture.format, picture.size, dict(picture.getexif())) == (becomes, (30, 40), {})
        right, left = (picture.convert("RGB").getpixel((x, 5)) for x in (25, 5))
    assert right[0] > 200 > 60 > right[2] and left[2] > 200 > 60 > left[0]  # type: ignore[index]

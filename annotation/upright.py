"""Pictures turned upright as their EXIF data says, since many programs open them as they lie in the file."""

from __future__ import annotations

from io import BytesIO

import PIL.Image
from PIL import ImageOps

KINDS = {"JPEG": "JPEG", "PNG": "PNG", "WEBP": "WEBP", "MPO": "JPEG"}
"""The formats of pictures, by Pillow's names. An MPO is a JPEG of a camera, with a preview after it."""
_ORIENTATION = 0x0112  # EXIF tag; 1 is upright
# A picture is encoded again only to turn it upright. As little as possible should be lost by that.
_ENCODING: dict[str, dict[str, object]] = {
    "JPEG": {"quality": 95, "subsampling": 0},
    "PNG": {},
    "WEBP": {"lossless": True},
}


def is_turned(image: PIL.Image.Image) -> bool:
    """Return whether an opened picture lies in its file otherwise than it is shown."""
    return image.getexif().get(_ORIENTATION, 1) in range(2, 9)


def turned_upright(image: PIL.Image.Image) -> tuple[bytes, int, int]:
    """Encode an opened picture anew, upright. Return its bytes, and its width and height in pixels.

    EXIF data is left out, since its orientation and thumbnail no longer hold.
    """
    kind = KINDS[image.format or ""]
    upright = ImageOps.exif_transpose(image)
    buffer = BytesIO()
    upright.save(buffer, kind, icc_profile=upright.info.get("icc_profile"), **_ENCODING[kind])
    return buffer.getvalue(), upright.width, upright.height

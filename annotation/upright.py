"""Pictures turned upright as EXIF data says, since many programs open them as they lie in the file.

They lie as browsers show them: `orientation_of` says what browsers read.
"""

from __future__ import annotations

from io import BytesIO

import PIL.Image
from PIL.Image import Transpose

from annotation.picture_parts import (
    UPRIGHT,
    orientation_of,
    png_colours,
    png_depth,
    with_png_chunks,
    without_metadata,
)

KINDS = {"JPEG": "JPEG", "PNG": "PNG", "WEBP": "WEBP", "MPO": "JPEG"}
"""The formats of pictures, by Pillow's names. An MPO is a JPEG of a camera, with a preview after it."""
_TURNS = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
# A picture is encoded again only to turn it upright. As little as possible should be lost by that.
_ENCODING: dict[str, dict[str, object]] = {"JPEG": {"quality": 95, "subsampling": 0}, "PNG": {}}


class CannotTurn(ValueError):
    """A picture would lose something if it was turned. The message says what."""


def is_turned(content: bytes) -> bool:
    """Return whether the file of a picture is shown otherwise than it lies there."""
    return orientation_of(content) != UPRIGHT


def upright(image: PIL.Image.Image, content: bytes) -> PIL.Image.Image:
    """Return an opened picture as browsers show its file. It is decoded then, and the file may be closed."""
    image.load()
    turn = _TURNS.get(orientation_of(content))
    return image if turn is None else image.transpose(turn)


def turned_upright(image: PIL.Image.Image, content: bytes) -> tuple[bytes, int, int]:
    """Encode an opened picture anew, upright. Return its bytes, and its width and height in pixels.

    `content` is its file. Its colours stay, and its metadata does not. Raise CannotTurn for a moving picture,
    and for one with more bits a colour than are encoded.
    """
    kind = KINDS[image.format or ""]
    if kind == "PNG":
        depth, grey = png_depth(content)
        if depth > 8 and not grey:
            raise CannotTurn(f"has {depth} bits a colour")
        if getattr(image, "is_animated", False):
            raise CannotTurn("has several frames")
    shown = upright(image, content)
    buffer = BytesIO()
    shown.save(buffer, kind, icc_profile=image.info.get("icc_profile"), **_ENCODING[kind])
    turned = without_metadata(buffer.getvalue())
    if kind == "PNG":
        turned = with_png_chunks(turned, png_colours(content))
    return turned, shown.width, shown.height

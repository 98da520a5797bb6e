"""Pictures for reports, made small. This needs Pillow: `pip install "groundcrew-evaluation[pictures]"`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from evaluation.errors import InputError
from evaluation.report.model import Outline, Picture

SIDE = 480
"""The longer side of a picture in a report, in pixels."""
SUFFIXES = ("", ".jpg", ".jpeg", ".png", ".webp")
MAX_PIXELS = 100_000_000
ORIENTATION = 0x0112
"""The number of the EXIF field that says how a picture is turned: from 5, sides are exchanged."""


def find_image(folder: Path, name: str) -> Path | None:
    """Return the file of an image in a folder, also if it has another suffix there, or None.

    A name that is no plain file name finds nothing.
    """
    if "/" in name or "\\" in name or name in ("", ".", ".."):
        return None
    stem = name.rpartition(".")[0] or name
    for candidate in (name, *(stem + suffix for suffix in SUFFIXES)):
        if (folder / candidate).is_file():
            return folder / candidate
    return None


def check_pictures(folder: Path) -> None:
    """Raise InputError if there is no such folder, or if Pillow is not installed."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder of images")
    try:
        import PIL.Image  # noqa: F401
    except ImportError as error:
        raise InputError("--images needs Pillow: pip install Pillow") from error


def picture(path: Path, size: tuple[int, int], outlines: Sequence[Outline], title: str, text: str) -> Picture:
    """Return a small copy of an image, turned upright, with these outlines on it.

    `size` is the width and height to which the outlines refer, or zeros for those of the file. Raise
    InputError if the file is no image that can be read.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                raise InputError(f"{path} has more than {MAX_PIXELS:,} pixels")
            own = opened.size[::-1] if opened.getexif().get(ORIENTATION, 1) >= 5 else opened.size
            opened.draft("RGB", (SIDE * 2, SIDE * 2))
            upright = ImageOps.exif_transpose(opened).convert("RGB")
            upright.thumbnail((SIDE, SIDE))
            out = io.BytesIO()
            upright.save(out, "JPEG", quality=80)
    except InputError:
        raise
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError(f"{path} cannot be read as an image: {error}") from error
    return Picture(out.getvalue(), *(size if all(size) else own), tuple(outlines), title, text)

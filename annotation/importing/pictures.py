"""Image files: found in one folder, checked by decoding them, turned upright, and put into the storage."""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath

import PIL.Image
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import ImageOps

from annotation.formats.base import check_name

SUFFIXES = {"JPEG": (".jpg", ".jpeg"), "PNG": (".png",), "WEBP": (".webp",)}
_FORMATS = {
    **{name: name for name in SUFFIXES},
    "MPO": "JPEG",
}  # MPO: a JPEG of a camera, with a preview after it
_ORIENTATION = 0x0112  # EXIF tag; 1 is upright
warnings.simplefilter("error", PIL.Image.DecompressionBombWarning)  # below twice the limit Pillow only warns
_MAX_FILE_NAME = 255  # bytes, on every usual file system
# Re-encoding happens only to turn a picture upright: as little as possible may be lost by it.
_ENCODING: dict[str, dict[str, object]] = {
    "JPEG": {"quality": 95, "subsampling": 0},
    "PNG": {},
    "WEBP": {"lossless": True},
}


class PictureError(Exception):
    """A picture that cannot be used; says why, what to do, and which file (None: there is none)."""

    def __init__(self, message: str, hint: str = "", path: Path | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.path = path


@dataclass(frozen=True, slots=True)
class Picture:
    """A file in the storage ("" when it was only checked); width and height in pixels, upright."""

    path: str
    width: int
    height: int


def find(folder: Path, name: str) -> Path:
    """The file of that name in `folder`, or with an image's suffix after the name or instead of its suffix.

    Never a path outside `folder`, not through a link either. Raises PictureError.
    """
    if wrong := check_name(name):
        raise PictureError(wrong)
    endings = [suffix for suffixes in SUFFIXES.values() for suffix in suffixes]
    candidates = [name, *(name + ending for ending in endings), *(Path(name).stem + end for end in endings)]
    for candidate in candidates:
        path = folder / candidate
        if len(candidate.encode()) <= _MAX_FILE_NAME and path.is_file():
            if not path.resolve().is_relative_to(folder.resolve()):
                raise PictureError("is a link that leads out of the folder", "copy the picture", path)
            return path
    raise PictureError(f"there is no picture {name} in {folder}")


def check(path: Path) -> tuple[bytes, str, int, int]:
    """The bytes to store, their format, and width and height in pixels, all upright.

    The bytes are the file's own unless EXIF says that it lies on its side. Raises PictureError for what is
    too large, no JPEG, PNG or WebP, or damaged anywhere.
    """
    try:
        with path.open("rb") as file:
            content = file.read(settings.MAX_IMAGE_BYTES + 1)
    except OSError as error:
        raise PictureError(f"cannot be read: {error.strerror or error}", path=path) from error
    if len(content) > settings.MAX_IMAGE_BYTES:
        limit = f"{settings.MAX_IMAGE_BYTES:,} bytes"
        raise PictureError(f"has more than {limit}", "see GROUNDCREW_MAX_IMAGE_BYTES", path)
    PIL.Image.MAX_IMAGE_PIXELS = settings.MAX_PIXELS
    try:
        with PIL.Image.open(BytesIO(content), formats=list(SUFFIXES)) as image:
            kind = _FORMATS[image.format or ""]
            if image.width * image.height > settings.MAX_PIXELS:
                raise _too_many_pixels(path)
            image.load()
            if image.getexif().get(_ORIENTATION, 1) in range(2, 9):
                upright = ImageOps.exif_transpose(image)
                return _encoded(upright, kind), kind, upright.width, upright.height
            return content, kind, image.width, image.height
    except (PIL.Image.DecompressionBombError, PIL.Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(path) from error
    except PIL.UnidentifiedImageError as error:
        raise PictureError("is no JPEG, PNG or WebP", "convert it", path) from error
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        KeyError,
        struct.error,
        zlib.error,
    ) as error:
        # everything Pillow's decoders are known to raise for bytes that are not what they claim to be
        raise PictureError(f"is damaged: {error}", "get it again", path) from error


def _too_many_pixels(path: Path) -> PictureError:
    return PictureError(f"has more than {settings.MAX_PIXELS:,} pixels", "see GROUNDCREW_MAX_PIXELS", path)


def _encoded(image: PIL.Image.Image, kind: str) -> bytes:
    """The turned picture without EXIF, whose orientation and thumbnail no longer hold."""
    buffer = BytesIO()
    image.save(buffer, kind, icc_profile=image.info.get("icc_profile"), **_ENCODING[kind])
    return buffer.getvalue()


def store(
    folder: Path, project: str, name: str, width: int | None, height: int | None, *, keep: bool = True
) -> Picture:
    """Find, check and, with `keep`, store the picture of an image.

    A size that is known already has to be the picture's.
    Storing again replaces what an import left behind that was killed before it wrote its rows. Raises
    PictureError.
    """
    path = find(folder, name)
    content, kind, *size = check(path)
    if (width or size[0], height or size[1]) != tuple(size):
        hint = "boxes would lie elsewhere: get the picture the corpus was made with"
        if [height, width] == size:
            hint = (
                "the corpus may count it as it lies before EXIF turns it upright: sizes and boxes are those "
                "of the upright picture"
            )
        said = f"is {size[0]} x {size[1]} pixels, but the corpus says {width} x {height}"
        raise PictureError(said, hint, path)
    stored = f"{project}/{name}"
    if PurePosixPath(name).suffix.lower() not in SUFFIXES[kind]:
        # A server tells the type by the suffix. A folder apart, since there may be an image of that name too.
        stored = f"{project}/{kind.lower()}/{name}{SUFFIXES[kind][0]}"
    if len(PurePosixPath(stored).name.encode()) > _MAX_FILE_NAME:
        raise PictureError(f"has a name of more than {_MAX_FILE_NAME} bytes", "rename the image", path)
    if not keep:
        return Picture("", *size)
    if default_storage.exists(stored):
        default_storage.delete(stored)
    return Picture(default_storage.save(stored, ContentFile(content)), *size)

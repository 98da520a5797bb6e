"""Renditions: smaller copies of a photograph, so that browsers fetch it in the size in which they show it.

A rendition shows the same as the photograph, edge to edge. Boxes are always in pixels of the photograph
itself. Renditions are files of their own storage, named after the photograph's file, and can always be made
again.
"""

from __future__ import annotations

import hashlib
import logging
import struct
import warnings
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO

import PIL.Image
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, default_storage, storages
from PIL import ImageCms

from annotation.models import Image
from annotation.transactions import write_transaction
from annotation.upright import upright

logger = logging.getLogger(__name__)

WIDTHS = (640, 1280, 2560)
"""The widths of renditions, in pixels. A photograph has those that are smaller than itself."""
FOLDER = ".renditions"
"""Where they are in the storage. It is hidden, as everything that no link may name."""
FORMATS = ("JPEG", "PNG", "WEBP")
DECODING_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    KeyError,
    struct.error,
    zlib.error,
)
"""Everything that Pillow's decoders are known to raise for damaged files."""
BOMBS = (PIL.Image.DecompressionBombError, PIL.Image.DecompressionBombWarning)
warnings.simplefilter("error", PIL.Image.DecompressionBombWarning)  # below twice the limit Pillow only warns

_MAX_RENDITION_PIXELS = 10_000_000
"""The most pixels of a rendition. Making a very tall one would take long, and WebP cannot be as tall."""
_QUALITY = 80
_BATCH = 50
_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


def file_of(file: str, width: int) -> str:
    """Return the name of the rendition of this width, for a photograph's file."""
    return f"{_folder_of(file)}/{width}.webp"


def storage() -> Storage:
    """Return the storage of renditions. Writing a file there replaces the one before as a whole."""
    return storages["replacing"]


def sizes_for(width: int, height: int) -> list[tuple[int, int]]:
    """Return width and height of each rendition of a photograph of this size, the smallest first."""
    sizes = [(one, max(1, round(height * one / width))) for one in WIDTHS if one < width]
    return [(across, down) for across, down in sizes if across * down <= _MAX_RENDITION_PIXELS]


def render(content: bytes) -> dict[int, bytes]:
    """Return the renditions of a picture by their width, the smallest first. There may be none.

    They are upright, in the colours of sRGB, and keep transparency. A moving picture has none, because only
    the file itself moves. A rendition that has no fewer bytes than the file is left out. Raise one of
    DECODING_ERRORS if the file is damaged, and one of BOMBS if it has more pixels than are allowed.
    """
    PIL.Image.MAX_IMAGE_PIXELS = settings.MAX_PIXELS
    with PIL.Image.open(BytesIO(content), formats=FORMATS) as opened:
        # The second frame of an MPO, which cameras write, is a preview.
        moves = getattr(opened, "is_animated", False) and opened.format != "MPO"
        if moves or max(opened.size) <= WIDTHS[0]:
            return {}
        picture = _resizable(upright(opened, content))
        profile = opened.info.get("icc_profile")
    made: dict[int, bytes] = {}
    for size in reversed(sizes_for(*picture.size)):
        # Both pictures are taken whole, so that nothing shifts, however the height is rounded.
        picture = picture.resize(size, PIL.Image.Resampling.LANCZOS, reducing_gap=3.0)
        encoded = _encoded(_in_srgb(picture, profile))
        if len(encoded) < len(content):
            made[size[0]] = encoded
    return dict(reversed(made.items()))


def _resizable(image: PIL.Image.Image) -> PIL.Image.Image:
    """Return the picture in a mode in which it can be made smaller without loss of transparency or depth."""
    if image.mode.startswith("I"):  # 16 bits a pixel, which Pillow would cut off at 255
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.mode not in ("RGBA", "LA") and image.has_transparency_data:
        return image.convert("RGBA")
    if image.mode in ("RGB", "RGBA", "L", "LA", "CMYK"):
        return image
    return image.convert("RGB")


def _in_srgb(image: PIL.Image.Image, profile: bytes | None) -> PIL.Image.Image:
    """Return the picture in the colours that a screen shows if nothing is said about them."""
    mode = "RGBA" if image.mode in ("RGBA", "LA") else "RGB"
    if profile and image.mode != "LA":
        try:
            given = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted = ImageCms.profileToProfile(image, given, _SRGB, outputMode=mode)
        except (ImageCms.PyCMSError, *DECODING_ERRORS):
            # Browsers pass over a broken profile, too, and one that is for another kind of picture.
            pass
        else:
            assert converted is not None, "it is only None if the picture is changed in place"
            return converted
    return image.convert(mode)


def _encoded(image: PIL.Image.Image) -> bytes:
    buffer = BytesIO()
    # Nothing of what the file says of itself, such as the place where it was taken.
    image.save(buffer, "WEBP", quality=_QUALITY, icc_profile=b"", exif=b"", xmp=b"")
    return buffer.getvalue()


def save_renditions(file: str, made: Mapping[int, bytes]) -> list[int]:
    """Store what `render` made of a photograph's file. Return the widths, the smallest first."""
    for width, encoded in made.items():
        storage().save(file_of(file, width), ContentFile(encoded))
    return sorted(made)


def forget_renditions(file: str) -> None:
    """Delete all renditions of a photograph's file, also those that a killed process left half-written."""
    kept, folder = storage(), _folder_of(file)
    try:
        names = kept.listdir(folder)[1]
    except FileNotFoundError:
        return
    for name in names:
        kept.delete(f"{folder}/{name}")
    with suppress(OSError):  # another process has just written there, and will delete it
        kept.delete(folder)


def delete_photograph(file: str) -> None:
    """Delete a photograph's file with its renditions."""
    forget_renditions(file)
    with suppress(FileNotFoundError):
        default_storage.delete(file)


def make_missing(
    *,
    goes_on: Callable[[], bool] = lambda: True,
    made: Callable[[int], object] = lambda images: None,
) -> int:
    """Make the renditions of photographs that were imported without. Return the number of photographs.

    Ask before each photograph whether it `goes_on`, and call `made` after each with the number so far. A
    photograph that cannot be read now is left to the next call.
    """
    last, done = 0, 0
    while images := list(
        Image.objects.filter(pk__gt=last, renditions__isnull=True, project__deleted_at__isnull=True)
        .exclude(file="")
        .order_by("pk")[:_BATCH]
    ):
        for image in images:
            if not goes_on():
                return done
            last = image.pk
            try:
                content = _read(str(image.file))
            except OSError as error:
                logger.warning("image %d: its photograph cannot be read: %s", image.pk, error)
                continue
            try:
                encoded = render(content) if content else {}
            except Exception as error:  # noqa: BLE001  (a damaged one must not hold up the others)
                logger.warning("image %d: its photograph is damaged: %s", image.pk, error)
                encoded = {}
            _keep(image, encoded)
            done += 1
            made(done)
    return done


def _read(file: str) -> bytes:
    """Return what a photograph's file contains, or nothing if it is gone or too large. Raise OSError."""
    try:
        with default_storage.open(file) as opened:
            content: bytes = opened.read(settings.MAX_IMAGE_BYTES + 1)
    except FileNotFoundError:
        return b""
    return content if len(content) <= settings.MAX_IMAGE_BYTES else b""


def _keep(image: Image, encoded: dict[int, bytes]) -> None:
    """Store the renditions, unless the image has another photograph by now, or its project was deleted.

    The image is locked meanwhile, as by whoever replaces or erases the photograph, so that no rendition is
    left behind of a photograph that is gone.
    """
    with write_transaction():
        same = Image.objects.filter(
            pk=image.pk, file=image.file.name, renditions__isnull=True, project__deleted_at__isnull=True
        )
        if same.select_for_update(no_key=True, of=("self",)).first():
            save_renditions(str(image.file), encoded)
            Image.objects.filter(pk=image.pk).update(renditions=sorted(encoded))


def _folder_of(file: str) -> str:
    digest = hashlib.sha256(file.encode()).hexdigest()[:40]
    return f"{FOLDER}/{digest[:2]}/{digest}"

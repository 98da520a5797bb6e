"""Picture files: they are checked by decoding them, rid of their metadata, turned upright, and stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath

import PIL.Image
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.picture_files import MAX_FILE_NAME, PictureError, PictureFolders
from annotation.importing.prepare import Prepared, is_usable
from annotation.models import Image, Project
from annotation.picture_parts import END_OF_JPEG, JPEG, without_metadata
from annotation.renditions import BOMBS, forget_renditions, render, save_renditions
from annotation.upright import KINDS, CannotTurn, is_turned, turned_upright

SUFFIXES = {"JPEG": (".jpg", ".jpeg"), "PNG": (".png",), "WEBP": (".webp",)}
"""With which suffixes pictures are stored, by format. Servers know these."""
_ORIENTATION = 0x0112  # EXIF tag


@dataclass(frozen=True, slots=True)
class Picture:
    """A stored picture: its path ("" when it was only checked), its upright size, and its renditions."""

    path: str
    width: int
    height: int
    renditions: Sequence[int] = ()


def check_picture(
    path: Path, content: bytes | None = None, *, keep_metadata: bool = False
) -> tuple[bytes, str, int, int]:
    """Return the bytes to store, their format, and the width and height in pixels of the upright picture.

    The bytes are those of the file, or the `content` that a corpus has for it, without metadata, unless
    `keep_metadata`. If EXIF data turns the picture, it is encoded anew, always without. Raise PictureError if
    the picture is empty or too large, not a JPEG, PNG or WebP, damaged anywhere, or loses something if it is
    turned.
    """
    if content is None:
        try:
            with path.open("rb") as file:
                content = file.read(settings.MAX_IMAGE_BYTES + 1)
        except OSError as error:
            raise PictureError(f"cannot be read: {error.strerror or error}", path=path) from error
    if not content:
        raise PictureError("is empty", "get it again", path)
    if len(content) > settings.MAX_IMAGE_BYTES:
        limit = f"{settings.MAX_IMAGE_BYTES:,} bytes"
        raise PictureError(f"has more than {limit}", "see GROUNDCREW_MAX_IMAGE_BYTES", path)
    try:
        return _decoded(content, keep_metadata)
    except BOMBS as error:
        raise _too_many_pixels(path) from error
    except PIL.UnidentifiedImageError as error:
        raise PictureError("is not a JPEG, PNG or WebP", "convert it", path) from error
    except CannotTurn as error:
        message = f"{error}, which would be lost when it is turned as its EXIF data says"
        raise PictureError(message, "turn it in a program for pictures", path) from error
    except Exception as error:  # Pillow's decoders raise errors of many kinds
        raise PictureError(f"is damaged: {error}", "get it again", path) from error


def _decoded(content: bytes, keep_metadata: bool) -> tuple[bytes, str, int, int]:
    """Return what `check_picture` does. Raise whatever decoding raises, and one of BOMBS."""
    PIL.Image.MAX_IMAGE_PIXELS = settings.MAX_PIXELS
    # Browsers never look at metadata that is damaged. So a picture is decoded without.
    plain = without_metadata(content)
    if plain.startswith(JPEG) and not plain.endswith(END_OF_JPEG):
        plain, content = _ended(plain), content.removesuffix(b"\xff") + END_OF_JPEG
    with _opened(plain) as image:
        kind = KINDS[image.format or ""]
        image.load()
        if is_turned(plain):
            turned, width, height = turned_upright(image, plain)
            return turned, kind, width, height
        size = image.size
    return (_kept(content, plain) if keep_metadata else plain), kind, *size


def _kept(content: bytes, plain: bytes) -> bytes:
    """Return a file with its metadata, or without if other programs than browsers would trip over it.

    They cannot read the picture, or turn it by what browsers pass over, such as the EXIF data of a WebP.
    """
    try:
        with _opened(content) as image:
            image.load()
            if image.getexif().get(_ORIENTATION, 1) in range(2, 9):
                return plain
    except Exception:  # noqa: BLE001  (Pillow's decoders raise errors of many kinds)
        return plain
    return content


def _ended(content: bytes) -> bytes:
    """Return a JPEG with the end marker that it lacks, right after the last byte that shows something.

    Raise ValueError if a part of its pixels is lacking. The decoder would make up that part from whatever
    comes next, so two ends show whether it has. They also show where the pixels end, by a hundred decodings
    at most, four if nothing follows: text may follow that does not look like a marker.
    """
    begun = content.removesuffix(b"\xff")
    pixels = _pixels(begun + END_OF_JPEG)
    if _pixels(_with_filling(begun)) != pixels:
        raise ValueError("it ends too early")

    def is_whole(length: int) -> bool:
        try:
            ends = (begun[:length] + END_OF_JPEG, _with_filling(begun[:length]))
            return all(_pixels(ended) == pixels for ended in ends)
        except Exception:  # noqa: BLE001  (Pillow's decoders raise errors of many kinds)
            return False

    whole, cut = len(begun), 1
    while cut < whole and is_whole(len(begun) - cut):
        whole, cut = len(begun) - cut, 2 * cut
    lacking = max(0, len(begun) - cut)
    while whole - lacking > 1:
        middle = (whole + lacking) // 2
        whole, lacking = (middle, lacking) if is_whole(middle) else (whole, middle)
    return begun[:whole].removesuffix(b"\xff") + END_OF_JPEG


def _with_filling(begun: bytes) -> bytes:
    return begun + b"\xaa\x55" * 32 + END_OF_JPEG


def _pixels(content: bytes) -> bytes:
    with _opened(content) as image:
        return hashlib.sha256(image.tobytes()).digest()


def _opened(content: bytes) -> PIL.Image.Image:
    """Open a picture, and raise one of BOMBS before it is decoded if it is too large."""
    image = PIL.Image.open(BytesIO(content), formats=list(SUFFIXES))
    if image.width * image.height > settings.MAX_PIXELS:
        raise PIL.Image.DecompressionBombError
    return image


def _too_many_pixels(path: Path) -> PictureError:
    return PictureError(f"has more than {settings.MAX_PIXELS:,} pixels", "see GROUNDCREW_MAX_PIXELS", path)


def store_picture(
    path: Path,
    checked: tuple[bytes, str, int, int],
    project: str,
    name: str,
    width: int | None,
    height: int | None,
    keep: bool,
) -> Picture:
    """Store the picture of an image, as `check_picture` returns it, or only check it without `keep`.

    If the image's width and height in pixels are known, the picture must have them. Storing a picture again
    replaces a file left by an import that was killed before it wrote its rows. Raise PictureError if it
    cannot be used.
    """
    content, kind, *size = checked
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
        # Servers tell the type by the suffix. A turned picture has its own folder, since the new name may be
        # that of another image.
        stored = f"{project}/{kind.lower()}/{name}{SUFFIXES[kind][0]}"
    if len(PurePosixPath(stored).name.encode()) > MAX_FILE_NAME:
        raise PictureError(f"has a name of more than {MAX_FILE_NAME} bytes", "rename the image", path)
    if not keep:
        return Picture("", size[0], size[1])
    try:
        made = render(content)
    except Exception as error:  # Pillow's decoders raise errors of many kinds
        raise PictureError(f"cannot be made smaller: {error}", "get it again", path) from error
    if default_storage.exists(stored):
        default_storage.delete(stored)
    forget_renditions(stored)
    stored = default_storage.save(stored, ContentFile(content))
    return Picture(stored, size[0], size[1], save_renditions(stored, made))


def fetch_pictures(
    project: Project,
    records: Sequence[ImageRecord],
    captions: Sequence[Sequence[Prepared]],
    folders: PictureFolders | None,
    decoders: Executor,
    *,
    keep: bool = True,
    keep_metadata: bool = False,
    pulse: Callable[[], object] = lambda: None,
) -> dict[str, Picture | Problem]:
    """Store the pictures of images that have none yet. Return each picture, or its error, by image name.

    A picture is that of the record, or is looked for in the folders. Without `keep`, pictures are only
    checked. With `keep_metadata`, their metadata stays. `pulse` is called after each.
    """
    names = [record.name for record in records]
    images = Image.objects.filter(project__name=project.name, name__in=names)
    known = {image.name: image for image in images}
    wanted = []
    for record, prepared in zip(records, captions, strict=True):
        if folders is None and record.picture is None:
            continue
        if image := known.get(record.name):
            if not image.file:
                wanted.append((record, record.width or image.width, record.height or image.height))
        elif is_usable(prepared):
            wanted.append((record, record.width, record.height))
    fetched = {}
    for name, found in decoders.map(partial(_fetch, project.name, folders, keep, keep_metadata), wanted):
        fetched[name] = found
        pulse()
    return fetched


def _fetch(
    project: str,
    folders: PictureFolders | None,
    keep: bool,
    keep_metadata: bool,
    wanted: tuple[ImageRecord, int | None, int | None],
) -> tuple[str, Picture | Problem]:
    record, width, height = wanted
    try:
        if record.picture is not None or folders is None:
            path = Path(record.file) / record.name
        else:
            path = folders.find(record.name, record.folder)
        checked = check_picture(path, record.picture, keep_metadata=keep_metadata)
        return record.name, store_picture(path, checked, project, record.name, width, height, keep)
    except PictureError as error:
        if error.path:
            return record.name, Problem(str(error.path), None, str(error), error.hint)
        line = record.captions[0].line if record.captions else None
        return record.name, record.problem(str(error), error.hint, line)

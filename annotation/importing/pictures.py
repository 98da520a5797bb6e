"""Picture files: they are found in one folder, checked by decoding them, turned upright, and stored."""

from __future__ import annotations

import os
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
from annotation.formats.base import check_name
from annotation.importing.prepare import Prepared, is_usable
from annotation.models import Image, Project
from annotation.renditions import BOMBS, DECODING_ERRORS, forget_renditions, render, save_renditions
from annotation.upright import KINDS, is_turned, turned_upright

SUFFIXES = {"JPEG": (".jpg", ".jpeg"), "PNG": (".png",), "WEBP": (".webp",)}
_MAX_FILE_NAME = 255  # bytes, on every usual file system


class PictureError(Exception):
    """A picture cannot be used. Says why, what to do, and which file it is (None if there is no file)."""

    def __init__(self, message: str, hint: str = "", path: Path | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.path = path


@dataclass(frozen=True, slots=True)
class Picture:
    """A stored picture: its path ("" when it was only checked), its upright size, and its renditions."""

    path: str
    width: int
    height: int
    renditions: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class PictureFolders:
    """Where pictures are: in `flat`, or, if the corpus says in which folder, in this folder below `above`."""

    flat: Path
    above: Path

    def find(self, name: str, within: str = "") -> Path:
        """Return the file for an image's name. Raise PictureError if there is none."""
        for at in _ends(within):
            for root in dict.fromkeys((self.above, self.flat)):
                if (root / at).is_dir() and (found := _find(root, root / at, name)):
                    return found
        return find_picture(self.flat, name)


def _ends(within: str) -> list[str]:
    """Return the ends of a path, the longest first: a/b/c, b/c, c."""
    parts = within.split("/") if within else []
    return ["/".join(parts[start:]) for start in range(len(parts))]


def find_picture(folder: Path, name: str) -> Path:
    """Return the file in `folder` for an image's name.

    If there is none of that name, a picture's suffix is tried after the name, and in place of its suffix.

    The file is never outside `folder`, not even through a link. Raise PictureError if there is none.
    """
    if found := _find(folder, folder, name):
        return found
    raise PictureError(f"there is no picture {name} in {folder}")


def _find(root: Path, folder: Path, name: str) -> Path | None:
    if wrong := check_name(name):
        raise PictureError(wrong)
    endings = [suffix for suffixes in SUFFIXES.values() for suffix in suffixes]
    candidates = [name, *(name + ending for ending in endings), *(Path(name).stem + end for end in endings)]
    for candidate in candidates:
        path = folder / candidate
        if len(candidate.encode()) <= _MAX_FILE_NAME and path.is_file():
            if not path.resolve().is_relative_to(root.resolve()):
                raise PictureError("is a link that leads out of the folder", "copy the picture", path)
            return path
    return None


class NamedPictures:
    """Remembers for which pictures a corpus has captions, to tell those that it has none for.

    It holds two numbers an image, not its name, because it has to hold a whole corpus.
    """

    def __init__(self) -> None:
        self._names: set[int] = set()

    def add(self, name: str) -> None:
        """Remember the name of an image, as `find_picture` looks for its file."""
        self._names |= {hash(name), hash(Path(name).stem)}

    def others(self, folder: Path) -> list[str]:
        """Return the names of all other pictures in the folder, in order. Hidden files are none."""
        endings = tuple(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name.lower().endswith(endings)
                and not entry.name.startswith(".")
                and self._names.isdisjoint({hash(entry.name), hash(Path(entry.name).stem)})
                and entry.is_file()
            )


def check_picture(path: Path, content: bytes | None = None) -> tuple[bytes, str, int, int]:
    """Return the bytes to store, their format, and the width and height in pixels of the upright picture.

    The bytes are those of the file, or the `content` that a corpus has for it, unless EXIF says that the
    picture is turned. Raise PictureError if the picture is too large, not a JPEG, PNG or WebP, or damaged
    anywhere.
    """
    if content is None:
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
            kind = KINDS[image.format or ""]
            if image.width * image.height > settings.MAX_PIXELS:
                raise _too_many_pixels(path)
            image.load()
            if is_turned(image):
                content, width, height = turned_upright(image)
                return content, kind, width, height
            return content, kind, image.width, image.height
    except BOMBS as error:
        raise _too_many_pixels(path) from error
    except PIL.UnidentifiedImageError as error:
        raise PictureError("is not a JPEG, PNG or WebP", "convert it", path) from error
    except DECODING_ERRORS as error:
        raise PictureError(f"is damaged: {error}", "get it again", path) from error


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
    if len(PurePosixPath(stored).name.encode()) > _MAX_FILE_NAME:
        raise PictureError(f"has a name of more than {_MAX_FILE_NAME} bytes", "rename the image", path)
    if not keep:
        return Picture("", size[0], size[1])
    if default_storage.exists(stored):
        default_storage.delete(stored)
    forget_renditions(stored)
    stored = default_storage.save(stored, ContentFile(content))
    return Picture(stored, size[0], size[1], save_renditions(stored, render(content)))


def fetch_pictures(
    project: Project,
    records: Sequence[ImageRecord],
    captions: Sequence[Sequence[Prepared]],
    folders: PictureFolders | None,
    decoders: Executor,
    *,
    keep: bool = True,
    pulse: Callable[[], object] = lambda: None,
) -> dict[str, Picture | Problem]:
    """Store the pictures of images that have none yet. Return each picture, or its error, by image name.

    A picture is that of the record, or is looked for in the folders. Without `keep`, pictures are only
    checked. `pulse` is called after each.
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
    for name, found in decoders.map(partial(_fetch, project.name, folders, keep), wanted):
        fetched[name] = found
        pulse()
    return fetched


def _fetch(
    project: str,
    folders: PictureFolders | None,
    keep: bool,
    wanted: tuple[ImageRecord, int | None, int | None],
) -> tuple[str, Picture | Problem]:
    record, width, height = wanted
    try:
        if record.picture is not None or folders is None:
            path = Path(record.file) / record.name
        else:
            path = folders.find(record.name, record.folder)
        checked = check_picture(path, record.picture)
        return record.name, store_picture(path, checked, project, record.name, width, height, keep)
    except PictureError as error:
        if error.path:
            return record.name, Problem(str(error.path), None, str(error), error.hint)
        line = record.captions[0].line if record.captions else None
        return record.name, record.problem(str(error), error.hint, line)

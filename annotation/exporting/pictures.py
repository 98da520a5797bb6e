"""The pictures of a data set, in its folder `images`, with a list of their hashes beside it.

They lie upright in their files, so that programs which know nothing of EXIF open them as the boxes lie.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self

import PIL.Image
from django.conf import settings
from django.core.files.storage import default_storage

from annotation.domain.records import ImageRecord
from annotation.exporting.earlier import SUMS
from annotation.exporting.folder import ExportError
from annotation.formats.base import PICTURES, check_name
from annotation.models import Image, Project
from annotation.upright import KINDS, is_turned, turned_upright

NOT_IMPORTED, GONE, UNREADABLE = "not imported", "gone from the storage", "damaged or too large"
OTHER_SIZE = "of another size than their images"
"""Why an image comes without its picture."""
_COPIERS = 8  # a bucket takes some time for each file


class Pictures(StrEnum):
    """How pictures come into the folder of an export."""

    COPIED = "copied"
    LINKED = "linked"  # hard links: they take no space, but only work within one file system


@dataclass(frozen=True, slots=True)
class _Written:
    line: str  # of the list of hashes
    size: int  # bytes


class PictureWriter:
    """Writes the pictures of images under the images' names, some at a time.

    A picture is written byte for byte as it is stored, unless EXIF data says that it is to be turned. What
    cannot be written is counted in `left_out` by reason. Raise ExportError if it cannot be linked, or if the
    pictures have more than `most_bytes` together. `pulse` is called after each picture.
    """

    def __init__(
        self,
        out: Path,
        project: Project,
        how: Pictures,
        *,
        left_out: Counter[str],
        most_bytes: int | None = None,
        pulse: Callable[[], object] = lambda: None,
    ) -> None:
        if how == Pictures.LINKED and not settings.IMAGES_ARE_LOCAL:
            raise ExportError("the pictures are in a bucket, where nothing can be linked: have them copied")
        self._folder, self._project, self._how = out / PICTURES, project, how
        self._sums_path = out / SUMS
        self._left_out, self._most_bytes, self._pulse = left_out, most_bytes, pulse
        self._folder.mkdir()
        self._sums_path.parent.mkdir(exist_ok=True)
        self._sums = self._sums_path.open("w", encoding="utf-8", newline="\n")
        self._pool = ThreadPoolExecutor(_COPIERS)
        self._waiting: list[ImageRecord] = []
        self._bytes = 0
        self.written = 0

    def add(self, record: ImageRecord) -> None:
        """Take the next image. Its picture is written with the next `flush`."""
        if wrong := check_name(record.name):
            raise ValueError(wrong)
        self._waiting.append(record)

    def flush(self) -> None:
        """Write the pictures of all images that were added since the last time."""
        records, self._waiting = self._waiting, []
        named = Image.objects.filter(project=self._project, name__in=[record.name for record in records])
        files = dict(named.values_list("name", "file"))
        PIL.Image.MAX_IMAGE_PIXELS = settings.MAX_PIXELS
        for done in self._pool.map(self._write, records, [files.get(record.name, "") for record in records]):
            if isinstance(done, _Written):
                self._sums.write(done.line)
                self._bytes += done.size
                self.written += 1
            else:
                self._left_out[done] += 1
            if self._most_bytes is not None and self._bytes > self._most_bytes:
                raise ExportError(
                    f"the pictures have more than {self._most_bytes:,} bytes: export a batch at a time, or "
                    "use manage.py export_dataset --pictures"
                )
            self._pulse()

    def forget_folder(self) -> None:
        """Remove the empty folder of pictures and the list of them: the format holds pictures itself."""
        self._folder.rmdir()
        self._sums_path.unlink()

    def _write(self, record: ImageRecord, file: str) -> _Written | str:
        """Write one picture, in a thread. Return why it is left out if it is."""
        if not file:
            return NOT_IMPORTED
        try:
            with default_storage.open(file) as opened:
                content: bytes = opened.read()
        except FileNotFoundError:
            return GONE
        except OSError as error:
            said = error.strerror or error
            raise ExportError(f"the picture of {record.name} cannot be read: {said}") from error
        try:
            with PIL.Image.open(BytesIO(content), formats=list(KINDS)) as picture:
                width, height = picture.size
                if turned := is_turned(content):
                    content, width, height = turned_upright(picture, content)
        except Exception:  # noqa: BLE001  (Pillow's decoders raise errors of many kinds)
            return UNREADABLE
        if (width, height) != (record.width, record.height):
            return OTHER_SIZE
        target = self._folder / record.name
        if self._how == Pictures.LINKED and not turned:
            _link(Path(default_storage.path(file)).resolve(), target)
        else:
            target.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        return _Written(f"{digest}  {PICTURES}/{record.name}\n", len(content))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._sums.close()


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        raise ExportError(
            f"{source} cannot be linked: {error.strerror or error}; have the pictures copied"
        ) from error

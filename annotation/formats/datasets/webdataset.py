"""Shards for the library `webdataset`: archives of tar by split, with a picture and a JSON file per image."""

from __future__ import annotations

import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson

from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import PICTURES, Writer
from annotation.formats.datasets.grounded_captions import row_of, split_of

SHARDS = "shards"
PICTURE = "jpg"
"""The suffix of every picture: loaders take the columns of a shard from its first sample, and open pictures
by their content."""
WITHOUT_PICTURE = "images without a picture"
SAMPLES_PER_SHARD = 1_000
BYTES_PER_SHARD = 500_000_000
"""A shard ends with the sample that reaches one of these."""


class _Shards:
    """The shards of one split. Each is made when its first sample comes."""

    def __init__(self, folder: Path, split: str) -> None:
        self._folder, self._split = folder, split
        self._shard: tarfile.TarFile | None = None
        self._shards = self._samples = self._bytes = 0

    def add(self, key: str, members: dict[str, bytes]) -> None:
        if self._shard is None:
            path = self._folder / f"{self._split}-{self._shards:06d}.tar"
            self._shard = tarfile.open(path, "x", format=tarfile.GNU_FORMAT)  # noqa: SIM115 (`close` does)
            self._shards += 1
        for suffix, content in members.items():
            member = tarfile.TarInfo(f"{key}.{suffix}")  # its time and owner are 0
            member.size = len(content)
            self._shard.addfile(member, BytesIO(content))
            self._bytes += len(content)
        self._samples += 1
        if self._samples >= SAMPLES_PER_SHARD or self._bytes >= BYTES_PER_SHARD:
            self.close()

    def close(self) -> None:
        if self._shard is not None:
            self._shard.close()
            self._shard = None
            self._samples = self._bytes = 0


class WebdatasetWriter(Writer):
    """Writes `shards/<split>-<number>.tar`. Samples have numbers from 0 as their keys.

    The JSON is the row of `huggingface`. If pictures are exported, they are moved into the shards, and an
    image without one has no sample: loaders refuse shards whose first samples have different members.
    """

    LACKS = frozenset({parts.NOT_VISUAL})

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._folder = out / SHARDS
        self._folder.mkdir()
        self._shards: dict[str, _Shards] = {}
        self._waiting: list[tuple[str, dict[str, Any]]] = []
        self._count = 0

    def _add(self, record: ImageRecord) -> None:
        self._waiting.append((split_of(record), row_of(record)))

    def settle(self) -> None:
        pictured = (self.out / PICTURES).is_dir()
        for split, row in self._waiting:
            picture = self.take_picture(row["file_name"]) if pictured else None
            if pictured and picture is None:
                self.not_held[WITHOUT_PICTURE] += 1
                continue
            if split not in self._shards:
                self._shards[split] = _Shards(self._folder, split)
            members = {} if picture is None else {PICTURE: picture}
            members["json"] = orjson.dumps(row)
            self._shards[split].add(f"{self._count:09d}", members)
            self._count += 1
        self._waiting = []

    def close(self) -> None:
        """Finish all shards. Raise ValueError if pictures are exported, and no image has one."""
        self.settle()
        self.discard()
        if self.not_held[WITHOUT_PICTURE] and not self._count:
            raise ValueError(
                "none of the images has a picture that can be written, and webdataset leaves out images "
                "without one; import their photographs, or export without pictures"
            )

    def discard(self) -> None:
        for shards in self._shards.values():
            shards.close()

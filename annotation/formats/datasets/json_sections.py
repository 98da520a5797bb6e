"""A JSON object of long lists that grow side by side, such as the `images` and `annotations` of COCO."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import orjson


class JsonSections:
    """Writes one JSON file. Each list grows in a temporary file of its own until `close` joins them."""

    def __init__(self, path: Path, lists: Sequence[str]) -> None:
        self._path = path
        self._files = ExitStack()
        self._lists: dict[str, IO[bytes]] = {
            name: self._files.enter_context(TemporaryFile(dir=path.parent))  # noqa: SIM115 (the stack closes it)
            for name in lists
        }

    def add(self, name: str, entry: Mapping[str, Any]) -> None:
        """Add an entry to one of the lists."""
        file = self._lists[name]
        file.write((b",\n" if file.tell() else b"\n") + orjson.dumps(entry))

    def close(self, head: Mapping[str, Any]) -> None:
        """Write the file: first the fields of `head`, at least one, then the lists."""
        with self._path.open("wb") as out:
            out.write(orjson.dumps(head)[:-1])
            for name, section in self._lists.items():
                out.write(b',\n"' + name.encode() + b'":[')
                section.seek(0)
                shutil.copyfileobj(section, out, 1024 * 1024)
                out.write(b"]")
            out.write(b"}\n")
        self.discard()

    def discard(self) -> None:
        """Drop what has not been written to the file."""
        self._files.close()

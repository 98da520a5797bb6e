"""A file beside a data set that is made when something is written into it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Self


class LateFile:
    """The file is made with its `head` when the first content comes. If none comes, there is no file."""

    def __init__(self, path: Path, head: bytes = b"") -> None:
        self._path, self._head = path, head
        self._stack = ExitStack()
        self._file: IO[bytes] | None = None

    def write(self, content: bytes) -> None:
        """Append the content, if it is not empty."""
        if not content:
            return
        if self._file is None:
            self._path.parent.mkdir(exist_ok=True)
            self._file = self._stack.enter_context(self._path.open("wb"))
            self._file.write(self._head)
        self._file.write(content)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

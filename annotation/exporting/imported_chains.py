"""`about/imported_chains.csv`: the ids that known chains had in the file that they were imported from."""

from __future__ import annotations

import csv
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from annotation.domain.records import ImageRecord

COLUMNS = ("image", "chain", "imported")


class ImportedChains:
    """Writes a line for each chain and id that it had, if there is any. A joined chain has several lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = ExitStack()
        self._file: IO[str] | None = None

    def add(self, record: ImageRecord) -> None:
        """Write the lines of the next image."""
        rows = [(record.name, chain.id, number) for chain in record.chains for number in chain.imported]
        if not rows:
            return
        if self._file is None:
            self._path.parent.mkdir(exist_ok=True)
            file = self._path.open("w", encoding="utf-8", newline="")
            self._file = self._stack.enter_context(file)
            csv.writer(self._file, lineterminator="\n").writerow(COLUMNS)
        csv.writer(self._file, lineterminator="\n").writerows(rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

"""Files of a data set by split, opened when the first image of the split comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from evaluation.readers.records import SPLITS

_File = TypeVar("_File")


class SplitFiles(Generic[_File]):
    """What a writer writes into, for each split.

    As soon as one image has a split, `all` has the files of every split: programs that read the file of one
    split ask for the others, too.
    """

    def __init__(self, make: Callable[[str], _File]) -> None:
        self._make = make
        self._files: dict[str, _File] = {}

    def of(self, split: str) -> _File:
        """Return the file of a split. Make it if it is not there."""
        if split not in self._files:
            self._files[split] = self._make(split)
        return self._files[split]

    def opened(self) -> list[_File]:
        """Return those that are there."""
        return list(self._files.values())

    def all(self) -> list[_File]:
        """Return all, after making those that are missing."""
        if not self._files.keys().isdisjoint(SPLITS):
            for split in SPLITS:
                self.of(split)
        return self.opened()

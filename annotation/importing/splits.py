"""Split lists: `train.txt`, `val.txt` and `test.txt` with the name or stem of an image on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from annotation.domain.records import Problem
from annotation.formats.base import read_texts
from evaluation.readers.records import SPLITS


class SplitError(Exception):
    """A split list cannot be used."""


def read_splits(
    paths: Iterable[Path], splits: dict[str, str], pulse: Callable[[], object] = lambda: None
) -> Iterator[Problem]:
    """Add to `splits` the split of each name in the lists. The name of a list says which split it is.

    `pulse` is called for every line. Problems with single lines are yielded. Raise SplitError when the name
    of a list is not that of a split, and when a list cannot be read to its end.
    """
    for path in paths:
        if path.stem not in SPLITS:
            listed = ", ".join(f"{name}.txt" for name in SPLITS)
            raise SplitError(f"{path}: a split list has to be called one of {listed}")
        for line in read_texts(path):
            pulse()
            if isinstance(line, Problem):
                if line.whole:
                    raise SplitError(f"{line.file}: {line.message}")
                yield line
            elif (name := line[1].strip()) and splits.setdefault(name, path.stem) != path.stem:
                message = f"{name[:80]!r} is in {splits[name]}.txt too"
                yield Problem(str(path), line[0], message, "it stays there")


def split_of(name: str, splits: dict[str, str]) -> str:
    """Return the split of an image, by its name or stem, or ""."""
    return splits.get(name) or splits.get(Path(name).stem, "")

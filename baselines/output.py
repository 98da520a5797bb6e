"""Files that commands write. Each gets its name when it is complete."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import InputError


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an `.npz` file of arrays. Raise InputError if it cannot be written."""
    with _written(path) as file:
        np.savez(file, allow_pickle=False, **arrays)


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an `.npy` file. Raise InputError if it cannot be written."""
    with _written(path) as file:
        np.save(file, array, allow_pickle=False)


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file of lines. Raise InputError if it cannot be written."""
    with _written(path) as file:
        for line in lines:
            file.write(line + b"\n")


def check_file(path: Path, suffix: str = "") -> None:
    """Raise InputError if a file cannot be written, or does not end in `suffix`. Call it before long work."""
    if suffix and path.suffix != suffix:
        raise InputError(f"{path}: the name of this file has to end in {suffix}")
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    there = next(folder for folder in path.absolute().parents if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InputError(f"{path} cannot be written: {there} is no folder that you may write to")


@contextmanager
def _written(path: Path) -> Iterator[IO[bytes]]:
    check_file(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            unfinished = Path(folder) / path.name
            with unfinished.open("wb") as file:
                yield file
            unfinished.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error

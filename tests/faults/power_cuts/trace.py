"""Compile the shim, run a process with it, and read what the shim wrote down (shim.c)."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
COMPILERS = ("cc", "gcc", "clang")
_HEAD = struct.Struct("=IIIIqq")


@dataclass(frozen=True, slots=True)
class Record:
    """One change, or one thing that the process acknowledged.

    The kinds are Open, Write, Truncate, File sync (`f`: its end), Make folder, Rename, Link, Unlink and
    Acknowledge. `place` is an offset, a size, the number of a sync, or 1 for an opening that truncates.
    """

    kind: str
    path: str
    second: str
    inode: int
    place: int
    data: bytes


def compiler() -> str | None:
    """Return the C compiler of this machine, if it has one."""
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


def compile_library(source: Path, folder: Path) -> Path:
    """Return what is written in C as a shared library in this folder."""
    found = compiler()
    assert found is not None
    library = folder / f"{source.stem}.so"
    command = [found, "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return library


def run_traced(
    command: Sequence[str], *, shim: Path, folder: Path, trace: Path, environment: Mapping[str, str]
) -> None:
    """Run the command, and write every change that it makes below the folder into the file `trace`."""
    own = {
        "LD_PRELOAD": str(shim),
        "POWER_CUT_FOLDER": os.path.realpath(folder),
        "POWER_CUT_TRACE": str(trace),
    }
    done = subprocess.run(
        command, env={**environment, **own}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def read_trace(trace: Path, folder: Path) -> Iterator[Record]:
    """Yield the records, with paths relative to the folder; "." is the folder itself."""
    root = os.path.realpath(folder)
    data = memoryview(trace.read_bytes())
    at = 0
    while at < len(data):
        kind, first, second, length, inode, place = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        parts = []
        for size in (first, second, length):
            parts.append(bytes(data[at : at + size]))
            at += size
        paths = [_relative(part.decode(), root) if part else "" for part in parts[:2]]
        yield Record(chr(kind), paths[0], paths[1], inode, place, parts[2])


def _relative(path: str, root: str) -> str:
    return os.path.relpath(path.removesuffix(" (deleted)"), root)

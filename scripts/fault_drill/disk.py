"""A disk that can be full, and a clock that can be set, for the services alone."""

from __future__ import annotations

import os
import resource
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.faults.power_cuts.trace import compile_library, compiler

DISK_BYTES = 2_000_000_000


@contextmanager
def disk(folder: Path) -> Iterator[Disk]:
    """Make a disk in the folder that can be full. Only root can mount one; others get limits of processes."""
    folder.mkdir(parents=True)
    mount = [
        "mount",
        "-t",
        "tmpfs",
        "-o",
        f"size={DISK_BYTES},mode=755",
        "groundcrew-fault-drill",
        str(folder),
    ]
    mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield Disk(folder, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@dataclass(frozen=True)
class Disk:
    folder: Path
    mounted: bool

    @property
    def words(self) -> str:
        if self.mounted:
            return "a disk in memory, made as small as what is on it"
        return "RLIMIT_FSIZE of 0 for the services' processes, since only root can mount a disk"

    @contextmanager
    def full(self, processes: list[psutil.Process]) -> Iterator[None]:
        if not self.mounted:
            with _limited(processes):
                yield
            return
        self._fill()
        try:
            yield
        finally:
            self._resize(DISK_BYTES)

    def _fill(self) -> None:
        """Make the disk as small as what is on it. If that grows meanwhile, the size may be too small."""
        for spare in (16_384, 1_000_000, 10_000_000):
            with suppress(subprocess.CalledProcessError):
                return self._resize(shutil.disk_usage(self.folder).used + spare)
        self._resize(shutil.disk_usage(self.folder).used + 100_000_000)

    def _resize(self, size: int) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", str(self.folder)], check=True)


@contextmanager
def _limited(processes: list[psutil.Process]) -> Iterator[None]:
    before: dict[int, tuple[int, int]] = {}
    for process in processes:
        with suppress(ProcessLookupError):
            before[process.pid] = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, before[process.pid][1]))
    try:
        yield
    finally:
        for pid, limits in before.items():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


@dataclass(frozen=True)
class Clock:
    """The clock of the services, which a small library moves (clock.c). Ours stays as it is."""

    file: Path

    def environment(self) -> dict[str, str]:
        """Return what services need. It is empty where the library cannot be compiled."""
        if not sys.platform.startswith("linux") or compiler() is None:
            return {}
        self.set(0)
        library = compile_library(Path(__file__).with_name("clock.c"), self.file.parent)
        return {"LD_PRELOAD": str(library), "FAULT_DRILL_CLOCK": str(self.file)}

    def set(self, seconds: int) -> None:
        """Move the clock by so many seconds. The file is not made anew, since the services have mapped it."""
        file = os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.pwrite(file, struct.pack("=q", seconds), 0)
        finally:
            os.close(file)

"""A model of a disk that loses power: what was synced is there, and any part of what was not.

The model promises what POSIX promises, and no more:

- A sync of a file puts its content and size on the disk, but not its name.
- A sync of a folder puts the names in it on the disk, but not the name of the folder itself.
- Whatever was not synced may be on the disk, in any order: of a file each sector as it was after any of the
  writes since the last sync, and its size likewise; of the changes of names any, each as a whole.
- What moves from one folder to another is in one of them.

A sector is 512 or 4096 bytes, so a write may be torn.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.power_cuts.trace import Record

SECTORS = (512, 4096)
SHARES = (0.0, 0.0, 0.1, 0.5, 0.9, 1.0)
"""How much of what was not synced is on the disk after a cut. Nothing is the hardest case for a receipt."""


@dataclass(eq=False, slots=True)
class File:
    cached: bytearray = field(default_factory=bytearray)
    """What the processes see."""
    synced: bytearray = field(default_factory=bytearray)
    changes: list[Change] = field(default_factory=list)
    """The changes since then."""

    def change(self, change: Change) -> None:
        change.apply(self.cached)
        self.changes.append(change)

    def sync(self, before: int) -> None:
        for change in self.changes:
            if change.number < before:
                change.apply(self.synced)
        self.changes = [change for change in self.changes if change.number >= before]

    def after_cut(self, rng: random.Random, share: float, sector: int) -> bytes:
        if not self.changes or share == 0:
            return bytes(self.synced)
        cached, disk = bytearray(self.synced), bytearray(self.synced)
        for change in self.changes:
            size = len(cached)
            change.apply(cached)
            if len(cached) != size and rng.random() < share:
                _resize(disk, len(cached))
            for start in range(change.offset // sector * sector, change.offset + len(change.data), sector):
                if rng.random() < share:
                    part = cached[start : start + sector]
                    # A sector beyond the size on the disk is lost with the size.
                    disk[start : start + len(part)] = part[: max(0, len(disk) - start)]
        return bytes(disk)


@dataclass(frozen=True, slots=True)
class Change:
    """A write, or a truncation, which has a size and no data."""

    number: int
    offset: int = 0
    data: bytes = b""
    size: int | None = None

    def apply(self, content: bytearray) -> None:
        if self.size is not None:
            _resize(content, self.size)
            return
        if len(content) < self.offset:
            _resize(content, self.offset)
        content[self.offset : self.offset + len(self.data)] = self.data


def _resize(content: bytearray, size: int) -> None:
    if size < len(content):
        del content[size:]
    else:
        content.extend(bytes(size - len(content)))


@dataclass(eq=False, slots=True)
class Folder:
    entries: dict[str, Node] = field(default_factory=dict)
    """What the processes see."""
    synced: dict[str, tuple[int, Node | None]] = field(default_factory=dict)
    """Each name with the number of its newest synced change. A name may be gone."""
    made: Naming | None = None
    """The change that gave the folder its first name; None if it was there from the start."""


Node = File | Folder


@dataclass(eq=False, slots=True)
class Naming:
    """A change of names. A rename takes one name away and gives another, both or neither."""

    number: int
    names: list[tuple[Folder, str, Node | None]]


class Disk:
    """A folder on the disk, and the changes of it so far."""

    def __init__(self, start: Path) -> None:
        """Everything that is in the folder `start` is synced."""
        self._root = _read(start)
        self._open: dict[int, Node] = {}
        self._namings: list[Naming] = []
        self._syncs: dict[int, int] = {}
        self._number = 0

    def apply(self, record: Record) -> None:
        """Make a change that a process made."""
        self._number += 1
        match record.kind:
            case "O":
                self._opened(record)
            case "W" | "T":
                file = self._open[record.inode]
                assert isinstance(file, File)
                size = record.place if record.kind == "T" else None
                file.change(Change(self._number, 0 if size is not None else record.place, record.data, size))
            case "F":
                self._syncs[record.place] = self._number
            case "f":
                self._sync(record.inode, self._syncs.pop(record.place))
            case "M":
                folder = Folder()
                self._name((record.path, folder))
                folder.made = self._namings[-1]
            case "R":
                if record.path != record.second:
                    self._name((record.path, None), (record.second, self._find(record.path)))
            case "L":
                self._name((record.second, self._find(record.path)))
            case "U":
                self._name((record.path, None))

    def _opened(self, record: Record) -> None:
        folder, name = self._place(record.path)
        found: Node | None = folder.entries.get(name) if name else folder
        if found is None:
            found = File()
            self._name((record.path, found))
        elif record.place:
            assert isinstance(found, File)
            found.change(Change(self._number, size=0))
        self._open[record.inode] = found

    def _place(self, path: str) -> tuple[Folder, str]:
        """Return the folder of a path, and its name there, which is "" for the folder that is the disk."""
        folder = self._root
        if path == ".":
            return folder, ""
        *parents, name = path.split("/")
        for parent in parents:
            found = folder.entries[parent]
            assert isinstance(found, Folder)
            folder = found
        return folder, name

    def _find(self, path: str) -> Node:
        folder, name = self._place(path)
        return folder.entries[name]

    def _name(self, *names: tuple[str, Node | None]) -> None:
        placed = [(*self._place(path), node) for path, node in names]
        for folder, name, node in placed:
            if node is None:
                del folder.entries[name]
            else:
                folder.entries[name] = node
        self._namings.append(Naming(self._number, placed))

    def _sync(self, inode: int, before: int) -> None:
        if not inode:
            for file in _files(self._root):
                file.sync(before)
            kept = [naming for naming in self._namings if naming.number < before]
        else:
            node = self._open[inode]
            if isinstance(node, File):
                node.sync(before)
                return
            kept = [
                naming
                for naming in self._namings
                if naming.number < before and any(folder is node for folder, _, _ in naming.names)
            ]
        kept = self._with_folders(kept)
        for naming in kept:
            for folder, name, named in naming.names:
                _put(folder.synced, name, naming.number, named)
        done = set(map(id, kept))
        self._namings = [naming for naming in self._namings if id(naming) not in done]

    def _with_folders(self, namings: Iterable[Naming]) -> list[Naming]:
        """Return these changes in order, with those that made the folders to which something moves.

        No file system loses what is moved from one folder to another.
        """
        waiting = set(map(id, self._namings))
        found: dict[int, Naming] = {}
        left = list(namings)
        while left:
            naming = left.pop()
            found[id(naming)] = naming
            if len({id(folder) for folder, _, _ in naming.names}) == 1:
                continue
            for folder, _, node in naming.names:
                made = folder.made
                if node is not None and made is not None and id(made) in waiting and id(made) not in found:
                    left.append(made)
        return sorted(found.values(), key=lambda one: one.number)

    def seen(self) -> Mapping[str, bytes | None]:
        """Return what the processes see: the content of each file by its path, and None for each folder."""
        return dict(_walk(self._root, lambda folder: folder.entries, lambda file: bytes(file.cached)))

    def cut(self, rng: random.Random) -> Mapping[str, bytes | None]:
        """Return, in the same form, what might be on the disk if the power went now."""
        share, sector = rng.choice(SHARES), rng.choice(SECTORS)
        kept = self._with_folders(naming for naming in self._namings if rng.random() < share)
        entries: dict[int, dict[str, tuple[int, Node | None]]] = {}
        for naming in kept:
            for folder, name, node in naming.names:
                _put(entries.setdefault(id(folder), dict(folder.synced)), name, naming.number, node)

        def names(folder: Folder) -> dict[str, Node]:
            found = entries.get(id(folder), folder.synced)
            return {name: node for name, (_, node) in found.items() if node is not None}

        return dict(_walk(self._root, names, lambda file: file.after_cut(rng, share, sector)))


def _put(names: dict[str, tuple[int, Node | None]], name: str, number: int, node: Node | None) -> None:
    if number >= names.get(name, (0, None))[0]:
        names[name] = (number, node)


def _read(path: Path) -> Folder:
    folder = Folder()
    for entry in os.scandir(path):
        node: Node
        if entry.is_dir():
            node = _read(Path(entry))
        else:
            content = Path(entry).read_bytes()
            node = File(bytearray(content), bytearray(content))
        folder.entries[entry.name] = node
        folder.synced[entry.name] = (0, node)
    return folder


def _files(folder: Folder) -> Iterator[File]:
    for node in folder.entries.values():
        if isinstance(node, File):
            yield node
        else:
            yield from _files(node)


def _walk(
    folder: Folder,
    names: Callable[[Folder], Mapping[str, Node]],
    content: Callable[[File], bytes],
    path: str = "",
) -> Iterator[tuple[str, bytes | None]]:
    for name, node in sorted(names(folder).items()):
        if isinstance(node, File):
            yield path + name, content(node)
        else:
            yield path + name, None
            yield from _walk(node, names, content, f"{path}{name}/")

"""The model of a disk loses what was not synced, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.faults.power_cuts.disk import SECTORS, Disk
from tests.faults.power_cuts.trace import Record

CUTS = 300
INODE, FOLDER, ROOT = 7, 8, 9


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """Return a disk with an old file of two large sectors, and an empty folder."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "old").write_bytes(b"o" * 2 * SECTORS[-1])
    disk = Disk(tmp_path)
    for path, inode in (("folder", FOLDER), (".", ROOT)):
        disk.apply(Record("O", path, "", inode, 0, b""))
    return disk


def write(disk: Disk, path: str, data: bytes, place: int = 0) -> None:
    disk.apply(Record("O", path, "", INODE, 0, b""))
    disk.apply(Record("W", path, "", INODE, place, data))


def sync(disk: Disk, inode: int, *, ended: bool = True) -> None:
    for kind in "Ff" if ended else "F":
        disk.apply(Record(kind, "", "", inode, 1, b""))


def states(disk: Disk) -> list[Mapping[str, bytes | None]]:
    rng = random.Random(1)
    return [disk.cut(rng) for _ in range(CUTS)]


def test_a_new_file_is_there_once_it_and_its_folder_are_synced(disk: Disk) -> None:
    write(disk, "folder/new", b"new")
    sync(disk, FOLDER)
    assert {state["folder/new"] for state in states(disk)} == {b"", b"\0\0\0", b"new"}
    sync(disk, INODE)
    assert {state["folder/new"] for state in states(disk)} == {b"new"}


def test_a_synced_file_may_be_lost_without_a_sync_of_its_folder(disk: Disk) -> None:
    write(disk, "folder/new", b"new")
    sync(disk, INODE)
    assert {state.get("folder/new") for state in states(disk)} == {None, b"new"}


def test_a_sync_that_has_not_ended_promises_nothing(disk: Disk) -> None:
    write(disk, "folder/new", b"new")
    sync(disk, INODE)
    sync(disk, FOLDER, ended=False)
    assert {state.get("folder/new") for state in states(disk)} == {None, b"new"}


def test_what_is_written_during_a_sync_may_be_lost(disk: Disk) -> None:
    write(disk, "old", b"1")
    disk.apply(Record("F", "", "", INODE, 1, b""))
    write(disk, "old", b"2", place=1)
    disk.apply(Record("f", "", "", INODE, 1, b""))
    assert {(state["old"] or b"")[:3] for state in states(disk)} == {b"1oo", b"12o"}


def test_a_write_may_be_torn_between_sectors(disk: Disk) -> None:
    write(disk, "old", b"n" * 2 * SECTORS[-1])
    found = {state["old"] for state in states(disk)}
    half = SECTORS[-1]
    assert {b"o" * 2 * half, b"n" * 2 * half, b"n" * half + b"o" * half, b"o" * half + b"n" * half} <= found
    assert all(
        len(set(content[start : start + SECTORS[0]])) == 1
        for content in found
        if content is not None
        for start in range(0, 2 * half, SECTORS[0])
    )


def test_a_renamed_file_has_one_of_its_names(disk: Disk) -> None:
    disk.apply(Record("M", "made", "", 0, 0, b""))
    disk.apply(Record("R", "old", "made/new", 0, 0, b""))
    names = {frozenset(state) - {"folder"} for state in states(disk)}
    assert names == {frozenset({"old"}), frozenset({"old", "made"}), frozenset({"made", "made/new"})}


def test_a_sync_of_everything_keeps_everything(disk: Disk) -> None:
    write(disk, "folder/new", b"new")
    disk.apply(Record("R", "old", "folder/old", 0, 0, b""))
    sync(disk, 0)
    assert {frozenset(state) for state in states(disk)} == {frozenset({"folder", "folder/new", "folder/old"})}

"""What is stored in a folder is on the disk, with the folders that it is in, before its name is returned."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.file_sync import DurableStorage


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files and folders that are synced, in their order."""
    found: list[Path] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        found.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")))

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def test_a_new_file_and_its_new_folders_are_on_the_disk(tmp_path: Path, synced: list[Path]) -> None:
    root = tmp_path / "media"
    name = DurableStorage(location=root).save("flowers/1/rose.jpg", ContentFile(b"red"))
    path = root / name
    assert path.read_bytes() == b"red"
    assert synced == [path, path.parent, path.parent.parent, root, tmp_path]


def test_pictures_are_stored_that_way() -> None:
    assert isinstance(default_storage, DurableStorage)


def test_a_commit_of_the_embedded_database_is_on_the_disk(tmp_path: Path) -> None:
    """Otherwise, the last pages whose receipts workers have would be lost when the power goes."""
    connection = sqlite3.connect(tmp_path / "database")
    connection.executescript(settings.EMBEDDED_OPTIONS["init_command"])
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()

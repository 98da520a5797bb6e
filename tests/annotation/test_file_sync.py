"""What is stored in a folder is on the disk, with the folders that it is in, before its name is returned."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.file_sync import DurableStorage


def test_a_new_file_and_its_new_folders_are_on_the_disk(tmp_path: Path, synced: list[Path]) -> None:
    root = tmp_path / "media"
    name = DurableStorage(location=root).save("flowers/1/rose.jpg", ContentFile(b"red"))
    path = root / name
    assert path.read_bytes() == b"red"
    assert synced == [path, path.parent, path.parent.parent, root, tmp_path]


def test_folders_that_another_has_made_and_not_synced_yet_are_synced_too(
    tmp_path: Path, synced: list[Path]
) -> None:
    root = tmp_path / "media"
    (root / "flowers").mkdir(parents=True)
    DurableStorage(location=root).save("flowers/rose.jpg", ContentFile(b"red"))
    assert synced == [root / "flowers/rose.jpg", root / "flowers", root, tmp_path]


def test_pictures_are_stored_that_way() -> None:
    assert isinstance(default_storage, DurableStorage)


def test_a_commit_of_the_embedded_database_is_on_the_disk(tmp_path: Path) -> None:
    """Otherwise, the last pages whose receipts workers have would be lost when the power goes."""
    connection = sqlite3.connect(tmp_path / "database")
    connection.executescript(settings.EMBEDDED_OPTIONS["init_command"])
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import kept_key


def test_all_who_ask_at_once_get_one_key(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: kept_key(path), range(64)))
    assert keys == {path.read_text()}
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]


def test_the_key_is_on_the_disk_before_anything_is_signed(tmp_path: Path, synced: list[Path]) -> None:
    """Otherwise all sessions and workers' tokens would end when the power goes."""
    kept_key(tmp_path / "secret_key")
    written, folder = synced
    assert written.name.startswith("secret_key.") and folder == tmp_path
    kept_key(tmp_path / "secret_key")
    assert synced[2:] == [tmp_path], "another process may have made it a moment ago"


def test_only_its_owner_may_read_the_key(tmp_path: Path) -> None:
    kept_key(tmp_path / "secret_key")
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("short")
    with pytest.raises(ImproperlyConfigured, match="does not have a key; delete it"):
        kept_key(tmp_path / "secret_key")

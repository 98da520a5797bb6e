from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    """Return the empty folder of stored pictures."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the empty folder that is given as --images."""
    path = tmp_path / "pictures"
    path.mkdir()
    return path

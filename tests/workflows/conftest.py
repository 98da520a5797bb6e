"""Fixtures for services that keep files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from annotation.models import Project
from tests.factories import make_project


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    """Use a storage, and folders beside it for everything else that is written, for this test alone."""
    settings.VAR = tmp_path / "var"
    settings.MEDIA_ROOT = settings.VAR / "media"
    settings.FILE_UPLOAD_TEMP_DIR = settings.VAR / "incoming"
    settings.FILE_UPLOAD_TEMP_DIR.mkdir(parents=True)
    folder: Path = settings.MEDIA_ROOT
    return folder


@pytest.fixture
def project(db: None, media: Path) -> Project:
    """Make a project without images, whose files are in the storage."""
    return make_project()

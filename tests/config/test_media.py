from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("corpus/a.jpg", 200),
        (".exports/1/a.zip", 404),
        ("/.exports/1/a.zip", 404),
        ("corpus/../.exports/1/a.zip", 404),
        ("./.exports/1/a.zip", 404),
        ("corpus/" + "a" * 300 + ".jpg", 404),
    ],
)
def test_pictures_are_served_and_nothing_hidden_is(
    settings: Settings, tmp_path: Path, path: str, status: int
) -> None:
    settings.MEDIA_ROOT = tmp_path
    for name in ("corpus/a.jpg", ".exports/1/a.zip"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(b"x")
    response = Client().get(f"/media/{path}")
    assert response.status_code == status
    response.close()

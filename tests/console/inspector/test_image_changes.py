"""An image is withdrawn, brought back, and given another photograph, on its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotation.models import Image
from tests.annotation.importing.made_corpora import picture
from tests.factories import make_image, make_project
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def image(db: None, settings: Settings, tmp_path: Path) -> Image:
    settings.MEDIA_ROOT = tmp_path / "media"
    return make_image(make_project(), [["man"], ["man"]])


def change(client: Client, image: Image, **data: Any) -> str:
    reply = client.post(reverse("inspector:change", args=[image.pk]), data, follow=True)
    content: str = reply.content.decode()
    image.refresh_from_db()
    return content


def acts() -> list[str]:
    return list(AuditEntry.objects.exclude(action="login").order_by("pk").values_list("action", flat=True))


def test_an_image_is_withdrawn_and_brought_back(reviewer: Client, image: Image) -> None:
    assert "Say why" in change(reviewer, image, action="withdraw", note=" ")
    assert image.withdrawn_at is None
    assert "The image was withdrawn" in change(reviewer, image, action="withdraw", note="a stray one")
    assert image.withdrawn_at is not None
    search = reverse("inspector:search", args=[image.project_id])
    assert image.name not in reviewer.get(search).content.decode()
    assert image.name in reviewer.get(search, {"state": "withdrawn-image"}).content.decode()
    assert "belongs to the data set again" in change(reviewer, image, action="bring-back")
    assert image.withdrawn_at is None
    assert acts() == ["image.withdraw", "image.bring-back"]


def test_a_photograph_is_replaced(reviewer: Client, image: Image, tmp_path: Path) -> None:
    content = picture(tmp_path / "a.jpg", 60, 40)
    said = change(reviewer, image, action="photograph", photograph=SimpleUploadedFile("a.jpg", content))
    assert "The photograph was replaced." in said
    assert (image.width, image.height) == (60, 40)
    with image.file.open("rb") as stored:
        assert stored.read() == content
    assert acts() == ["image.photograph"]


def test_what_is_no_photograph_is_refused(reviewer: Client, image: Image) -> None:
    before = str(image.file)
    said = change(reviewer, image, action="photograph", photograph=SimpleUploadedFile("a.jpg", b"no"))
    assert "is not a JPEG, PNG or WebP" in said
    assert "Choose a photograph." in change(reviewer, image, action="photograph")
    assert (str(image.file), acts()) == (before, [])

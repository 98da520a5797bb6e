from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from annotation.models import Image
from tests.console.conftest import client_of
from tests.factories import make_image, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def image() -> Image:
    image = make_image(make_project(), [["man"]])
    image.file = default_storage.save("corpus/1000092795.jpg", ContentFile(b"JPEG"))
    image.save()
    return image


def address_of(image: Image) -> str:
    return reverse("inspector:photograph", args=[image.pk])


def test_a_researcher_sees_it_and_the_browser_keeps_it(viewer: Client, image: Image) -> None:
    reply: Any = viewer.get(address_of(image))
    assert (reply.status_code, reply.getvalue()) == (200, b"JPEG")
    assert reply.headers["Content-Type"] == "image/jpeg"
    assert set(reply.headers["Cache-Control"].split(", ")) == {"private", "max-age=86400", "immutable"}
    assert "Cookie" in reply.headers["Vary"]  # after a logout, the browser asks again


def test_nobody_else_sees_it(image: Image) -> None:
    reply = Client().get(address_of(image))
    assert reply.status_code == 302 and reply.headers["Location"].startswith(reverse("admin:login"))
    assert client_of("outsider").get(address_of(image)).status_code == 404


def test_the_pages_lead_to_it(viewer: Client, image: Image) -> None:
    for page in (
        reverse("inspector:image", args=[image.pk]),
        reverse("inspector:search", args=[image.project_id]),
    ):
        said = viewer.get(page).content.decode()
        assert "/media/" not in said, page
        shown = [found for found in re.findall(r'<img src="([^"]+)"', said) if "/static/" not in found]
        assert [address.partition("?")[0] for address in shown] == [address_of(image)], page


def test_the_administration_says_where_the_file_is_without_a_link(viewer: Client, image: Image) -> None:
    said = viewer.get(reverse("admin:annotation_image_change", args=[image.pk])).content.decode()
    assert str(image.file) in said and "/media/" not in said


@pytest.mark.parametrize("file", ["", "corpus/none.jpg", ".exports/1/a.zip"])
def test_what_is_no_photograph_is_not_there(viewer: Client, image: Image, file: str) -> None:
    if file.startswith("."):
        default_storage.save(file, ContentFile(b"PK"))
    Image.objects.update(file=file)
    assert viewer.get(address_of(image)).status_code == 404


def test_with_a_bucket_it_is_not_served_here(viewer: Client, image: Image, settings: Any) -> None:
    settings.IMAGES_ARE_LOCAL = False
    assert viewer.get(address_of(image)).status_code == 404

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.storage import default_storage

from annotation.renditions import file_of
from tests.factories import NOW
from workflows.core import photographs
from workflows.core.photographs import address_for, renditions_for


def test_a_worker_gets_a_link_and_nothing_if_there_is_no_picture() -> None:
    address = address_for("p/1.jpg", worker_id=1, now=NOW)
    assert address is not None and address.startswith("/media/") and "1.jpg" not in address
    assert address_for("", worker_id=1, now=NOW) is None


def test_with_a_bucket_the_link_is_the_buckets(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Bucket:
        def url(self, name: str) -> str:
            return f"https://bucket.example/{name}?signature"

    settings.IMAGES_ARE_LOCAL = False
    monkeypatch.setattr(photographs, "default_storage", Bucket())
    assert address_for("p/1.jpg", worker_id=1, now=NOW) == "https://bucket.example/p/1.jpg?signature"


def test_renditions_are_smaller_copies_under_the_same_link() -> None:
    assert renditions_for("p/1.jpg", "/media/abc", [640, 1280]) == [
        {"width": 640, "url": "/media/abc/640"},
        {"width": 1280, "url": "/media/abc/1280"},
    ]
    assert renditions_for("p/1.jpg", "/media/abc", None) == renditions_for("", None, [640]) == []


def test_with_a_bucket_each_rendition_has_its_own_link(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bucket:
        def url(self, name: str) -> str:
            return f"https://bucket.example/{name}?signature"

    settings.IMAGES_ARE_LOCAL = False
    monkeypatch.setattr(photographs, "storage", Bucket)
    (only,) = renditions_for("p/1.jpg", "https://bucket.example/p/1.jpg?signature", [640])
    assert only == {"width": 640, "url": f"https://bucket.example/{file_of('p/1.jpg', 640)}?signature"}


def test_no_file_has_an_address_for_everybody() -> None:
    """So nobody shows one by mistake."""
    with pytest.raises(ValueError, match="no address of its own"):
        default_storage.url("p/1.jpg")

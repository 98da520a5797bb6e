from __future__ import annotations

from typing import Any

import pytest
from django.core.files.storage import default_storage

from tests.factories import NOW
from workflows.core import photographs
from workflows.core.photographs import address_for


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


def test_no_file_has_an_address_for_everybody() -> None:
    """So nobody shows one by mistake."""
    with pytest.raises(ValueError, match="no address of its own"):
        default_storage.url("p/1.jpg")

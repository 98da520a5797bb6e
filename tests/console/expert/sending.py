"""Sends an annotation as the expert screen does."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.models import Image


def send(client: Client, image: Image, data: Any, *, queue: int | None = None) -> Any:
    """Post the annotation as JSON. Its reply is JSON as well."""
    address = reverse("expert-image", args=[image.pk]) + (f"?queue={queue}" if queue else "")
    return client.post(address, data, content_type="application/json")

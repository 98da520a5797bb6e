"""Whether a request has more files than may be uploaded, which is told before its body is read."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

ROOM = 1_000_000
"""Bytes that a request may have besides its files."""


def too_large(request: HttpRequest, instead: str) -> str:
    """Return why the request is refused, and what to do `instead`, or "" if it is not too large."""
    if int(request.META.get("CONTENT_LENGTH") or 0) <= settings.MAX_UPLOAD_BYTES + ROOM:
        return ""
    return f"An upload has at most {settings.MAX_UPLOAD_BYTES:,} bytes: {instead}."

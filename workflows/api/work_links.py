"""Links that take a worker straight to work."""

from __future__ import annotations

from argparse import ArgumentTypeError
from urllib.parse import SplitResult, urlsplit

from annotation.models import Worker
from workflows.api.authentication import make_token


def site(text: str) -> str:
    """A site's address without anything after its host and port. Raises ArgumentTypeError."""
    parts = _parts(text)
    if parts is None or not text.isprintable() or " " in text:
        raise ArgumentTypeError(f"{text!r} is no site: write it as in https://annotate.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def _parts(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port or bracket that is none
        return None
    more = parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment
    return parts if usable and not more else None


def work_link(site: str, worker: Worker) -> str:
    """The workers' pages with the worker's token. A fragment is sent to no server, so no log has it."""
    return f"{site}/work/#token={make_token(worker)}"


def join_link(site: str, code: str) -> str:
    """The page of an invitation. The code is a fragment for the same reason."""
    return f"{site}/work/join/#{code}"

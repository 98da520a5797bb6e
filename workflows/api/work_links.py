"""Links with which a worker can begin to work at once."""

from __future__ import annotations

from argparse import ArgumentTypeError
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import HttpRequest

from annotation.models import Worker
from workflows.api.authentication import make_link_token


def site(text: str) -> str:
    """Return a site's address without a slash at its end. Raise ArgumentTypeError if it is not an address."""
    parts = _parts(text)
    if parts is None or not text.isprintable() or " " in text:
        raise ArgumentTypeError(f"{text!r} is not a site's address, such as https://annotate.example.org")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def site_of(request: HttpRequest) -> str:
    """Return the address for links to this site: GROUNDCREW_SITE, or else that at which it was called."""
    return settings.SITE or f"{request.scheme}://{request.get_host()}"


def _parts(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # the port or a bracket is malformed
        return None
    more = parts.username is not None or parts.query or parts.fragment
    # Somebody may copy the address of the workers' pages from a browser.
    if "work" in parts.path.split("/"):
        return None
    return parts if usable and not more else None


def work_link(site: str, worker: Worker) -> str:
    """Return the address of the workers' pages, with the worker's token.

    The token is in the fragment, which browsers do not send, so that no log has it.
    """
    return f"{site}/work/#token={make_link_token(worker)}"


def join_link(site: str, code: str) -> str:
    """Return the address of an invitation's page. The code is in the fragment, so that no log has it."""
    return f"{site}/work/join/#{code}"

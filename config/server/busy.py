"""The replies when a page fails: 503 if the database is away or the disk is full, otherwise 500."""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from config.server.plain_pages import plain_page

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5


class BusyMiddleware:
    """Replies 503 if the database fails while a page is made. The API has its own words for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the reply to this error of a view, or None for other errors."""
        return _busy(error) if _passes(error) else None


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Reply to an error outside of views: as to a view's if it passes, else 500."""
    error = sys.exc_info()[1]
    if error is not None and _passes(error):
        return _busy(error)
    return plain_page(
        500, "Something went wrong", "The error is in the server's log. Try again in a moment.", start=True
    )


def _passes(error: BaseException) -> bool:
    """Return whether the database failed, or an upload found no room on the disk."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return isinstance(error, OperationalError)


def _busy(error: BaseException) -> HttpResponse:
    # One line: the traceback shows where Django asked for the session, mostly, and not why that failed.
    logger.error("the database failed, or the disk is full: %s", " ".join(str(error).split()))
    return plain_page(
        503,
        "The server is busy",
        "Load this page again in a few seconds. If you had sent a form, check first whether it was saved.",
        headers={"Retry-After": str(RETRY_SECONDS)},
    )

"""The reply when the database is away or too busy for a page, or the disk is full: 503 with Retry-After."""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views import defaults

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Busy</title>
<h1>The server is busy</h1>
<p>Load this page again in a few seconds. If you had sent a form, look first whether it was saved.</p>
</html>
"""


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
    """Reply to an error outside of views: as to a view's if it passes, else 500 as Django does."""
    error = sys.exc_info()[1]
    return _busy(error) if error is not None and _passes(error) else defaults.server_error(request)


def _passes(error: BaseException) -> bool:
    """Return whether the database failed, or an upload found no room on the disk."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return isinstance(error, OperationalError)


def _busy(error: BaseException) -> HttpResponse:
    # One line: the traceback shows where Django asked for the session, mostly, and not why that failed.
    logger.error("the database failed, or the disk is full: %s", " ".join(str(error).split()))
    return HttpResponse(PAGE, status=503, headers={"Retry-After": str(RETRY_SECONDS)})

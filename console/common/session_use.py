"""Keeps sessions alive while they are used, so that they can end a day after the last use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

USED = "used"
RENEWED_AFTER = 3600
"""Seconds. A session is stored at most once in this time, so that pages which only read do not write."""


@receiver(user_logged_in)
def begin(request: HttpRequest, **_: Any) -> None:
    """Store with a new session that it is used now."""
    request.session[USED] = int(timezone.now().timestamp())


class SessionUseMiddleware:
    """Renews the session of a request, and with it the time at which it ends."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        session = request.session
        if response.status_code >= 500:  # the database may be away, and the session with it
            return response
        # A session that the view did not read is not loaded for this: the workers' pages have none.
        if session.accessed and not session.is_empty():
            now = int(timezone.now().timestamp())
            if not 0 <= now - session.get(USED, 0) < RENEWED_AFTER:
                session[USED] = now
        return response

"""Says what is wrong if the proxy that terminates TLS does not say that it did."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

logger = logging.getLogger(__name__)

MISSING = (
    "The proxy in front of this server does not say whether the connection was encrypted. It has to set the "
    "header X-Forwarded-Proto: docs/operations.md.\n"
)


class ForwardedMiddleware:
    """Replies 400 to requests without X-Forwarded-Proto, behind TLS.

    Django would redirect them to https. They would come back through the same proxy, and be redirected again,
    for ever. It comes after the middleware of probes, which come without a proxy.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.told = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not settings.BEHIND_TLS or "HTTP_X_FORWARDED_PROTO" in request.META or request.is_secure():
            return self.get_response(request)
        if not self.told:
            logger.error(MISSING.strip())
            self.told = True
        return HttpResponse(MISSING, status=400, content_type="text/plain")

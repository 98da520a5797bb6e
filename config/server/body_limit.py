"""Refuses a request with too large a body before anything reads it.

Django's own check happens while it reads a form, and lets files of any size through, for anybody.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from config.server.busy import RETRY_SECONDS
from config.server.request_bodies import API, BodyError, refusal
from config.server.wsgi_calls import REFUSED
from workflows.api.problem_details import problem_reply

RETRIED = frozenset({408, 503})


class BodyMiddleware:
    """Replies 413 to bodies over DATA_UPLOAD_MAX_MEMORY_SIZE, and 411 to a body without its length.

    The web server has already refused such a body, or one that did not arrive (config.asgi), and the reply
    says why. The same rule holds where a request does not come through it, as with `manage.py runserver`.
    This middleware has to come before the CSRF check, which reads the body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        error: BodyError | None = request.META.get(REFUSED) or refusal(
            request.path_info,
            str(request.META.get("CONTENT_LENGTH") or ""),
            chunked="HTTP_TRANSFER_ENCODING" in request.META,
            limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        )
        if error is None:
            return self.get_response(request)
        reply: HttpResponseBase = HttpResponse(f"{error}\n", status=error.status, content_type="text/plain")
        if request.path_info.startswith(API):
            reply = problem_reply(error.status, str(error))
        if error.status in RETRIED:
            reply["Retry-After"] = str(RETRY_SECONDS)
        return reply

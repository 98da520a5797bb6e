"""Refuses a request with too large a body before anything reads it.

Django's own check happens while it reads a form, and lets files of any size through, for anybody.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from config.request_bodies import API, is_upload
from config.wsgi_calls import REFUSED
from workflows.api.problem_details import problem_reply

RETRY_SECONDS = 5
RETRIED = frozenset({408, 503})


class BodyMiddleware:
    """Replies 413 to bodies over DATA_UPLOAD_MAX_MEMORY_SIZE, and 411 to a body without its length.

    If the web server did not receive a body (config.request_bodies), the reply says why.

    Two places check bodies themselves, before they read them: the API, which replies in its own words
    (config.rest_json), and the page for uploading a corpus. This middleware has to come before the CSRF
    check, which reads the body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        api = request.path_info.startswith(API)
        if (error := request.META.get(REFUSED)) is not None:
            reply = problem_reply(error.status, str(error)) if api else _refused(error.status, str(error))
            if error.status in RETRIED:
                reply["Retry-After"] = str(RETRY_SECONDS)
            return reply
        if api:
            return self.get_response(request)
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or ""
        if not length and "HTTP_TRANSFER_ENCODING" in request.META:
            return _refused(411, "Send the length of the request (Content-Length).")
        if length and not (length.isascii() and length.isdigit()):
            return _refused(400, "The length of the request (Content-Length) is not a number.")
        if length and int(length) > limit and not is_upload(request.path_info):
            return _refused(413, f"The request is over the limit of {limit} bytes.")
        return self.get_response(request)


def _refused(status: int, said: str) -> HttpResponse:
    return HttpResponse(f"{said}\n", status=status, content_type="text/plain")

"""Refuses a request with too large a body before anything reads it.

Django's own check happens while it reads a form, and lets files of any size through, for anybody.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

API = "/api/"
UPLOAD = "jobs:import"


class BodyMiddleware:
    """Replies 413 to bodies over DATA_UPLOAD_MAX_MEMORY_SIZE, and 411 to a body without its length.

    Two places check bodies themselves, before they read them: the API, which replies in its own words
    (config.rest_json), and the page for uploading a corpus. This middleware has to come before the CSRF
    check, which reads the body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(API):
            return self.get_response(request)
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or ""
        if not length and "HTTP_TRANSFER_ENCODING" in request.META:
            return _refused(411, "Send the length of the request (Content-Length).")
        if length and not (length.isascii() and length.isdigit()):
            return _refused(400, "The length of the request (Content-Length) is not a number.")
        if length and int(length) > limit and not _is_upload(request):
            return _refused(413, f"The request is over the limit of {limit} bytes.")
        return self.get_response(request)


def _is_upload(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).view_name == UPLOAD
    except Resolver404:
        return False


def _refused(status: int, said: str) -> HttpResponse:
    return HttpResponse(f"{said}\n", status=status, content_type="text/plain")

"""Middleware that gives each request an id, logs it and counts it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config.monitoring.counters import request_ended
from config.monitoring.trace_ids import HEADER, accepted_id, begin_request, new_id
from workflows.api.authentication import WorkerIdentity

STATIC = settings.STATIC_URL
logger = logging.getLogger(__name__)


class RequestMiddleware:
    """Gives each request an id, which is in its log lines and in the reply's header `X-Request-ID`.

    Behind proxies (GROUNDCREW_PROXIES), a well-formed id that comes with the request is kept.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        trusted = settings.GROUNDCREW_PROXIES > 0
        given = accepted_id(request.headers.get(HEADER)) if trusted else None
        request_id = given or new_id()
        begin_request(request_id)
        start = monotonic()
        response = self.get_response(request)
        seconds = monotonic() - start
        response[HEADER] = request_id
        if settings.METRICS_TOKEN:
            request_ended(request.method, view_of(request), response.status_code, seconds)
        # A page loads a dozen files, whose lines would tell nothing new.
        if settings.ACCESS_LOG and not (response.status_code < 400 and request.path.startswith(STATIC)):
            _log(request, response.status_code, seconds)
        return response


def view_of(request: HttpRequest) -> str:
    """Return the name of the view that replied, or `-`. It has few values, and nothing secret in it."""
    match = request.resolver_match
    return match.view_name if match and match.url_name else "-"


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    """Log a request, without its path and query, since they may have secrets in them."""
    fields = {
        "method": request.method,
        "view": view_of(request),
        "status": status,
        "ms": round(seconds * 1000),
    }
    fields |= _who(request)
    said = " ".join(f"{name}={value}" for name, value in list(fields.items())[4:])
    line = f"{fields['method']} {fields['view']} {status} {fields['ms']} ms"
    logger.info("%s", f"{line} {said}".rstrip(), extra={"fields": fields})


def _who(request: HttpRequest) -> dict[str, int]:
    """Return the id of the `user` or `worker`, if the view has loaded them. Nobody is loaded for the log."""
    worker = request.__dict__.get("user")  # the API sets it; the site's user is lazy, and stays unloaded
    if type(worker) is WorkerIdentity:
        return {"worker": worker.worker_id}
    user = getattr(request, "_cached_user", None)
    return {"user": user.pk} if user is not None and user.pk else {}

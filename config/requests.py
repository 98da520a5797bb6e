"""Around every request: its id, a line in the log, and what the metrics count."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config.metric_counters import request_ended
from config.trace_ids import HEADER, accepted_id, begin_request, new_id
from workflows.api.authentication import WorkerIdentity

STATIC = settings.STATIC_URL
logger = logging.getLogger(__name__)


class RequestMiddleware:
    """Gives each request an id, which log lines and the header `X-Request-ID` of the reply have.

    Behind proxies (GROUNDCREW_PROXIES) the id that came with it is kept where it is well-formed.
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
        # A page brings a dozen files, which say nothing more.
        if settings.ACCESS_LOG and not (response.status_code < 400 and request.path.startswith(STATIC)):
            _log(request, response.status_code, seconds)
        return response


def view_of(request: HttpRequest) -> str:
    """Return the name of the view that replied, which holds nothing secret and takes few values; `-` for
    none.
    """
    match = request.resolver_match
    return match.view_name if match and match.url_name else "-"


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    """No path and no query: they may hold what is nobody's business."""
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
    """`user` or `worker`, where the view looked: nobody is loaded for the log."""
    worker = request.__dict__.get("user")  # as the API has it; a user of the site is lazy, and is not woken
    if type(worker) is WorkerIdentity:
        return {"worker": worker.worker_id}
    user = getattr(request, "_cached_user", None)
    return {"user": user.pk} if user is not None and user.pk else {}

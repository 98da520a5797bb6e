"""`/healthz`: this process answers, and its database does. `/readyz`: so does all the rest.

For probes, which know no token.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

logger = logging.getLogger(__name__)

PATH = "/healthz"
READY = "/readyz"


class HealthMiddleware:
    """Replies 200, or 503 when the database does not answer or, at /readyz, something else is missing.

    It is the first middleware: a probe comes from inside, without TLS and by whatever name of the machine.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == READY:
            return _readiness()
        if request.path != PATH:
            return self.get_response(request)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError as error:
            logger.error("the database does not answer", exc_info=error)
            return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")
        return HttpResponse("ok\n", content_type="text/plain")


def _readiness() -> HttpResponse:
    """The checks as JSON. Loaded when it is asked for: this module is read by what must stay small."""
    from config.readiness import look

    checks = look()
    ready = all(check["ok"] for check in checks.values())
    reply = {"ready": ready, "checks": checks}
    return JsonResponse(reply, status=200 if ready else 503, headers={"Cache-Control": "no-store"})

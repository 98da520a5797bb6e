"""`/healthz`: whether this process and its database answer. It is for probes, which have no token.

config/monitoring/readyz.py checks everything else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase

logger = logging.getLogger(__name__)

PATH = "/healthz"


class HealthMiddleware:
    """Answers 200 `ok`, or 503 when the database does not answer.

    It is the first middleware, since a probe comes from inside, without TLS and under any name of the
    machine.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != PATH:
            return self.get_response(request)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError as error:
            logger.error("the database does not answer", exc_info=error)
            return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")
        return HttpResponse("ok\n", content_type="text/plain")
